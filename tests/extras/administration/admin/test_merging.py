"""Two admins at one form: an unchanged form writes nothing, each keeps what the other changed, and what both changed is
asked about."""

from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from tests.support.admin_forms import address, changed, form_data
from tests.support.factories import Event, UserFactory
from tournament.extras.administration.admin.base import ActionAdmin
from tournament.models import Entry, Final, LedgerRow, Stage, Tournament, User

pytestmark = pytest.mark.django_db
NOTHING = "Nothing was changed."
CHANGED = [
    model
    for model, shown in admin.site._registry.items()
    if model is User or (isinstance(shown, ActionAdmin) and shown.change_action)
]
# For models with a form: a field that the first admin changes, and another one that the second changes.
TWO: list[tuple[Any, dict[str, Any], dict[str, Any]]] = [
    (Tournament, {"place": "Oulu"}, {"name": "Autumn"}),
    (Entry, {"contact": "040", "birth_date": "1990-01-31"}, {"club": "Noppa"}),
    (Final, {"name": "Last"}, {"target": "400"}),
    (User, {"first_name": "Outi"}, {"last_name": "Ojala"}),
]


def row_of(model: Any, championship: Event) -> Any:
    if model is Final:
        Stage.objects.filter(pk=championship.stage.pk).update(state="planned")
    return UserFactory() if model is User else model._default_manager.last()


def stored(row: Any) -> dict[str, Any]:
    """What the row's form shows now, private fields included."""
    browser = Client()
    browser.force_login(UserFactory(is_staff=True, is_superuser=True))
    shown = form_data(browser.get(address(type(row), "change", row.pk)))
    return {name: value for name, value in shown.items() if name != "command"}


@pytest.mark.parametrize("model", CHANGED)
def test_a_form_sent_unchanged_writes_nothing(model: Any, browser: Client, championship: Event) -> None:
    row = model._default_manager.last()
    before, rows = stored(row), LedgerRow.objects.count()
    answer = browser.post(
        address(model, "change", row.pk),
        form_data(browser.get(address(model, "change", row.pk))),
        follow=True,
    )
    assert [str(message) for message in answer.context["messages"]] == [NOTHING]
    assert (stored(row), LedgerRow.objects.count()) == (before, rows)


@pytest.mark.parametrize(("model", "first", "second"), TWO, ids=lambda one: getattr(one, "__name__", ""))
def test_two_admins_keep_what_the_other_changed_and_are_asked_about_the_same_field(
    model: Any, first: dict[str, Any], second: dict[str, Any], browser: Client, championship: Event
) -> None:
    row = row_of(model, championship)
    page = address(model, "change", row.pk)
    opened = form_data(browser.get(page))
    assert changed(browser, row, **first).status_code == 302
    old = {**opened, "command": form_data(browser.get(page)).get("command", "")}
    assert browser.post(page, old | second).status_code == 302
    now = stored(row)
    assert {name: str(now[name]) for name in first | second} == first | second
    field, value = next(iter(first.items()))
    asked = browser.post(page, opened | {field: f"{value}!" if field != "birth_date" else ""})
    assert f"Somebody has changed this to “{value}” meanwhile." in asked.content.decode()
    assert str(stored(row)[field]) == value
    assert browser.post(page, form_data(asked)).status_code == 302
    assert stored(row)[field] == f"{value}!"


def test_a_program_that_names_one_field_leaves_the_others(browser: Client, championship: Event) -> None:
    row, before = championship.tournament, stored(championship.tournament)
    page = address(Tournament, "change", row.pk)
    command = form_data(browser.get(page))["command"]
    assert browser.post(page, {"command": command, "place": "Oulu"}).status_code == 302
    after = stored(row)
    assert {name for name in after if after[name] != before.get(name)} == {"place", "initial-place"}


def test_a_form_that_was_accepted_is_accepted_again_though_another_came_after(
    browser: Client, championship: Event
) -> None:
    page = address(Tournament, "change", championship.tournament.pk)
    sent = form_data(browser.get(page)) | {"place": "Oulu"}
    assert browser.post(page, sent).status_code == 302
    assert changed(browser, championship.tournament, place="Turku").status_code == 302
    rows = LedgerRow.objects.count()
    assert browser.post(page, sent).status_code in {200, 302}
    assert (stored(championship.tournament)["place"], LedgerRow.objects.count()) == ("Turku", rows)


def test_history_tells_what_the_ledger_says_of_the_row(browser: Client, championship: Event) -> None:
    entry = championship.entries[0]
    assert changed(browser, entry, club="Noppa").status_code == 302
    pages: dict[Any, tuple[str, ...]] = {
        entry: ("changed a player’s details", "added players"),
        championship.stage: ("started a stage",),
        championship.tournament: ("created the event", "changed a player’s details"),
        entry.results.first(): ("entered",),
    }
    for row, said in pages.items():
        html = browser.get(
            reverse(f"admin:tournament_{row._meta.model_name}_history", args=[row.pk])
        ).content.decode()
        assert [words for words in said if words not in html] == [], row
        assert "change history" not in html.split("<h1>")[-1]
