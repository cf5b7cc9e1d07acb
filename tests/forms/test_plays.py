"""A whole play as a form: a new one, or a stored one that is corrected."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID, uuid4

import pytest

from rulesets import RULESETS
from tests.support.factories import (
    Event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tournament import actions
from tournament.forms.plays import PLAY_FORMS, GameForm, HeatForm, PlayForm, RoundForm, by_text, cards_in_play
from tournament.models import Play, Table
from tournament.results.answer import stage_contests
from tournament.results.bridge import Contest
from tournament.results.facts import PlayFacts, plays_in
from tournament.results.given import GameEntry, HeatEntry, RoundEntry

pytestmark = pytest.mark.django_db


@dataclass
class Scene:
    """The facts about a table that a form needs."""

    table: Table
    contest: Contest
    next_number: int = 1


def form_of(
    made: Event, data: Mapping[str, str] | None = None, play: UUID | PlayFacts | None = None
) -> PlayForm:
    """The form of the stage's kind at the first table, for a correction of the play."""
    contest = next(each for each in stage_contests(made.stage) if made.table.uid in each.table_numbers)
    current = plays_in(Play.objects.filter(uid=play))[0] if isinstance(play, UUID) else play
    return PLAY_FORMS[made.stage.kind](Scene(made.table, contest, 7), current, data or {})


def test_each_kind_has_its_form() -> None:
    forms = [type(form_of(made)) for made in (running_match(players=2), running_heats(), running_session())]
    assert forms == [RoundForm, HeatForm, GameForm]


def test_round_is_read_from_the_pad() -> None:
    made = running_match(players=3)
    one, two, three = made.at(made.table)
    form = form_of(made, {"winner": str(one), f"hand-{two}-7": "2", f"hand-{three}-skip": "1"})
    assert isinstance(form.entry, RoundEntry)
    assert form.typed.faults == []
    assert (form.number, form.entry.winner, form.entry.hands[str(two)]) == (7, one, {"7": 2})
    assert len(form.settled(form.entry).answer.rounds) == 1
    assert not Play.objects.exists()


def test_new_play_keeps_the_uid_and_number_of_its_form() -> None:
    uid = "77777777-0000-4000-8000-000000000001"
    form = form_of(running_match(players=2), {"play": uid, "number": "3"})
    assert (str(form.play), form.number) == (uid, 3)


def test_correction_begins_with_what_is_stored_and_needs_a_reason() -> None:
    made = running_match(players=2)
    play = recorded_round(made)
    form = form_of(made, play=play)
    assert form.entry
    assert [fault.code for fault in form.typed.faults] == ["missing_reason"]
    assert (form.play, form.number) == (play, 1)
    corrected = form_of(made, {"version": "1", "winner": form.data["winner"], "reason": "misread"}, play)
    assert (corrected.reason, "missing_reason" in [fault.code for fault in corrected.typed.faults or ()]) == (
        "misread",
        False,
    )
    again = form_of(made, dict(form.data) | {"reason": "misread"}, play)
    assert again.settled(again.entry)


def test_who_is_out_of_a_match_plays_no_later_round() -> None:
    made = running_match(players=3)
    recorded_round(made)
    gone = made.at(made.table)[2]
    made.act(actions.player_leaves, entry=gone, reason="last bus")
    form = form_of(made, {"number": "3"})
    assert isinstance(form, RoundForm)
    assert gone not in form.players
    first = form_of(made, {"number": "2"})
    assert isinstance(first, RoundForm)
    assert (gone in first.players, first.rules == form.rules) == (False, True)
    kept = form_of(made, {"number": "2", f"hand-{gone}-7": "1"})  # on a phone, since before the player left
    assert isinstance(kept, RoundForm)
    assert gone in kept.players


def test_heat_is_read_in_the_order_of_going_out() -> None:
    made = running_heats(players=8, tables=2, advance=2)
    seats = made.at(made.table)
    form = form_of(made, {f"order-{seats[1]}": "1", f"order-{seats[0]}": "2"})
    assert isinstance(form, HeatForm)
    assert (form.usual, form.players) == (2, seats)
    assert isinstance(form.entry, HeatEntry)
    assert list(form.entry.finish_order) == [seats[1], seats[0]]
    stored = form_of(made, play=recorded_heat(made, made.table, advance=2))
    assert {name for name in stored.data if name.startswith("order-")}


# The ending, the second in which it came (also with the first player out instead), each player's outcome and second.
GAMES: dict[str, tuple[str, int | None, int | None, list[tuple[str, int | None]]]] = {
    "tapped, all went out": ("last", 120, None, [("out", 60), ("out", 120), ("last", None)]),
    "from paper": ("last", None, None, [("out", 60), ("out", 120), ("last", None)]),
    "gave up and ejected": ("last", 300, 300, [("gave_up", 16), ("ejected", 300), ("last", None)]),
    "gave up at an unknown time": ("last", 300, None, [("gave_up", None), ("out", 300), ("last", None)]),
    "the hour was up": ("time", 3600, 3600, [("gave_up", 16), ("remaining", None), ("remaining", None)]),
    "a time of those who remained": (
        "early",
        900,
        900,
        [("ejected", 1), ("remaining", 900), ("remaining", 9)],
    ),
}


def test_correction_of_a_game_keeps_what_its_form_does_not_show() -> None:
    """Untouched it says what is stored; what somebody changes takes only its own time away."""
    made = running_session(players=3)
    stored = plays_in(Play.objects.filter(uid=started_game(made)))[0]
    for case, (how, duration_s, then_s, outcomes) in GAMES.items():
        rows = tuple(
            replace(
                row, outcome=outcome, elapsed_s=elapsed_s, hand={"7": 1} if outcome == "remaining" else {}
            )
            for row, (outcome, elapsed_s) in zip(stored.results, outcomes, strict=True)
        )
        current = replace(stored, state="entered", ended=how, duration_s=duration_s, results=rows)
        form = form_of(made, play=current)
        assert form.entry.facts(form.scene.contest, current, []) == current, case
        first = rows[0].entry
        form = form_of(made, {f"outcome-{first}": "out", f"time-{first}": "0:30"}, current)
        changed = form.entry.facts(form.scene.contest, current, [])
        assert changed.results == (replace(rows[0], outcome="out", elapsed_s=30), *rows[1:]), case
        assert changed.duration_s == then_s, case


def test_correction_of_a_heat_keeps_the_number_that_was_chosen() -> None:
    made = running_heats(players=4, tables=1)
    for advance in (1, None):
        play = recorded_heat(made, made.table, advance=advance)
        current = plays_in(Play.objects.filter(uid=play))[0]
        form = form_of(made, play=play)
        assert form.entry.facts(form.scene.contest, current, []) == current
        made.act(actions.void_play, play=play, version=current.version, reason="again")


def test_correction_of_a_round_keeps_all_of_it() -> None:
    made = running_match(players=4, ruleset="mattel-112")
    one, two, three, four = made.uids
    held = {str(two): {"7": 3}, str(four): {"wild": 1}}
    more = {"emptied": [three], "last_cards": {"draw2": 1}, "drew": two, "winner": one, "hands": held}
    made.act(actions.record_round, table=made.table.uid, play=(play := uuid4()), number=1, **more)
    current = plays_in(Play.objects.filter(uid=play))[0]
    form = form_of(made, play=play)
    assert form.entry.facts(form.scene.contest, current, []) == current


def test_game_may_name_who_sits_elsewhere() -> None:
    made = running_session(players=6, tables=2)
    here, there = (made.at(table) for table in made.tables)
    form = form_of(made, {f"outcome-{there[0]}": "out"})
    assert isinstance(form, GameForm)
    assert form.players == [*here, there[0]]
    stored = form_of(made, play=started_game(made))
    assert isinstance(stored, GameForm)
    assert set(stored.players) == set(here)


def test_game_that_began_in_the_hour_that_occurs_twice_is_asked_about_and_kept() -> None:
    made = running_session(players=2)
    form = form_of(made, play=started_game(made))
    assert form.current
    first, second = "2026-10-25T00:30:00+00:00", "2026-10-25T01:30:00+00:00"
    for began in (first, second):
        stored = replace(form.current, started_at=datetime.fromisoformat(began) + timedelta(seconds=15))
        shown = GameForm(form.scene, stored, {})
        assert shown.data["began"] == "2026-10-25T03:30"
        assert [(value, is_it) for value, _words, is_it in shown.began_readings] == [
            (first, began == first),
            (second, began == second),
        ]
        for chosen in (first, second):
            typed = {"version": "1", "began": "2026-10-25T03:30", "clock-began": chosen}
            as_it_was = stored.started_at if chosen == began else datetime.fromisoformat(chosen)
            read = GameForm(form.scene, stored, typed).read()
            assert isinstance(read, GameEntry)
            assert read.started_at == as_it_was
    new = form_of(made, {"began": "2026-10-25T03:30"})
    assert isinstance(new, GameForm)
    new.read()
    assert ("time_twice", "/started_at") in [(fault.code, fault.path) for fault in new.typed.faults]
    assert len(new.began_readings) == 2


def test_cards_of_all_decks_are_in_play() -> None:
    made = running_match(players=2)
    contest = form_of(made).scene.contest
    one, two = cards_in_play(contest, 2, decks=1), cards_in_play(contest, 2, decks=2)
    assert two == {card: 2 * count for card, count in one.items()}
    assert cards_in_play(contest, 2) == one
    assert by_text([UUID(int=1)]) == {str(UUID(int=1)): UUID(int=1)}
    assert form_of(made).ruleset is RULESETS[made.tournament.ruleset]
