"""Two people with the same form: what one changed stays when the other saves an older page, and what both changed is
asked about once."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from tests.support.factories import Event, add_stage, event
from tests.views.organiser.conftest import Browser, Forms
from tournament import actions
from tournament.links import token_for
from tournament.models import LedgerRow

pytestmark = pytest.mark.django_db


def details(made: Event) -> str:
    return reverse("organise-edit", args=[made.tournament.slug])


def player(made: Event) -> str:
    return reverse("organise-player", args=[made.uids[0]])


def own(made: Event) -> str:
    entry = made.entries[0]
    return reverse("own-data", args=[token_for("player", entry.uid, entry.link_number)])


def stage(made: Event) -> str:
    return reverse("organise-stage", args=[made.stage.uid])


def registration(made: Event) -> str:
    made.act(actions.set_registration, opened=True, terms="Ours", most=20)
    return reverse("organise-registration", args=[made.tournament.slug])


def questions(made: Event) -> str:
    asked = {"id": str(uuid4()), "kind": "text", "required": False, "labels": {"en": "Diet"}, "options": {}}
    made.act(actions.set_questions, questions=[asked])
    return reverse("organise-questions", args=[made.tournament.slug])


def programme(made: Event) -> str:
    return reverse("organise-programme", args=[made.tournament.slug])


def screen(made: Event) -> str:
    made.act(actions.add_screen, screen=uuid4(), name="Hall")
    return reverse("organise-screens", args=[made.tournament.slug])


# The page, a field of its form with two values for it, and another field with a value.
CASES: list[tuple[Callable[[Event], str], tuple[str, str, str], tuple[str, str]]] = [
    (details, ("place", "Oulu", "Turku"), ("description", "Bring\r\nfriends")),
    (player, ("contact", "040 1", "040 2"), ("club", "Noppa")),
    (own, ("contact", "040 1", "040 2"), ("club", "Noppa")),
    (stage, ("name", "First", "Second"), ("target", "300")),
    (registration, ("contact_person", "Outi", "Olli"), ("closes_at", "2026-05-08T18:00")),
    (questions, ("label_0_en", "Food", "Drink"), ("label_0_fi", "Ruoka")),
    (programme, ("players-{stage}", "12", "13"), ("starts_at-{stage}", "2026-05-09T12:00")),
    (screen, ("name", "Bar", "Door"), ("seconds", "20")),
]


@pytest.fixture
def planned_match() -> Event:
    return add_stage(event("tite-2022", players=4), "final", start=False)


@pytest.mark.parametrize(("find", "twice", "once"), CASES, ids=lambda one: getattr(one, "__name__", ""))
def test_two_people_with_the_same_form(
    find: Callable[[Event], str],
    twice: tuple[str, str, str],
    once: tuple[str, str],
    planned_match: Event,
) -> None:
    saved_by_two(planned_match, find, twice, once)


def saved_by_two(
    planned_match: Event,
    find: Callable[[Event], str],
    twice: tuple[str, str, str],
    once: tuple[str, str],
) -> None:
    """Both open the form of the page; one changes a field, and the other another and then the same field."""
    browser = Browser()
    browser.force_login(planned_match.user)
    (field, one, two), (other, value) = (
        [each.format(stage=planned_match.stage.uid) for each in case] for case in (twice, once)
    )
    page = find(planned_match)

    def form_in(answer: Any) -> tuple[str, dict[str, Any]]:
        forms = Forms(answer.content.decode()).forms
        form = next(form for form in forms if f"initial-{field}" in form["data"])
        return form["action"] or page, form["data"] | {"command": str(uuid4())}

    address, opened = form_in(browser.get(page))
    rows = LedgerRow.objects.count()
    answer = browser.post(address, opened)
    assert (answer.status_code, "saved" in answer["Location"]) == (303, False)
    assert LedgerRow.objects.count() == rows

    assert browser.post(address, opened | {"command": str(uuid4()), field: one}).status_code == 303
    assert browser.post(address, opened | {"command": str(uuid4()), other: value}).status_code == 303
    now = form_in(browser.get(page))[1]
    assert (now[f"initial-{field}"], now[other].split()) == (one, value.split())

    asked = browser.post(address, opened | {"command": str(uuid4()), field: two})
    assert asked.status_code == 422
    assert "Save again to keep yours." in asked.content.decode()
    assert form_in(asked)[1][field] == two
    assert browser.post(*form_in(asked)).status_code == 303
    assert form_in(browser.get(page))[1][f"initial-{field}"] == two


def test_what_nobody_set_up_yet_is_stored_as_it_is_shown(planned_match: Event) -> None:
    """The texts that the page of registration begins with are typed already."""
    made, browser = planned_match, Browser()
    browser.force_login(made.user)
    page = reverse("organise-registration", args=[made.tournament.slug])
    answer = browser.send(page, "/registration/", opened="1")
    assert answer.status_code == 303
    row = made.tournament.registration
    assert row.opened
    assert "equality plan" in row.safer_space
