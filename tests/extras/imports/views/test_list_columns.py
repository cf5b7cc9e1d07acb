"""Lists of foreign forms: the columns are chosen once, the same headings need no choice again."""

from typing import Any
from uuid import uuid4

import pytest

from tests.extras.imports.views.test_players import address, choose, confirm, said
from tests.support.factories import Event, event
from tests.views.organiser.conftest import Browser, Forms
from tournament import actions
from tournament.models import Entry, LedgerRow, Organiser, User

pytestmark = pytest.mark.django_db

DIET = str(uuid4())
FORM = (
    "Aikaleima,Mikä on nimesi?,Email Address,Mitä syöt?\n"
    "2026/05/01 10.11.12,Otso Ora,otso@a.example,vegan\n"
    "2026/05/01 10.12.13,Pihla Puu,pihla@a.example,\n"
)


def asking(made: Event) -> Event:
    question = {"id": DIET, "kind": "text", "labels": {"en": "Diet"}}
    made.act(actions.set_questions, questions=[question])
    return made


def columns_of(answer: Any) -> dict[str, Any]:
    """Give the data that the untouched form of the columns would send."""
    return next(form["data"] for form in Forms(answer.content.decode()).forms if "sheet" in form["data"])


def pick(browser: Browser, made: Event, answer: Any, **columns: str) -> Any:
    fields = {key.replace("_", "-"): value for key, value in columns.items()}
    return browser.post(address(made), columns_of(answer) | fields)


def test_columns_are_chosen_then_looked_at_then_entered(browser: Browser, planned: Event) -> None:
    answer = choose(browser, asking(planned), FORM)
    assert answer.status_code == 200
    assert "Otso Ora · Pihla Puu" in said(answer)
    preview = pick(browser, planned, answer, column_4=f"answer-{DIET}")
    assert "Diet</bdi>: <bdi>vegan" in said(preview)
    assert confirm(browser, planned, preview).status_code == 303
    entry = Entry.objects.get(public_name="Otso Ora")
    assert (entry.player.contact, entry.answers) == ("otso@a.example", {DIET: "vegan"})


def test_same_headings_need_no_choice_again_also_in_another_event(
    browser: Browser, planned: Event, organiser: User
) -> None:
    pick(browser, planned, choose(browser, planned, FORM))
    again = choose(browser, planned, FORM)
    assert len(again.context["groups"]["new"]) == 2
    other = event(user=organiser, organiser=planned.tournament.organiser.uid)
    assert len(choose(browser, other, FORM).context["groups"]["new"]) == 2
    stranger = event(user=organiser)
    assert "groups" not in choose(browser, stranger, FORM).context
    assert LedgerRow.objects.filter(action="remember_columns").count() == 1
    assert "nimesi" not in str(Organiser.objects.get(pk=planned.tournament.organiser.pk).list_columns)


def test_question_that_is_gone_is_chosen_again(browser: Browser, planned: Event) -> None:
    pick(browser, planned, choose(browser, asking(planned), FORM), column_4=f"answer-{DIET}")
    planned.act(actions.set_questions, questions=[])
    assert "groups" not in choose(browser, planned, FORM).context


@pytest.mark.parametrize("refused", [False, True], ids=["at once", "after a refusal"])
def test_columns_can_be_changed_from_the_preview(browser: Browser, planned: Event, *, refused: bool) -> None:
    preview = pick(browser, planned, choose(browser, planned, FORM))
    if refused:
        ticked = columns_of(preview)
        preview = browser.post(
            address(planned), {name: text for name, text in ticked.items() if "enter" not in name}
        )
        assert preview.status_code == 422
    again = browser.post(address(planned), columns_of(preview) | {"again": "1"})
    assert again.status_code == 200
    assert columns_of(again)["column-2"] == "name"
    changed = pick(browser, planned, again, column_4="club")
    assert changed.context["groups"]["new"][0].planned.row.club == "vegan"
    assert choose(browser, planned, FORM).context["groups"]["new"][0].planned.row.club == "vegan"


def test_a_long_list_is_sent_as_it_is(browser: Browser, planned: Event) -> None:
    """Percent-encoded its cells would be up to three times as long, and over the server's limit."""
    asked = choose(browser, planned, FORM)
    preview = pick(browser, planned, asked)
    for answer in (asked, preview):
        forms = [form for form in answer.content.decode().split("<form ")[1:] if 'name="sheet"' in form]
        assert ['enctype="multipart/form-data"' in form.split(">")[0] for form in forms] == [True]


@pytest.mark.parametrize(
    ("columns", "words", "field"),
    [
        ({"column_1": "name"}, "Only one column can have this meaning. Leave the other out.", "column-2"),
        ({"column_2": "out"}, "Choose the column with the names.", "column-1"),
        (
            {"column_1": "last_name"},
            "Only one column can have this meaning. Leave the other out.",
            "column-1",
        ),
    ],
)
def test_choice_that_cannot_be_is_said_at_its_column(
    browser: Browser, planned: Event, columns: dict[str, str], words: str, field: str
) -> None:
    answer = pick(browser, planned, choose(browser, planned, FORM), **columns)
    assert answer.status_code == 422
    assert answer.context["form"].errors[field] == [words]
    assert columns_of(answer)["column-3"] == "contact"
    assert Entry.objects.count() == 7


def test_pasted_list_with_unknown_headings_is_asked_about_too(browser: Browser, planned: Event) -> None:
    answer = browser.post(address(planned), {"players": FORM.replace(",", "\t")})
    preview = pick(browser, planned, answer)
    assert len(preview.context["groups"]["new"]) == 2
    assert confirm(browser, planned, preview).status_code == 303


def test_first_row_that_is_a_player_is_entered_and_not_remembered(browser: Browser, planned: Event) -> None:
    answer = browser.post(address(planned), {"players": "Otso?\tNoppa\nPihla\tArpa"})
    preview = browser.post(
        address(planned), columns_of(answer) | {"column-1": "name", "column-2": "club", "heading": "0"}
    )
    names = [row.planned.row.name for row in preview.context["groups"]["new"]]
    assert names == ["Otso?", "Pihla"]
    assert not LedgerRow.objects.filter(action="remember_columns").exists()


def test_another_row_is_pointed_at_and_known_again(browser: Browser, planned: Event) -> None:
    """The headings are words that nobody knows, so the first row is read as a player."""
    names = "Vem;Varifrån\nOtso;Noppa\nPihla;Noppa\n"
    preview = choose(browser, planned, names)
    assert [row.planned.row.name for row in preview.context["groups"]["new"]] == ["Vem", "Otso", "Pihla"]
    again = browser.post(address(planned), columns_of(preview) | {"again": "1"})
    assert "Row 1: Vem · Varifrån" in said(again)
    found = pick(browser, planned, again, heading="1")
    assert [row.planned.row.name for row in found.context["groups"]["new"]] == ["Otso", "Pihla"]
    once_more = choose(browser, planned, names.replace("Otso", "Aapo"))
    assert [row.planned.row.name for row in once_more.context["groups"]["new"]] == ["Aapo", "Pihla"]
    for wrong in ("77", "x", "9" * 5000):
        assert pick(browser, planned, again, heading=wrong).status_code == 422


def test_a_known_column_can_be_left_out_and_stays_so(browser: Browser, planned: Event) -> None:
    years = "Name;Birth date\nOtso;soon\n"
    preview = choose(browser, planned, years)
    assert preview.context["groups"]["wrong"]
    found = pick(
        browser, planned, browser.post(address(planned), columns_of(preview) | {"again": "1"}), column_2="out"
    )
    assert len(found.context["groups"]["new"]) == 1
    assert len(choose(browser, planned, years).context["groups"]["new"]) == 1


def test_the_encoding_is_named_and_another_can_be_chosen(browser: Browser, planned: Event) -> None:
    """Three names are too few: the same bytes are names of Finns on a Mac, and something in other encodings."""
    preview = choose(browser, planned, "Nimi;Kerho\nÅke Ödman;Åbo\nSäde Mäkelä;\n".encode("mac-roman"))
    assert "Read as Mac Roman. Look at the names" in said(preview)
    names = [row.planned.row.name for row in preview.context["groups"]["new"]]
    assert names == ["Åke Ödman", "Säde Mäkelä"]
    again = browser.post(address(planned), columns_of(preview) | {"again": "1"})
    offered = dict(again.context["form"].fields["encoding"].choices)
    assert offered["mac-roman"] == "Mac Roman: Åke · Ödman · Åbo"
    other = next(each for each in offered if each != "mac-roman")
    found = pick(browser, planned, again, encoding=other)
    rows = [row.planned.row for rows in found.context["groups"].values() for row in rows]
    assert [row.name for row in rows] == [
        "Åke Ödman".encode("mac-roman").decode(other),
        "Säde Mäkelä".encode("mac-roman").decode(other),
    ]
    assert columns_of(found)["sheet"].count(f'"encoding":"{other}"') == 1


@pytest.mark.parametrize(
    "sheet",
    [
        "",
        "x",
        "{}",
        "[]",
        '{"file":"","others":[],"encoding":"","raw":"?"}',
        '{"lines":[[0,{},{},false]]}',
        "[" * 9999,
    ],
)
def test_cells_that_are_none_are_refused(browser: Browser, planned: Event, sheet: str) -> None:
    answer = browser.post(address(planned), {"sheet": sheet})
    assert answer.status_code == 422
    assert Entry.objects.count() == 7
