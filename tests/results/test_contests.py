"""A process's cache of a stage's contests agrees with the rows, whatever happens, here or elsewhere."""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from cachetools import LRUCache
from django.db import transaction
from django.http import Http404, QueryDict

from scoring import score
from tests.depth import deep
from tests.support.archives import archived, brought, forget as forget_event
from tests.support.contests import contest as written, play as written_play, seats
from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tests.support.known import same
from tournament import actions
from tournament.extras.archive.files.schema import People
from tournament.models import Entry, LedgerRow, Play, Stage, Table
from tournament.results import contests
from tournament.results.answer import scored, stage_results
from tournament.results.bridge import Contest, contests_of
from tournament.results.contests import contest_now, contests_now, forget
from tournament.results.faults import Conflict, Refused
from tournament.results.settling import without_play
from tournament.server.database import command
from tournament.views._answer import Sent, get_scene
from tournament.views.desk.tables import attempt_record

pytestmark = pytest.mark.django_db

STEPS, PROCESSES = 25, 3


def recorded_game(made: Event, table: Table | None = None, *, ejected: bool = False, **more: Any) -> UUID:
    """The table's next game: everybody out in the order of the seats, or the first of them ejected."""
    table, play = table or made.table, uuid4()
    seated = made.at(table)
    results: list[dict[str, Any]] = [
        {"entry": uid, "outcome": "out", "elapsed_s": 300 + 60 * at} for at, uid in enumerate(seated[:-1])
    ]
    if ejected:
        results[0] = {"entry": seated[0], "outcome": "ejected"}
    results.append({"entry": seated[-1], "outcome": "last"})
    made.act(
        actions.record_game,
        table=table.uid,
        play=play,
        number=Play.objects.filter(table=table).count() + 1,
        ended="last",
        duration_s=3000 if ejected else None,
        **more,
        results=results,
    )
    return play


def read(stage: Stage) -> list[Contest]:
    return contests_of(Stage.objects.select_related("tournament").get(pk=stage.pk))


def known(stage: Stage) -> tuple[Contest, ...]:
    return contests_now(Stage.objects.select_related("tournament").get(pk=stage.pk))


def answers(stage: Stage) -> list[Any]:
    """The answers to the same sheets without any cache, as for a stranger."""
    planned = stage.state == Stage.State.PLANNED  # again, where somebody took the start back
    fresh = [] if planned else [scored(contest) for contest in read(stage)]
    return [without_play(score(json.loads(json.dumps(each.sheet.data)))) for each in fresh]


def _empty(most: int) -> LRUCache[int, Any]:
    return LRUCache(most, contests._kept.getsizeof)


class Evening:
    """People who press anything in an event with a session, matches and heats, before several processes of which each
    knows what it happened to read; some of it is rolled back, as when a backup is put back."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # the same evening at every run
        self.made = event("mattel-108", players=6)
        self.sessions = running_session(players=5, tables=2)
        for kind in ("match", "heats"):
            add_stage(self.made, kind, tables=2)
        self.processes: list[Any] = [_empty(contests.CACHED_ROWS) for _ in range(PROCESSES)]

    def look(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let some process ask for everything."""
        monkeypatch.setattr(contests, "_kept", self.chance.choice(self.processes))
        for stage in Stage.objects.select_related("tournament").all():
            assert same(known(stage), read(stage))
            assert [each.answer for each in stage_results(stage)] == answers(stage)

    def press(self) -> None:
        made = self.chance.choice([self.made, self.sessions])
        name, arguments = self.chance.choice(self.buttons(made))
        try:
            with transaction.atomic():
                made.act(getattr(actions, name), **arguments)
        except (Refused, Conflict):
            pass

    def buttons(self, made: Event) -> list[tuple[str, dict[str, Any]]]:
        chance = self.chance
        entries = list(Entry.objects.filter(tournament=made.tournament))
        one = chance.choice(entries)
        rename = {"public_name": f"Renamed {chance.random()}", "start_number": one.start_number, "club": ""}
        buttons: list[tuple[str, dict[str, Any]]] = [
            ("player_leaves", {"entry": one.uid}),
            ("remove_player", {"entry": one.uid, "reason": "disturbed"}),
            ("readmit_player", {"entry": one.uid}),
            ("edit_entry", {"entry": one.uid, **rename}),
            ("enter_players", {"players": [{"entry": uuid4(), "name": f"New {uuid4().hex[:5]}"}]}),
            (
                "undo",
                {"row": chance.randint(1, LedgerRow.objects.filter(tournament=made.tournament).count())},
            ),
        ]
        for table in Table.objects.filter(stage__tournament=made.tournament).select_related("stage"):
            seated, number = made.at(table), table.plays.count() + 1
            some = chance.sample(seated, len(seated))
            stranger = chance.choice(entries).uid
            whole = {"session": self.game, "match": self.round, "heats": self.heat}[table.stage.kind]
            record, correct, play = whole(some, stranger)
            buttons += [(record, {"table": table.uid, "play": uuid4(), "number": number, **play})] * 4
            for stored in table.plays.all():
                seen = {"play": stored.uid, "version": stored.version, "reason": "again"}
                buttons += [(correct, {**seen, **play}), ("void_play", seen)]
                to = chance.choice(list(Table.objects.filter(stage=table.stage))).uid
                buttons.append(("move_play", {**seen, "to": to, "new": uuid4()}))
            if table.stage.kind == "session":
                buttons.append(("start_game", {"table": table.uid, "play": uuid4(), "number": number}))
                order = [*seated, stranger][-4:]
                seating = {"stage": table.stage.uid, "table": table.uid, "number": table.number}
                buttons.append(("seat_table", {**seating, "entries": order}))
            if table.stage.kind == "match":
                buttons += [("stop_match", {"table": table.uid}), ("resume_match", {"table": table.uid})]
            stage = {"stage": table.stage.uid}
            buttons += [("finish_stage", stage), ("reopen_stage", {**stage, "reason": "again"})]
        for running in Play.objects.filter(table__stage__tournament=made.tournament, state="running"):
            buttons.append(("record_out", {"play": running.uid, "entry": one.uid, "elapsed_s": 60}))
            buttons.append(("join_game", {"play": running.uid, "entry": one.uid}))
        return buttons

    def game(self, some: list[UUID], stranger: UUID) -> tuple[str, str, dict[str, Any]]:
        playing = [*some, stranger] if self.chance.random() < 0.3 and stranger not in some else some
        how = self.chance.choice(["out", "out", "gave_up", "ejected"])
        results: list[dict[str, Any]] = [{"entry": playing[0], "outcome": how}]
        if how == "out":
            results[0]["elapsed_s"] = 100
        results += [{"entry": uid, "outcome": "out", "elapsed_s": 200} for uid in playing[1:-1]]
        results.append({"entry": playing[-1], "outcome": "last"})
        more = {"ended": "last", "duration_s": 200 if how == "out" else 900, "results": results}
        return "record_game", "correct_game", more

    def round(self, some: list[UUID], stranger: UUID) -> tuple[str, str, dict[str, Any]]:
        del stranger
        hand = self.chance.choice([{"7": 1}, {"wild": 2}, {"wild4": 3}])
        hands = {str(uid): hand if at == 0 else {"1": 1} for at, uid in enumerate(some[1:])}
        return "record_round", "correct_round", {"winner": some[0], "hands": hands}

    def heat(self, some: list[UUID], stranger: UUID) -> tuple[str, str, dict[str, Any]]:
        del stranger
        removed = some[-1:] if self.chance.random() < 0.2 else []
        return "record_heat", "correct_heat", {"finish_order": some[:1], "removed": removed}


@pytest.mark.hypothesis  # one of the properties, with chances of its own
@pytest.mark.sqlite
@pytest.mark.parametrize("seed", range(deep(12)))
@pytest.mark.sweep
def test_after_any_evening_every_process_knows_what_the_rows_say(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = Evening(seed)
    for _step in range(STEPS):
        if evening.chance.random() < 0.15:
            with transaction.atomic():
                for _pressed in range(evening.chance.randint(1, 3)):
                    evening.press()
                evening.look(monkeypatch)
                transaction.set_rollback(True)
        else:
            evening.press()
        evening.look(monkeypatch)


def test_what_a_save_did_not_touch_is_the_same_object() -> None:
    made = running_match(players=4, tables=2)
    recorded_round(made)
    before, other = known(made.stage)
    result = scored(other)
    recorded_round(made)
    after, untouched = known(made.stage)
    assert after.plays[0] is before.plays[0]
    assert untouched is other
    assert scored(untouched).answer is result.answer


def test_a_session_s_rows_and_games_are_kept_when_another_game_comes_between() -> None:
    made = running_session(players=4, tables=2)
    for table in (0, 1, 1):
        recorded_game(made, made.tables[table])
    forget()
    (before,) = stage_results(made.stage)
    third = made.tables[1].plays.get(number=2)
    assert third.entered_at
    recorded_game(made, made.tables[0], started_at=third.entered_at - timedelta(microseconds=1))
    (after,) = stage_results(made.refresh().stage)
    assert [game.number for game in after.answer.rounds] == [1, 2, 3, 4]
    assert after.answer.rounds[0] is before.answer.rounds[0]
    assert after.answer.rounds[3].results is before.answer.rounds[2].results  # its number alone is another


@pytest.mark.parametrize("tables", [1, 2], ids=["the only table", "one of two"])
def test_a_table_that_is_gone_since_it_was_looked_up_is_unknown(tables: int) -> None:
    made = running_session(players=4, tables=tables)
    known(made.stage)
    table = Table.objects.select_related("stage__tournament").get(uid=made.tables[-1].uid)
    table.seats.all().delete()
    Table.objects.filter(uid=table.uid).delete()
    forget()
    with pytest.raises(Refused, match="unknown_table"):
        contest_now(table)
    with pytest.raises(Http404):
        get_scene(table)
    sent = Sent(made.user, "test", QueryDict(f"command={uuid4()}&play={uuid4()}&number=1"))
    assert [fault.code for fault in attempt_record(sent, table).faults] == ["unknown_table"]


def test_only_the_rows_since_are_read(django_assert_num_queries: Any) -> None:
    made = running_match(players=2)
    recorded_round(made)
    stage = Stage.objects.select_related("tournament").get(pk=made.stage.pk)
    contests_now(stage)
    with django_assert_num_queries(1):  # whether there is anything new
        contests_now(stage)
    recorded_round(made)
    with django_assert_num_queries(2):  # and what it is
        contests_now(stage)


def test_as_of_a_row_read_just_now_nothing_is_read_again(django_assert_num_queries: Any) -> None:
    made = running_match(players=2)
    recorded_round(made)
    stage = Stage.objects.select_related("tournament").get(pk=made.stage.pk)
    before = contests_now(stage)
    with django_assert_num_queries(0):
        assert contests_now(stage, as_read=True) == before
    recorded_round(made)
    stage = Stage.objects.select_related("tournament").get(pk=made.stage.pk)
    with django_assert_num_queries(2):
        assert len(contests_now(stage, as_read=True)[0].plays) == 2


def test_a_command_that_has_written_reads_its_own_rows() -> None:
    made = running_session(players=4)
    known(made.stage)
    seen: list[int] = []
    with transaction.atomic(), command():
        seen.append(len(contest_now(made.table).seats))
        made.table.seats.all().delete()
        seen.append(len(contest_now(made.table).seats))
        seen.append(len(known(made.stage)[0].seats))
        transaction.set_rollback(True)
    assert seen == [4, 0, 0]
    assert same(known(made.stage), read(made.stage))


def test_a_restored_backup_is_read_anew() -> None:
    made = running_match(players=2)
    with transaction.atomic():
        recorded_round(made)
        lost = known(made.stage)
        transaction.set_rollback(True)
    assert known(made.stage)[0].plays == ()
    recorded_round(made, winner=made.uids[1])  # the same row of the ledger again, with other facts
    assert known(made.stage) != lost
    assert same(known(made.stage), read(made.stage))


def test_settings_of_a_moment_before_are_not_kept() -> None:
    made = running_match(players=2)
    planned = uuid4()
    made.act(actions.plan_stage, stage=planned, kind="match", settings={"target": 300})
    made.act(actions.seat_table, stage=planned, table=uuid4(), number=1, entries=made.uids)
    before = Stage.objects.select_related("tournament").get(uid=planned)
    made.act(actions.set_stage_settings, stage=planned, settings={"target": 400})
    contests_now(before)  # somebody read the stage just before that
    assert [contest.settings for contest in known(before)] == [{"target": 400}]


def test_an_event_that_came_back_without_names_has_none() -> None:
    made = running_match(players=2)
    recorded_round(made)
    names = known(made.stage)[0].names.values()
    archive = archived(made.tournament, People.ANONYMOUS)
    forget_event(made.tournament)
    brought(archive)
    stage = Stage.objects.get(uid=made.stage.uid)
    assert not set(names) & set(known(stage)[0].names.values())
    assert same(known(stage), read(stage))


def test_what_is_far_behind_is_read_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    made = running_match(players=2)
    known(made.stage)
    monkeypatch.setattr(contests, "FOLLOWED", 2)
    for _ in range(3):
        recorded_round(made)
    assert same(known(made.stage), read(made.stage))


def test_the_stages_asked_for_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contests, "CACHED_ROWS", 9)
    monkeypatch.setattr(contests, "_kept", _empty(9))
    events = [running_match(players=2), running_heats(players=4), running_session(players=3)]
    recorded_heat(events[1])
    for made in events:
        known(made.stage)
    assert list(contests._kept) == [events[2].stage.pk]  # 1 + 3 seats; the heats are 1 + 4 seats + 4 results
    monkeypatch.setattr(contests, "CACHED_ROWS", 1)
    monkeypatch.setattr(contests, "_kept", _empty(1))
    known(events[2].stage)
    known(events[0].stage)
    assert list(contests._kept) == [events[0].stage.pk]  # the last is kept however large it is


def test_a_name_that_changed_is_followed() -> None:
    made = running_session(players=3)
    known(made.stage)
    one = made.entries[0]
    made.act(actions.edit_entry, entry=one.uid, public_name="Aune", club="", start_number=one.start_number)
    assert known(made.stage)[0].names[str(one.uid)] == "Aune"


def test_somebody_who_played_without_a_seat_and_was_corrected_out_is_no_player_any_more() -> None:
    made = running_session(players=4, tables=2)
    known(made.stage)
    seated, (stranger, *_) = made.at(made.table), made.at(made.tables[1])
    games = [
        {
            "ended": "last",
            "results": [
                {"entry": uid, "outcome": "out", "elapsed_s": 60},
                {"entry": seated[0], "outcome": "last"},
            ],
        }
        for uid in (stranger, seated[1])
    ]
    play = uuid4()
    made.act(actions.record_game, table=made.table.uid, play=play, number=1, **games[0])
    made.act(
        actions.seat_table,
        stage=made.stage.uid,
        table=made.tables[1].uid,
        number=2,
        entries=made.at(made.tables[1])[1:],
    )
    assert stranger in {player.entry for player in known(made.stage)[0].players}
    made.act(actions.correct_game, play=play, version=made.play(play).version, reason="again", **games[1])
    assert stranger not in {player.entry for player in known(made.stage)[0].players}
    assert same(known(made.stage), read(made.stage))


def test_a_running_game_is_followed() -> None:
    made = running_session(players=3)
    known(made.stage)
    started_game(made)
    assert same(known(made.stage), read(made.stage))


def test_what_is_kept_with_a_play_is_not_kept_with_its_copy() -> None:
    made = written(
        "session", written_play(1, (1, "out", 60), (2, "last", None), ended="last"), seats=seats(1, 2)
    )
    scored(made)
    (play,) = made.plays
    assert play.kept
    assert not replace(play, number=2).kept
    assert not replace(made, stopped=True).kept


ELSEWHERE = "00000000-0000-0000-0000-000000000001"
PAYLOADS: dict[str, tuple[Callable[[Event], Any], bool]] = {
    "the tournament": (lambda made: {"tournament": {str(made.tournament.uid): {}}}, True),
    "this stage": (lambda made: {"stage": {str(made.stage.uid): {}}}, True),
    "another stage": (lambda _: {"stage": {ELSEWHERE: {}}}, False),
    "a table here": (lambda made: {"table": {ELSEWHERE: {"stage": str(made.stage.uid)}}}, True),
    "a table elsewhere": (lambda _: {"table": {ELSEWHERE: {"stage": ELSEWHERE}}}, False),
    "a table that is gone": (lambda _: {"table": {ELSEWHERE: None}}, True),
    "a seat here": (lambda made: {"seat": {ELSEWHERE: {"table": str(made.table.uid)}}}, True),
    "a seat elsewhere": (lambda _: {"seat": {ELSEWHERE: {"table": ELSEWHERE}}}, False),
    "a seat that is gone": (lambda _: {"seat": {ELSEWHERE: None}}, True),
    "a player here": (lambda made: {"entry": {str(made.uids[0]): {}}}, True),
    "a player elsewhere": (lambda _: {"entry": {ELSEWHERE: {}}}, False),
    "what no contest holds": (lambda _: {"call": {ELSEWHERE: {}}, "incident": {ELSEWHERE: {}}}, False),
}


@pytest.mark.parametrize(("payload", "more"), PAYLOADS.values(), ids=PAYLOADS)
def test_seats_players_and_settings_are_read_anew_where_a_row_changed_them(
    payload: Callable[[Event], Any], more: bool
) -> None:
    made = running_match(players=2)
    assert contests._changes_more(made.stage, known(made.stage), payload(made)) is more
