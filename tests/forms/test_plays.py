"""A whole play as a form: a new one, or a stored one that is corrected."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

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
from tournament.results.facts import plays_in
from tournament.results.given import GameEntry, HeatEntry, RoundEntry

pytestmark = pytest.mark.django_db


@dataclass
class Scene:
    """The facts about a table that a form needs."""

    table: Table
    contest: Contest
    next_number: int = 1


def form_of(made: Event, data: Mapping[str, str] | None = None, play: UUID | None = None) -> PlayForm:
    """The form of the stage's kind at the first table, for a correction of the play."""
    contest = next(each for each in stage_contests(made.stage) if made.table.uid in each.table_numbers)
    current = plays_in(Play.objects.filter(uid=play))[0] if play else None
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
