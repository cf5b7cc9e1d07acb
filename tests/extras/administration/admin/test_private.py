"""What a page hides cannot be asked for by a filter, a search or the order of a list, and nothing that a list is asked
answers with an error of the server."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.test import Client

from tests.extras.administration.admin.conftest import models_of_tournaments
from tests.support.admin_forms import added, address
from tests.support.factories import Event, StaffFactory, UserFactory, event
from tournament.models import Entry, LedgerRow, Organiser, Player, Tournament, User

pytestmark = pytest.mark.django_db
MODELS = [*models_of_tournaments(), User]
HIDDEN = {"answers", "birth_date", "contact", "content", "digest", "password", "payload", "record", "secret"}
LOOKUPS = ("", "__exact", "__contains", "__startswith", "__regex", "__in", "__gte", "__isnull", "__has_key")
WRONG = ("x", "9" * 30, "\0(", "9999")
SOME = 5


def paths_to_hidden(model: Any, steps: int = 2) -> Iterator[str]:
    """The hidden fields of a model and of those that it leads to, as Django's lookups name them."""
    for field in model._meta.get_fields():
        if field.name in HIDDEN and not field.is_relation:
            yield field.name
        if field.is_relation and steps and field.related_model:
            yield from (f"{field.name}__{path}" for path in paths_to_hidden(field.related_model, steps - 1))


def people(made: Event) -> list[User]:
    """Staff without a role, an organiser, and a superuser."""
    return [StaffFactory(), made.user, UserFactory(is_staff=True, is_superuser=True)]


@pytest.mark.sweep
@pytest.mark.parametrize("model", MODELS)
def test_hidden_fields_are_neither_filtered_nor_searched_nor_sorted_by(
    model: Any, championship: Event
) -> None:
    shown = admin.site._registry[model]
    paths = list(paths_to_hidden(model))
    offered = {*shown.search_fields, *shown.list_display, *map(str, shown.list_filter)}
    assert not [path for path in paths if path in offered]
    for user in people(championship):
        client = Client()
        client.force_login(user)
        for index, path in enumerate(paths[:SOME]):
            asked = {f"{path}{LOOKUPS[index % len(LOOKUPS)]}": "a"}
            assert client.get(address(model, "changelist"), asked).status_code in {400, 403}, asked
        request = client.get(address(model, "changelist")).wsgi_request
        asked_all = [f"{path}{lookup}" for path in paths for lookup in LOOKUPS]
        assert not [each for each in asked_all if shown.lookup_allowed(each, "a", request)]


@pytest.mark.sweep
@pytest.mark.parametrize("model", MODELS)
def test_no_list_answers_with_an_error_of_the_server(
    model: Any, browser: Client, championship: Event
) -> None:
    shown: Any = admin.site._registry[model]
    names = [one if isinstance(one, str) else one[0] for one in shown.list_filter]
    asked = [
        {f"{name}{end}": wrong} for name in names for end in ("__exact", "__id__exact") for wrong in WRONG
    ]
    if day := shown.date_hierarchy:
        asked += [{f"{day}{end}": wrong} for end in ("__gte", "__year") for wrong in WRONG]
        asked += [
            {f"{day}__year": "2026", f"{day}__month": "13"},
            {f"{day}__year": "9999", f"{day}__month": "12"},
        ]
    asked += [{name: wrong} for name in ("q", "o", "p", "uid__regex") for wrong in WRONG]
    for query in asked:
        assert browser.get(address(model, "changelist"), query).status_code in {200, 302, 400}, query


def test_staff_found_no_event_under_an_organiser_that_they_do_not_run(championship: Event) -> None:
    """So that founding one shows them nothing of the organiser's players."""
    theirs, staff = championship.tournament.organiser, Client()
    staff.force_login(StaffFactory())
    form = staff.get(address(Tournament, "add")).context["adminform"].form
    assert list(form.fields["organiser"].queryset) == []
    asked = {"name": "Mine", "starts_on": "2027-05-01", "ruleset": "kpgut-2016", "organiser": theirs.pk}
    assert list(added(staff, Tournament, **asked).context["adminform"].form.errors) == ["organiser"]
    assert Organiser.objects.get(pk=theirs.pk).tournaments.filter(name="Mine").count() == 0
    own = added(staff, Tournament, **asked | {"organiser": "", "organiser_name": "Ours", "listed": "on"})
    assert own.status_code == 302
    assert not staff.get(address(Player, "changelist")).context["cl"].result_count
    runs = Client()
    runs.force_login(championship.user)
    assert list(
        runs.get(address(Tournament, "add")).context["adminform"].form.fields["organiser"].queryset
    ) == [theirs]


def test_the_own_links_of_a_list_still_filter(browser: Client, championship: Event) -> None:
    other = event("tite-2022", players=2)
    rows = browser.get(address(Entry, "changelist"), {"tournament__id__exact": other.tournament.pk})
    assert {row.tournament for row in rows.context["cl"].result_list} == {other.tournament}
    day = championship.tournament.starts_on
    dated = browser.get(
        address(Tournament, "changelist"), {"starts_on__year": day.year, "starts_on__month": day.month}
    )
    assert dated.context["cl"].result_count
    acted = browser.get(address(LedgerRow, "changelist"), {"action__exact": "void_play"})
    assert acted.context["cl"].result_count == 1
