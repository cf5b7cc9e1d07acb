"""Hands, numbers and outcomes from a device are refused at their place if they are wrong; nothing else is ever raised,
and nothing that was accepted leaves the ledger and the facts apart."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.django import TestCase

from tests.depth import examples
from tests.support.factories import Event, running_heats, running_match, running_session, started_game
from tournament import actions
from tournament.ledger.verify import verify
from tournament.models import LedgerRow, Play
from tournament.results.faults import Refused

pytestmark = pytest.mark.django_db

ODD = st.sampled_from(
    [
        None,
        True,
        False,
        0,
        -1,
        1,
        2**31,
        10**40,
        1.0,
        float("nan"),
        float("inf"),
        "",
        "1",
        "\x00",
        "\ud800",
        "🃏",
    ]
)
CARDS = st.sampled_from(["7", "draw2", "wild", "custom", "0", "jack", "", "\x00", "a/b~c", "٣"])
JSON = st.recursive(
    ODD | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(CARDS | st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)
HANDS = st.dictionaries(CARDS, ODD | JSON, max_size=3) | JSON


def keys(made: Event) -> st.SearchStrategy[str]:
    """A player's uid, in this or another writing, somebody else's, and what is none."""
    uid = str(made.uids[1])
    return st.sampled_from([uid, uid.upper(), uid.replace("-", ""), f"{{{uid}}}", str(UUID(int=7)), "p1", ""])


class TestHostile(TestCase):
    """Each example is rolled back by itself."""

    def send(self, made: Event, action: Any, **arguments: Any) -> None:
        """Send it: accepted with facts and ledger that agree, or refused with nothing stored."""
        before = LedgerRow.objects.count()
        try:
            made.act(action, **arguments)
        except Refused:
            assert LedgerRow.objects.count() == before
        made.tournament.refresh_from_db()
        assert verify(made.tournament) == []

    @examples(25)
    @given(data=st.data())
    def test_record_round(self, data: st.DataObject) -> None:
        made = running_match(players=3)
        first, second, third = made.uids
        sound = {str(second): {"7": 1}, str(third): {"3": 2}}
        arguments: dict[str, Any] = {"winner": first, "hands": sound, "number": 1}
        ids = st.lists(st.sampled_from([first, second, uuid4(), "p1", None, 3]), max_size=2) | JSON
        odd = {
            "number": JSON,
            "winner": JSON,
            "hands": st.dictionaries(keys(made), HANDS, max_size=3) | JSON,
            "last_cards": HANDS,
            "drew": JSON | st.sampled_from([first, second, uuid4()]),
            "removed": ids,
            "withdrawn": ids,
            "emptied": ids,
        }
        for name in data.draw(st.sets(st.sampled_from(sorted(odd)), min_size=1, max_size=2)):
            arguments[name] = data.draw(odd[name], label=name)
        self.send(made, actions.record_round, table=made.table.uid, play=uuid4(), **arguments)

    def test_winner_that_is_no_id(self) -> None:
        made = running_match(players=2)
        arguments = {"winner": [], "hands": {str(made.uids[0]): {"7": 1}}, "number": 1}
        self.send(made, actions.record_round, table=made.table.uid, play=uuid4(), **arguments)

    @examples(25)
    @given(data=st.data())
    def test_record_game(self, data: st.DataObject) -> None:
        made = running_session(players=3)
        rows = [
            {"entry": made.uids[0], "outcome": "out", "elapsed_s": 60},
            {"entry": made.uids[1], "outcome": "remaining", "hand": {"7": 1}},
            {"entry": made.uids[2], "outcome": "gave_up"},
        ]
        row = data.draw(st.sampled_from(rows))
        row[data.draw(st.sampled_from(["entry", "outcome", "elapsed_s", "hand"]))] = data.draw(
            HANDS | st.sampled_from(["void", "playing", "won", made.uids[0]])
        )
        arguments: dict[str, Any] = {"number": 1, "ended": "early", "results": rows}
        odd = {
            "number": JSON,
            "ended": JSON | st.just("void"),
            "duration_s": JSON,
            "decks": JSON,
            "results": JSON,
        }
        for name in data.draw(st.sets(st.sampled_from(sorted(odd)), max_size=1)):
            arguments[name] = data.draw(odd[name], label=name)
        self.send(made, actions.record_game, table=made.table.uid, play=uuid4(), **arguments)

    @examples(20)
    @given(data=st.data())
    def test_a_running_game(self, data: st.DataObject) -> None:
        made = running_session(players=3)
        play = uuid4()
        odd: Any = {
            "number": st.just(1) | JSON,
            "decks": JSON,
            "elapsed_s": st.just(9) | JSON,
            "entries": st.just(made.uids) | JSON,
        }
        start = {name: data.draw(what, label=name) for name, what in odd.items()}
        self.send(made, actions.start_game, table=made.table.uid, play=play, **start)
        if not Play.objects.filter(uid=play).exists():
            play = started_game(made, elapsed_s=100)
        self.send(made, actions.record_out, play=play, entry=made.uids[0], elapsed_s=data.draw(JSON))
        self.send(
            made,
            actions.end_game,
            play=play,
            version=Play.objects.get(uid=play).version,
            ended=data.draw(st.sampled_from(["time", "early", "last", "void"]) | JSON),
            hands=data.draw(st.dictionaries(keys(made), HANDS, max_size=3) | JSON),
            elapsed_s=data.draw(JSON),
        )

    @examples(20)
    @given(data=st.data())
    def test_record_heat(self, data: st.DataObject) -> None:
        made = running_heats(players=3, tables=1)
        arguments: dict[str, Any] = {"number": 1, "finish_order": made.uids[:1]}
        ids = st.lists(st.sampled_from([*made.uids, uuid4(), "p1", None]), max_size=3) | JSON
        odd = {"number": JSON, "finish_order": ids, "removed": ids, "withdrawn": ids, "advance": JSON}
        for name in data.draw(st.sets(st.sampled_from(sorted(odd)), min_size=1, max_size=2)):
            arguments[name] = data.draw(odd[name], label=name)
        self.send(made, actions.record_heat, table=made.table.uid, play=uuid4(), **arguments)


@pytest.mark.parametrize("count", ["1", 1.0, True, "", None, [], {}, -1, 10**40, float("nan")])
def test_a_hand_that_counts_no_whole_number_is_refused_at_the_card(count: Any) -> None:
    made = running_match(players=2)
    winner, other = made.uids
    with pytest.raises(Refused) as refused:
        made.act(
            actions.record_round,
            table=made.table.uid,
            play=uuid4(),
            number=1,
            winner=winner,
            hands={str(other): {"3": 1, "7": count}},
        )
    assert {fault.path for fault in refused.value.faults} == {f"/hands/{other}/7"}


def test_none_of_a_card_is_no_card_but_must_be_a_card() -> None:
    made = running_match(players=2)
    winner, other = made.uids
    play = uuid4()
    arguments = {"table": made.table.uid, "play": play, "number": 1, "winner": winner}
    with pytest.raises(Refused) as refused:
        made.act(actions.record_round, **arguments, hands={str(other): {"7": 1, "jack": 0}})
    assert [fault.code for fault in refused.value.faults] == ["unknown_card"]
    made.act(actions.record_round, **arguments, hands={str(other): {"7": 1, "wild": 0}}, last_cards={"3": 0})
    stored = made.play(play)
    assert (stored.last_cards, [row.hand for row in stored.results.all()]) == ({}, [{}, {"7": 1}])


def test_one_player_in_two_writings_is_refused() -> None:
    made = running_match(players=2)
    winner, other = made.uids
    hands = {str(other): {"7": 1}, str(other).upper(): {"7": 2}}
    with pytest.raises(Refused) as refused:
        made.act(
            actions.record_round, table=made.table.uid, play=uuid4(), number=1, winner=winner, hands=hands
        )
    assert [(fault.code, fault.path) for fault in refused.value.faults] == [
        ("duplicate_player", f"/hands/{other}")
    ]


def test_ending_a_game_as_void_or_with_the_hand_of_a_stranger_is_refused() -> None:
    made = running_session(players=3)
    play = started_game(made)
    version = made.play(play).version
    stranger = uuid4()
    hands = {str(uid): {"7": 1} for uid in [*made.uids, stranger]}
    with pytest.raises(Refused) as refused:
        made.act(actions.end_game, play=play, version=version, ended="void", hands=hands)
    assert [(fault.code, fault.path) for fault in refused.value.faults] == [
        ("malformed", "/ended"),
        ("unknown_player", f"/hands/{stranger}"),
    ]
