"""What hardly ever happens to rows that hang together: taken away with a table, put back, merged, or not there."""

from uuid import uuid4

import pytest

from tests.actions.asking import refusal
from tests.factories import add_stage, event, running_match
from tournament import actions
from tournament.ledger.verify import verify
from tournament.models import Apart, Entry, Player

pytestmark = pytest.mark.django_db


def test_merged_entries_keep_one_wish_to_sit_apart_from_each_other_player() -> None:
    made = event(players=4)
    a, b, c, d = made.uids
    for first, second in [(a, b), (b, c), (a, c), (d, b)]:
        made.act(actions.keep_apart, first=first, second=second)
    made.act(actions.merge_entries, keep=a, other=b)
    pairs = {frozenset(pair) for pair in Apart.objects.values_list("first__uid", "second__uid")}
    assert pairs == {frozenset({a, c}), frozenset({a, d})}
    made.tournament.refresh_from_db()
    assert verify(made.tournament) == []


def test_an_entry_that_is_another_known_person_leaves_nobody_behind() -> None:
    made = event(players=2)
    first, _ = made.entries
    player = Player.objects.create(name="Known", organiser=made.tournament.organiser)
    made.act(actions.same_person, entry=first.uid, player=player.uid)
    assert Entry.objects.get(pk=first.pk).player == player
    assert not Player.objects.filter(pk=first.player_id).exists()
    made.tournament.refresh_from_db()
    assert verify(made.tournament) == []


def test_a_copy_of_an_event_without_players_enters_nobody() -> None:
    made = event()
    add_stage(made, "match", tables=0, start=False)
    command = actions.Command(uuid4(), made.user)
    day = made.tournament.starts_on
    actions.copy_event(command, made.tournament.uid, name="Again", starts_on=day, players=True, roles=False)
    assert not Entry.objects.filter(tournament__uid=command.id).exists()


def test_somebody_of_another_event_has_no_hand() -> None:
    made, other = running_match(players=3), event(players=1)
    winner = made.at(made.table)[0]
    asked = {"table": made.table.uid, "play": uuid4(), "number": 1, "winner": winner}
    assert (
        refusal(made, actions.record_round, hands={str(other.uids[0]): {"0": 1}}, **asked)[0][0]
        == "unknown_player"
    )
