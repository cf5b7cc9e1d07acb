"""Names, reasons and numbers beyond what anybody needs are refused at their place, on both databases alike."""

from collections.abc import Callable
from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError

from tests.support.arriving import by_link, opened, own, registered
from tests.support.factories import (
    Event,
    add_stage,
    event,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tournament import actions
from tournament.actions import Command, Receipt
from tournament.actions.kernel.work import faults_of
from tournament.models import Entry, LedgerNote, Play, Stage, Table
from tournament.results.faults import Fault, Refused

pytestmark = pytest.mark.django_db


def codes(refused: pytest.ExceptionInfo[Refused]) -> list[tuple[str, str]]:
    return [(fault.code, fault.path) for fault in refused.value.faults]


@pytest.fixture
def played() -> tuple[Event, Play]:
    made = running_match(players=3)
    play = uuid4()
    seated = made.at(made.table)
    made.act(
        actions.record_round,
        table=made.table.uid,
        play=play,
        number=1,
        winner=seated[0],
        hands={str(uid): {"7": 1} for uid in seated[1:]},
    )
    return made, made.play(play)


def test_a_stage_name_of_200_characters_is_refused() -> None:
    made = event()
    with pytest.raises(Refused) as refused:
        made.act(actions.plan_stage, stage=uuid4(), kind="match", name="x" * 200)
    assert codes(refused) == [("field_max_length", "/name")]
    made = add_stage(made, "match", tables=0, start=False)
    with pytest.raises(Refused) as refused:
        made.act(actions.set_stage_settings, stage=made.stage.uid, settings={}, name="x" * 200)
    assert codes(refused) == [("field_max_length", "/name")]


def test_a_stage_name_loses_control_characters() -> None:
    made = event()
    made.act(actions.plan_stage, stage=uuid4(), kind="match", name=" Fi\x00nal\ud800 ")
    assert Stage.objects.get().name == "Final"


def test_a_reason_of_600_characters_is_refused(played: tuple[Event, Play]) -> None:
    made, play = played
    with pytest.raises(Refused) as refused:
        made.act(actions.void_play, play=play.uid, version=play.version, reason="x" * 600)
    assert codes(refused) == [("field_max_length", "/reason")]
    assert made.play(play.uid).state == "entered"


def test_a_reason_of_500_characters_is_kept_and_one_more_is_said_so(played: tuple[Event, Play]) -> None:
    made, play = played
    with pytest.raises(Refused) as refused:
        made.act(actions.void_play, play=play.uid, version=play.version, reason="x" * 501)
    assert refused.value.faults[0].parameters == {"limit_value": 500, "show_value": 501}
    made.act(actions.void_play, play=play.uid, version=play.version, reason=f" {'x' * 500} ")
    assert LedgerNote.objects.get().text == "x" * 500


def test_what_django_says_of_a_field_is_a_fault_with_the_numbers_and_texts_of_it() -> None:
    found = ValidationError("Too many.", code="most", params={"most": 3, "name": "Aino", "model": Stage})
    error = ValidationError({"name": ValidationError("No."), "kind": [found, found]})
    most = Fault("field_most", "/rows/1/kind", {"most": 3, "name": "Aino"})
    assert faults_of(error, "/rows/1") == [Fault("field_invalid", "/rows/1/name"), most, most]


@pytest.mark.parametrize("year", [1899, 3000])
def test_an_event_is_planned_for_years_that_people_plan_for(year: int) -> None:
    made = event()
    with pytest.raises(Refused) as refused:
        made.act(actions.edit_tournament, name="Spring", starts_on=date(year, 5, 9))
    assert codes(refused) == [("field_invalid", "/starts_on")]


def test_a_reason_loses_control_characters(played: tuple[Event, Play]) -> None:
    made, play = played
    made.act(actions.void_play, play=play.uid, version=play.version, reason="wrong\x00 table\ud800")
    assert LedgerNote.objects.get().text == "wrong table"


def test_a_reason_of_nothing_that_can_be_read_is_missing(played: tuple[Event, Play]) -> None:
    made, play = played
    with pytest.raises(Refused) as refused:
        made.act(actions.void_play, play=play.uid, version=play.version, reason="\x00\x00")
    assert codes(refused) == [("missing_reason", "/reason")]


@pytest.mark.parametrize("decks", [0, -1, 100, 100_000, "2"])
def test_decks_that_nobody_has_are_refused(decks: Any) -> None:
    made = running_session(players=2)
    out, last = made.uids
    rows = [{"entry": out, "outcome": "out", "elapsed_s": 60}, {"entry": last, "outcome": "last"}]
    play = uuid4()
    whole: dict[str, Any] = {"ended": "last", "results": rows}
    made.act(actions.record_game, table=made.table.uid, play=play, number=1, **whole)
    new = {"table": made.table.uid, "play": uuid4(), "number": 2}
    seen = {"play": play, "version": made.play(play).version, "reason": "a slip"}
    cases: list[tuple[Callable[..., Receipt], dict[str, Any]]] = [
        (actions.start_game, new),
        (actions.record_game, new | whole),
        (actions.correct_game, seen | whole),
    ]
    for action, asked in cases:
        with pytest.raises(Refused) as refused:
            made.act(action, decks=decks, **asked)
        assert codes(refused) == [("malformed", "/decks")]


@pytest.mark.parametrize("advance", [0, 4, 100_000, "1"])
def test_more_going_through_than_a_table_seats_is_refused(advance: Any) -> None:
    made = running_heats(players=3, tables=1)
    with pytest.raises(Refused) as refused:
        made.act(
            actions.record_heat,
            table=made.table.uid,
            play=uuid4(),
            number=1,
            finish_order=made.at(made.table),
            advance=advance,
        )
    assert codes(refused) == [("malformed", "/advance")]


@pytest.mark.parametrize("number", [0, 40_000])
def test_a_table_number_that_no_hall_has_is_refused(number: int) -> None:
    made = add_stage(event(players=2), "match", tables=0, start=False)
    with pytest.raises(Refused) as refused:
        made.act(actions.seat_table, stage=made.stage.uid, table=uuid4(), number=number, entries=made.uids)
    assert codes(refused) == [("malformed", "/number")]


def test_a_running_match_gets_no_table_of_one() -> None:
    made = running_match(players=2)
    entry = uuid4()
    made.act(actions.enter_players, players=[{"entry": entry, "name": "Late"}])
    with pytest.raises(Refused) as refused:
        made.act(actions.seat_table, stage=made.stage.uid, table=uuid4(), number=2, entries=[entry])
    assert codes(refused) == [("too_few_players", "/tables/2")]
    assert refused.value.faults[0].parameters["least"] == 2
    assert Table.objects.count() == 1
    other = uuid4()
    made.act(actions.enter_players, players=[{"entry": other, "name": "Later"}])
    made.act(actions.seat_table, stage=made.stage.uid, table=uuid4(), number=2, entries=[entry, other])
    assert Table.objects.count() == 2


Door = Callable[..., Receipt]


def doors() -> dict[str, tuple[Event, Door]]:
    """Every way in which a name that everyone sees is typed: each takes `name`, `club` and `public_name_is_right`."""
    made, session = opened(event(players=1)), running_session()
    play, uid = started_game(session), made.uids[0]
    own_uid = registered(made, "Outi")

    def enter(*, name: str, club: str, **right: bool) -> Receipt:
        return made.act(
            actions.enter_players, players=[{"entry": uuid4(), "name": name, "club": club, **right}]
        )

    def walk_in(**named: Any) -> Receipt:
        return made.act(actions.walk_in, entry=uuid4(), **named)

    def rename(*, name: str, **named: Any) -> Receipt:
        return made.act(actions.edit_entry, entry=uid, public_name=name, start_number=1, **named)

    def register(*, name: str, **named: Any) -> Receipt:
        return by_link(made, actions.register, entry=uuid4(), public_name=name, terms=True, **named)

    def change(*, name: str, **named: Any) -> Receipt:
        return own(made, actions.change_own_entry, own_uid, public_name=name, **named)

    def join(*, name: str, club: str, **right: bool) -> Receipt:
        del club  # who joins a game is asked for a name alone
        return session.act(actions.join_game, play=play, entry=uuid4(), name=name, **right)

    return {
        "enter": (made, enter),
        "walk_in": (made, walk_in),
        "rename": (made, rename),
        "register": (made, register),
        "change": (made, change),
        "join": (session, join),
    }


def test_a_public_name_is_judged_at_every_door() -> None:
    for number, (door, (made, enter)) in enumerate(doors().items()):
        path = "/players/0" if door == "enter" else ""
        phone, mail = f"04012345{number}", f"aino{number}@mail.fi"
        rows = Entry.objects.filter(tournament=made.tournament)
        before = list(rows.values_list("public_name", "club"))
        for name in (phone, mail):
            with pytest.raises(Refused) as refused:
                enter(name=name, club="")
            assert codes(refused) == [("field_private", f"{path}/public_name")], door
        for name in ("\u200d\u0301", "\u3164"):
            with pytest.raises(Refused) as refused:
                enter(name=name, club="")
            assert {code for code, _path in codes(refused)} == {"field_blank"}, (door, name)
        if door != "join":
            with pytest.raises(Refused) as refused:
                enter(name="Anna", club="www.noppa.fi")
            assert codes(refused) == [("field_private", f"{path}/club")], door
        assert list(rows.values_list("public_name", "club")) == before
        enter(name=f"{phone}\u202e", club="Nop\u200bpa", public_name_is_right=True)
        assert rows.filter(public_name=phone, club="" if door == "join" else "Noppa").exists(), door


def test_a_public_name_that_was_confirmed_is_not_asked_about_again() -> None:
    made = opened(event())
    typed = {"public_name": "0401234567", "club": "a@b.fi"}
    uid = registered(made, "", **typed, public_name_is_right=True)
    own(made, actions.change_own_entry, uid, **typed, contact="Outi")
    made.act(actions.edit_entry, entry=uid, start_number=7, **typed)
    copy = Command(uuid4(), made.user)
    actions.copy_event(
        copy, made.tournament.uid, name="B", starts_on=date(2026, 6, 9), players=True, roles=False
    )
    assert Entry.objects.filter(tournament__uid=copy.id, **typed).exists()
