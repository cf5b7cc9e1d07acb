"""The calls that wait for a referee, the longest first, and whose they are."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests.support.arriving import by_link
from tests.support.factories import Event, StaffFactory, UserFactory, running_match
from tournament import actions
from tournament.links import token_for
from tournament.models import Call, Membership, Tournament
from tournament.pages.calls import call_lines, headed_by, queue_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Event:
    return running_match(players=6, tables=2)


def test_calls_say_who_called_where_since_when_in_two_queries(
    match: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    first, second = match.tables
    match.act(actions.call_referee, table=first.uid)
    by_link(match, actions.call_at_table, token=token_for("table", second.uid))
    Call.objects.filter(table=second).update(at=timezone.now() - timedelta(minutes=5))
    with django_assert_num_queries(2):
        later, sooner = call_lines(Call.objects.all())
    assert (later.title, later.minutes, later.url) == (
        "Match, table 2",
        5,
        reverse("table", args=[second.uid]),
    )
    assert (sooner.title, sooner.minutes, sooner.who) == ("Match, table 1", 0, match.user.display_name())
    assert {later.what, sooner.what} == {"is calling the head referee"}
    assert {later.event, sooner.event} == {match.tournament.name}


def test_events_are_headed_by_organisers_head_referees_and_staff(match: Event) -> None:
    head = match.referee()
    at_table = match.referee(Membership.Role.TABLE_REFEREE)
    for user, headed in ((head, [match.tournament]), (at_table, []), (UserFactory(), [])):
        assert list(headed_by(user)) == headed
    assert match.tournament in headed_by(StaffFactory())
    Tournament.objects.update(state=Tournament.State.FINISHED)
    assert list(headed_by(head)) == []


def test_queue_goes_by_the_one_event_or_by_all_of_them(match: Event) -> None:
    head = match.referee()
    assert queue_of(UserFactory()) == {}
    match.act(actions.call_referee, table=match.table.uid)
    queue = queue_of(head)
    assert (len(queue["calls"]), queue["several"], queue["scope"]) == (1, False, str(match.tournament.uid))
    assert queue["version"] == match.refresh().tournament.version
    other = running_match()
    Membership.objects.create(tournament=other.tournament, user=head, role=Membership.Role.HEAD_REFEREE)
    both = queue_of(head)
    assert (both["several"], both["scope"]) == (True, "site")
