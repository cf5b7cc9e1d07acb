"""Incidents in words, and how often somebody was warned."""

from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from tests.support.factories import Event, running_session
from tournament import actions
from tournament.models import Incident
from tournament.queries.incidents import Tally, lines_of, tallies

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("tally", "text"),
    [
        (Tally(), ""),
        (Tally(1, 0), "1 warning"),
        (Tally(0, 2), "2 penalties"),
        (Tally(2, 1), "2 warnings, 1 penalty"),
    ],
)
def test_a_tally_is_worded(tally: Tally, text: str) -> None:
    assert tally.text == text


def noted(made: Event, kind: str, player: UUID | None, **more: object) -> Incident:
    facts = {
        "uid": uuid4(),
        "tournament": made.tournament,
        "kind": kind,
        "entry": next((entry for entry in made.entries if entry.uid == player), None),
        "by": made.user,
        "at": timezone.now(),
    }
    return Incident.objects.create(**facts | more)


def test_warnings_and_penalties_are_counted_but_for_those_withdrawn() -> None:
    made = running_session(players=3)
    one, two, three = made.uids
    for kind, player in (("warning", one), ("warning", one), ("penalty", one), ("penalty", two)):
        noted(made, kind, player)
    noted(made, "warning", three, withdrawn=True)
    noted(made, "ruling", three)
    assert tallies(made.tournament) == {str(one): Tally(2, 1), str(two): Tally(0, 1)}
    assert tallies(made.tournament, [two, three]) == {str(two): Tally(0, 1)}


def test_penalty_of_a_spectator_is_none_of_the_player_they_helped() -> None:
    made = running_session(players=2)
    noted(made, "penalty", made.uids[0], code="helped_by_spectator")
    noted(made, "penalty", made.uids[1], code="helped")
    assert tallies(made.tournament) == {str(made.uids[1]): Tally(0, 1)}


def test_lines_say_what_happened_where_and_what_the_sheet_says() -> None:
    made = running_session(players=3)
    known = noted(made, "penalty", made.uids[0], code="uno_not_said", cards=2, table=made.table)
    gone = noted(made, "penalty", None, code="of an older sheet")
    vote = noted(made, "dispute", None, yes=True, votes_yes=3, votes_no=1)
    tie = noted(made, "dispute", None, yes=False, votes_yes=1, votes_no=1, decided="oldest")
    lines = {line.uid: line for line in lines_of(made.tournament, Incident.objects.all())}
    assert list(lines) == [tie.uid, vote.uid, gone.uid, known.uid]
    first = lines[known.uid]
    assert (first.title, first.player, first.cards, first.open) == ("“Uno” not said", "Aino", 2, True)
    assert first.rule.startswith("The player draws 2 cards")
    assert first.where.endswith("table 1")
    assert first.says("aino")
    assert not first.says("nobody")
    assert (lines[gone.uid].title, lines[gone.uid].rule) == ("Something else", "")
    assert (lines[gone.uid].where, lines[gone.uid].player) == ("The whole event", "")
    assert lines[vote.uid].answer == "Yes (3 for yes, 1 for no)"
    assert lines[tie.uid].answer == "No, decided by the oldest player (1 for yes, 1 for no)"


def test_an_ejection_is_not_withdrawn_as_such() -> None:
    made = running_session(players=3)
    noted(made, "ejection", made.uids[0])
    noted(made, "warning", made.uids[1], withdrawn=True)
    assert [line.open for line in lines_of(made.tournament, Incident.objects.all())] == [False, False]


def test_of_another_event_nothing_is_read() -> None:
    made = running_session(players=3)
    noted(made, "warning", made.uids[0])
    other = running_session(players=3).tournament
    assert lines_of(other, Incident.objects.all()) == []
    assert tallies(other) == {}


def test_a_referee_counts_a_warning_by_the_action() -> None:
    made = running_session(players=3)
    made.act(
        actions.warn_player,
        incident=uuid4(),
        table=made.table.uid,
        entry=made.uids[0],
        text="Threw the cards.",
    )
    assert tallies(made.tournament) == {str(made.uids[0]): Tally(1, 0)}
