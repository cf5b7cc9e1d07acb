"""The admin: everything can be looked at, rows that have an action are changed through it, nothing else changes
anything."""

import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.options import ModelAdmin
from django.test import Client
from django.utils.functional import Promise

from tests.depth import FULL
from tests.extras.administration.admin.conftest import models_of_tournaments
from tests.support.admin_forms import address, changed, form_data
from tests.support.factories import Event, StaffFactory, UserFactory, running_match
from tournament import actions
from tournament.extras.administration.admin.base import ActionAdmin
from tournament.models import (
    Apart,
    Ask,
    Draw,
    Entry,
    LedgerRow,
    Logo,
    Match,
    Player,
    Stage,
    Typing,
    User,
    WrongTries,
)
from tournament.permissions import may

pytestmark = pytest.mark.django_db
MODELS = models_of_tournaments()
SOME = 4
Facts = Callable[[], dict[Any, Any]]


def test_every_model_of_ours_is_registered() -> None:
    models = set(apps.get_app_config("tournament").get_models())
    # Typing and requests to join a table are no facts, and gone in minutes; wrong tries are keyed digests,
    # which tell nobody anything; a logo is only a picture, which the event's own pages show.
    assert models - {Ask, Typing, WrongTries, Logo} <= set(admin.site._registry)


def test_what_an_admin_reads_is_in_their_language() -> None:
    spoken = {
        f"{model.__name__}.{field.name}": isinstance(field.verbose_name, Promise)
        for model, page in admin.site._registry.items()
        if model._meta.app_label == "tournament"
        for field in model._meta.fields
        if field.name in {*page.list_display, *page.readonly_fields, *(page.fields or ())} - {"uid", "id"}
    }
    assert len(spoken) > 100
    assert [name for name, word in spoken.items() if not word] == []


@pytest.mark.parametrize(
    ("model", "title"), [(User, "Käyttäjä"), (Entry, "Osallistuja"), (Match, "Ottelu")], ids=str
)
def test_a_title_is_the_bare_noun_that_needs_no_inflection(model: Any, title: str, browser: Client) -> None:
    running_match(players=2)
    row = model._default_manager.first()
    page = browser.get(address(model, "change", row.pk).replace("/en/", "/fi/")).content.decode()
    assert re.findall(r"<h1>(.*?)</h1>", page) == [title]


def test_the_buttons_of_a_kind_name_it(browser: Client) -> None:
    page = browser.get(address(Match, "changelist").replace("/en/", "/fi/")).content.decode()
    assert "Aloita valitut ottelut" in page
    assert "Päätä valitut ottelut" in page


@pytest.mark.parametrize("model", [*MODELS, User])
@pytest.mark.sweep
def test_no_way_to_write_in_bulk_or_inline(model: Any, browser: Client) -> None:
    shown = admin.site._registry[model]
    assert not shown.list_editable
    assert not shown.inlines
    request = browser.get(address(model, "changelist")).wsgi_request
    assert "delete_selected" not in shown.get_actions(request)


@pytest.mark.sweep
@pytest.mark.parametrize("model", MODELS)
def test_every_page_opens(model: Any, browser: Client, championship: Event) -> None:
    """The list with a search and each filter, a row, its history, by the name, mark and colours of the rest."""
    shown: ModelAdmin[Any] = admin.site._registry[model]
    row = model._default_manager.first()
    assert row is not None
    assert shown.list_filter or model.__name__ == "Organiser"
    assert shown.search_fields
    for query in ("", "?q=a", "?q=%00%F0%9F%8E%89", "?o=1.-2", "?p=99"):
        assert browser.get(address(model, "changelist") + query).status_code in {200, 302}
    page = browser.get(address(model, "change", row.pk))
    assert page.status_code == 200
    assert all(look in page.content for look in (b"lastcard/admin.", b"wordmark__mark"))
    assert browser.get(address(model, "history", row.pk)).status_code == 200
    assert browser.get(address(model, "change", "none")).status_code == 302
    assert browser.get(address(model, "delete", row.pk)).status_code in {200, 403}
    assert browser.get(address(model, "add")).status_code in {200, 403}


@pytest.mark.sweep
@pytest.mark.parametrize("model", MODELS)
def test_no_post_changes_a_fact_without_a_ledger_row(
    model: Any, browser: Client, championship: Event, all_facts: Facts
) -> None:
    """Save, change, add and delete every row of every model by every address the admin has; outside of a soak at most
    some rows of each."""
    before, rows = all_facts(), LedgerRow.objects.count()
    all_rows = list(model._default_manager.all())
    for row in all_rows if FULL else all_rows[:: len(all_rows) // SOME + 1]:
        for page in ("change", "delete"):
            shown = browser.get(address(model, page, row.pk))
            data = {"post": "yes"}
            if page == "change" and shown.context.get("adminform"):
                data = {
                    key: f"{value}9" if key == "name" else value for key, value in form_data(shown).items()
                }
                data.setdefault("state", "finished")
                data.setdefault("number", "77")
            answer = browser.post(address(model, page, row.pk), data)
            assert answer.status_code in {200, 302, 403}
            after, recorded = all_facts(), LedgerRow.objects.count()
            assert after == before or recorded == rows + 1
            before, rows = after, recorded
    everything = {"_selected_action": [row.pk for row in model._default_manager.all()], "post": "yes"}
    browser.post(address(model, "changelist"), {**everything, "action": "delete_selected"})
    assert (all_facts(), LedgerRow.objects.count()) == (before, rows)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.sweep
def test_without_an_action_a_model_is_read_only(model: Any, browser: Client, championship: Event) -> None:
    shown: Any = admin.site._registry[model]
    row = model._default_manager.first()
    writes = isinstance(shown, ActionAdmin)
    change = browser.post(address(model, "change", row.pk), {}).status_code
    assert (change == 403) is not (writes and bool(shown.change_action))
    delete = browser.post(address(model, "delete", row.pk), {}).status_code
    assert (delete == 403) is not (writes and bool(shown.delete_action))
    assert (browser.post(address(model, "add"), {}).status_code == 403) is not (
        writes and bool(shown.add_form)
    )


def test_refused_action_is_said_at_its_field_and_stores_nothing(
    browser: Client, championship: Event, all_facts: Facts
) -> None:
    planned = uuid4()
    championship.act(actions.plan_stage, stage=planned, kind="final")
    before = all_facts()
    answer = changed(browser, Stage.objects.get(uid=planned), target="90")
    assert answer.status_code == 200
    assert "from 250 to 500" in str(answer.context["adminform"].form.errors)
    assert all_facts() == before


@pytest.mark.parametrize("key", ["x", "²", "9" * 30])
def test_selection_of_what_is_no_row_is_refused(key: str, browser: Client, championship: Event) -> None:
    sent = {"_selected_action": [championship.stage.pk, key], "action": "finish", "sure": "Finish"}
    assert browser.post(address(Stage, "changelist"), sent).status_code == 400
    championship.stage.refresh_from_db()
    assert championship.stage.state == "running"


def test_saving_the_same_form_twice_is_one_ledger_row(browser: Client, championship: Event) -> None:
    page = browser.get(address(Entry, "add"))
    data = form_data(page) | {"tournament": championship.tournament.pk, "public_name": "Once"}
    for _time in range(2):
        assert browser.post(address(Entry, "add"), data).status_code == 302
    assert Entry.objects.filter(public_name="Once").count() == 1


def test_user_in_a_ledger_is_not_deleted(browser: Client, championship: Event) -> None:
    answer = browser.post(address(User, "delete", championship.user.pk), {"post": "yes"})
    assert answer.status_code in {200, 403}
    assert User.objects.filter(pk=championship.user.pk).exists()


def test_user_is_added_and_changed(browser: Client) -> None:
    answer = browser.post(
        address(User, "add"),
        {
            "username": "new",
            "usable_password": "true",
            "password1": "a long one 42",
            "password2": "a long one 42",
        },
    )
    assert answer.status_code == 302
    person = User.objects.get(username="new")
    assert browser.get(address(User, "change", person.pk)).status_code == 200


def test_the_form_of_a_user_says_what_staff_may_do(browser: Client) -> None:
    staff, made = StaffFactory(), running_match(players=2)
    page = browser.get(address(User, "change", staff.pk)).content.decode()
    assert "see every event and referee all of them as a head referee" in page
    assert "user_permissions" not in page
    assert may(staff, "record_round", made.tournament)
    assert not may(staff, "edit_tournament", made.tournament)


def test_the_last_superuser_stays_one(browser: Client, superuser: User) -> None:
    for field in ("is_superuser", "is_active"):
        data = form_data(browser.get(address(User, "change", superuser.pk)))
        answer = browser.post(address(User, "change", superuser.pk), {**data, field: "False"})
        assert list(answer.context["adminform"].form.errors) == [field]
    assert browser.post(address(User, "delete", superuser.pk), {"post": "yes"}).status_code == 403
    other = UserFactory(is_staff=True, is_superuser=True)
    assert changed(browser, other, is_superuser="False").status_code == 302
    other.refresh_from_db()
    assert not other.is_superuser


def test_an_account_that_was_deactivated_comes_back_without_its_sessions(browser: Client) -> None:
    referee, phone, others = UserFactory(), Client(), Client()
    phone.force_login(referee)
    others.force_login(UserFactory())
    assert changed(browser, referee, is_active="False").status_code == 302
    assert changed(browser, referee, is_active="on").status_code == 302
    assert [client.get("/en/organise/").status_code for client in (phone, others)] == [302, 200]


def test_staff_without_a_role_may_look_but_not_change(championship: Event) -> None:
    client = Client()
    client.force_login(StaffFactory())
    entry = championship.entries[0]
    page = client.get(address(Entry, "change", entry.pk))
    assert page.status_code == 200
    assert b"birth_date" not in page.content
    assert client.post(address(Entry, "change", entry.pk), {"public_name": "X"}).status_code == 403
    assert client.post(address(Entry, "delete", entry.pk), {"post": "yes"}).status_code == 403
    assert not client.get(address(Player, "changelist")).context["cl"].result_count
    assert client.get(address(User, "changelist")).status_code == 403


def test_who_is_kept_apart_is_seen_by_those_who_run_the_event_only(championship: Event) -> None:
    first, second = championship.uids[2:4]
    sequence = championship.act(actions.keep_apart, first=first, second=second).sequence
    row = LedgerRow.objects.get(tournament=championship.tournament, sequence=sequence)
    draw = Draw.objects.create(
        stage=championship.stage, number=9, record={"apart": [[str(first), str(second)]]}
    )
    pages = [
        address(LedgerRow, "change", row.pk),
        address(Draw, "change", draw.pk),
        address(Apart, "change", Apart.objects.get(first__uid=first).pk),
    ]
    for user, sees in ((StaffFactory(), False), (championship.user, True)):
        client = Client()
        client.force_login(user)
        for page in pages:
            answer = client.get(page, follow=True)
            there = str(first) in answer.content.decode() or "Cécile" in answer.content.decode()
            assert (answer.status_code, there) == (200, sees), page


def test_staff_who_organise_may_change(championship: Event) -> None:
    client = Client()
    client.force_login(championship.user)
    assert changed(client, championship.entries[0], public_name="Renamed").status_code == 302
    assert championship.refresh().entries[0].public_name == "Renamed"


def test_others_are_sent_to_the_sign_in(championship: Event) -> None:
    client = Client()
    client.force_login(UserFactory())
    assert client.get(address(Entry, "changelist")).status_code == 302
