"""The page of the organisers' own questions, and their answers on the other pages."""

import io
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from tests.support.arriving import opened, registered, token_of
from tests.support.factories import Event
from tests.views.organiser.conftest import Browser, Forms
from tournament import actions
from tournament.models import Entry, Registration
from tournament.settings import EXTRAS

pytestmark = pytest.mark.django_db

VEGAN = "Zqvegan"


def address(made: Event) -> str:
    return reverse("organise-questions", args=[made.tournament.slug])


def save(browser: Browser, made: Event, **typed: str) -> Any:
    return browser.send(address(made), "/questions/", **typed)


def kept(made: Event) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = Registration.objects.get(tournament=made.tournament).questions
    return rows


def test_questions_are_written_reworded_and_keep_their_answers(browser: Browser, planned: Event) -> None:
    assert save(browser, planned, kind_0="text", label_0_en="Diet?", label_0_fi="Ruoka?").status_code == 303
    (question,) = kept(planned)
    assert (question["kind"], question["labels"]) == ("text", {"en": "Diet?", "fi": "Ruoka?"})
    uid = registered(opened(planned), "Zelda", answers={question["id"]: VEGAN})
    assert "1 player has answered." in browser.get(address(planned)).content.decode()
    assert save(browser, planned, label_0_en="What do you eat?").status_code == 303
    assert (kept(planned)[0]["id"], Entry.objects.get(uid=uid).answers) == (
        question["id"],
        {question["id"]: VEGAN},
    )


def test_removing_an_answered_question_asks_first_and_loses_nothing_typed(
    browser: Browser, planned: Event
) -> None:
    save(browser, planned, kind_0="text", label_0_en="Diet?")
    uid = registered(opened(planned), "Zelda", answers={kept(planned)[0]["id"]: VEGAN})
    refused = save(browser, planned, kind_0="", kind_1="tick", label_1_en="Left-handed")
    assert refused.status_code == 422
    assert "Tick below to erase their answers (1)" in refused.content.decode()
    assert "Left-handed" in refused.content.decode()
    assert Entry.objects.get(uid=uid).answers
    done = save(browser, planned, kind_0="", kind_1="tick", label_1_en="Left-handed", erase="on")
    assert done.status_code == 303
    assert Entry.objects.get(uid=uid).answers == {}
    assert [row["kind"] for row in kept(planned)] == ["tick"]


@pytest.mark.parametrize(
    ("typed", "field", "words"),
    [
        ({"kind_1": "text"}, "label_1_en", "Fill this in."),
        (
            {
                "kind_0": "text",
                "label_0_en": "?",
                "kind_2": "choice",
                "label_2_en": "Size?",
                "options_2_en": "S",
            },
            "options_2_en",
            "Write 2 to 10 options, one per line.",
        ),
        (
            {"kind_0": "choice", "label_0_en": "?", "options_0_en": "S\nL", "options_0_sv": "S"},
            "options_0_sv",
            "Write 2 lines, as many as in the event’s language.",
        ),
        ({"kind_0": "essay"}, "kind_0", "Select a valid choice. essay is not one of the available choices."),
    ],
)
def test_what_is_wrong_is_said_at_its_field(
    browser: Browser, planned: Event, typed: dict[str, str], field: str, words: str
) -> None:
    answer = save(browser, planned, **typed)
    assert answer.status_code == 422
    assert answer.context["form"].errors[field] == [words]


def test_registration_keeps_its_texts_to_start_from_when_questions_come_first(
    browser: Browser, planned: Event
) -> None:
    save(browser, planned, kind_0="text", label_0_en="Diet?")
    page = browser.get(reverse("organise-registration", args=[planned.tournament.slug])).content.decode()
    assert "The referees may remove a player who disturbs the event." in page


def test_answers_are_private_and_shown_to_organisers_and_the_player(browser: Browser, planned: Event) -> None:
    save(browser, planned, kind_0="text", label_0_en="Diet?", required_0="on")
    question = kept(planned)[0]["id"]
    slug = opened(planned).tournament.slug
    join = reverse("join", args=[slug])
    field = f"answer-{question}"
    sound = {"public_name": "Zelda", "terms": "on"}
    refused = Browser().send(join, "", **sound)
    assert (refused.status_code, refused.context["form"].errors[field]) == (422, ["This field is required."])
    assert Browser().send(join, "", **sound, **{field: VEGAN}).status_code == 303
    entry = Entry.objects.get(public_name="Zelda")
    own = f"/en/p/{token_of(entry.uid)}/data/"
    assert VEGAN in Client().get(own).content.decode()
    assert Browser().send(own, "", **{field: "Zqnuts"}).status_code == 303
    player = reverse("organise-player", args=[entry.uid])
    assert "Zqnuts" in browser.get(player).content.decode()
    assert browser.send(player, player, **{field: "Zqmilk"}).status_code == 303
    if "imports" in EXTRAS:
        list_ = browser.get(reverse("organise-players-file", args=[slug]))
        (sheet,) = load_workbook(io.BytesIO(list_.content)).worksheets
        assert "Zqmilk" in [cell for row in sheet.values for cell in row]
        assert "private" in list_["Content-Disposition"]
    for public in (f"/en/t/{slug}/", f"/en/t/{slug}/players/", f"/en/t/{slug}/player/{entry.uid}/"):
        assert "Zqmilk" not in Client().get(public).content.decode()


def test_answers_stay_as_they_are_once_play_has_begun(browser: Browser, planned: Event) -> None:
    question = {
        "id": str(uuid4()),
        "kind": "choice",
        "labels": {"en": "Size?"},
        "options": {"en": ["S", "L"]},
    }
    planned.act(actions.set_questions, questions=[question])
    uid = registered(opened(planned), "Zelda", answers={question["id"]: "L"})
    type(planned.tournament).objects.update(state="running")
    own = f"/en/p/{token_of(uid)}/data/"
    assert Forms(Client().get(own).content.decode()).forms
    assert Browser().send(own, "", contact="040").status_code == 303
    entry = Entry.objects.select_related("player").get(uid=uid)
    assert (entry.answers, entry.player.contact) == ({question["id"]: "L"}, "040")
