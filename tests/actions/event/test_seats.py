"""Seating a whole stage, naming roles by age, keeping people apart: what the actions store and refuse."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.support.asking_actions import agrees, refusal
from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_heat,
    running_heats,
    running_session,
    started_game,
)
from tests.support.uids import without_uids
from tournament import actions
from tournament.ledger.verify import verify
from tournament.models import (
    Apart,
    Draw,
    LedgerRow,
    Membership,
    Player,
    Seat,
    Stage,
    Table,
    Tournament,
)
from tournament.queries.draws import seats_text
from tournament.results.faults import Forbidden
from tournament.seating import DrawRecord, Person, plan_tables

pytestmark = pytest.mark.django_db

# The draw of players 1 to 7 at tables of at most 4 with the seed 48213, on every machine and database.
SEVEN = {1: [2, 7, 1, 5], 2: [6, 4, 3]}


def planned(players: int, kind: str = "heats", ruleset: str = "tite-2022") -> Event:
    made = event(ruleset, players=players)
    stage = uuid4()
    made.act(actions.plan_stage, stage=stage, kind=kind)
    made.stage = Stage.objects.get(uid=stage)
    return made.refresh()


def seat(made: Event, tables: Mapping[int, Iterable[UUID]], **more: Any) -> None:
    rows = [{"number": number, "entries": list(entries)} for number, entries in tables.items()]
    made.act(actions.seat_stage, stage=made.stage.uid, tables=rows, **more)


def seated(made: Event) -> dict[int, list[int]]:
    """Start numbers by table, clockwise."""
    tables: dict[int, list[int]] = {table.number: [] for table in Table.objects.filter(stage=made.stage)}
    seats = Seat.objects.filter(table__stage=made.stage, out_as="").order_by("table__number", "position")
    for number, start in seats.values_list("table__number", "entry__start_number"):
        tables[number].append(start)
    return tables


def record_of(made: Event, seed: str, most: int = 6, **more: Any) -> DrawRecord:
    people = [Person(entry.uid, entry.start_number, entry.club) for entry in made.entries]
    return DrawRecord.of(people, plan_tables(len(people), least=2, most=most), seed, **more)


def save(made: Event, record: DrawRecord) -> None:
    tables = {number: map(UUID, players) for number, players in record.seats().items()}
    seat(made, tables, seed=record.seed, draw=record.as_json())


def test_a_seed_gives_these_seats_for_ever_and_on_both_databases() -> None:
    made = planned(7)
    save(made, record_of(made, "48213", most=4))
    assert seated(made) == SEVEN
    assert agrees(made)


def test_a_draw_is_kept_whole_and_numbered() -> None:
    made = planned(12)
    for seed in ("1", "2"):
        save(made, record_of(made, seed))
    assert [(draw.number, draw.record["seed"]) for draw in Draw.objects.all()] == [(1, "1"), (2, "2")]
    record = DrawRecord.from_json(made.stage.draw)
    assert {
        number: list(map(str, made.at(table))) for number, table in tables_of(made).items()
    } == record.seats()
    assert agrees(made)


def test_sixty_at_ten_tables_with_ten_pairs_apart_sit_once_each_and_apart() -> None:
    made = planned(60)
    pairs = [(made.uids[2 * n], made.uids[2 * n + 1]) for n in range(10)]
    for one, other in pairs:
        made.act(actions.keep_apart, first=one, second=other)
    save(made, record_of(made, "7", apart=pairs))
    tables = seated(made)
    assert sorted(start for table in tables.values() for start in table) == list(range(1, 61))
    assert [len(table) for table in tables.values()] == [6] * 10
    at = {entry: number for number, table in tables_of(made).items() for entry in made.at(table)}
    assert all(at[one] != at[other] for one, other in pairs)
    assert agrees(made)


def test_moving_by_hand_leaves_the_draw_which_tells_who_was_moved() -> None:
    made = planned(7)
    save(made, record_of(made, "48213", most=4))
    one, two = (list(map(str, made.at(table))) for table in tables_of(made).values())
    seat(made, {1: map(UUID, one[1:]), 2: map(UUID, [*two, one[0]])})
    record = DrawRecord.from_json(made.stage.draw)
    assert [move.player for move in record.moved({1: one[1:], 2: [*two, one[0]]})] == [one[0]]
    assert agrees(made)


def test_a_stage_is_seated_in_as_many_queries_with_sixty_as_with_twelve() -> None:
    def queries(made: Event) -> int:
        rows = [{"number": n, "entries": made.uids[n - 1 :: tables]} for n in range(1, tables + 1)]
        with CaptureQueriesContext(
            connection,
        ) as asked:
            made.act(actions.seat_stage, stage=made.stage.uid, tables=rows)
            made.act(actions.seat_stage, stage=made.stage.uid, tables=moved(rows))
        return len(asked)

    tables = 4
    few = queries(planned(12))
    tables = 20
    assert queries(planned(60)) <= few + 6  # rows go in by the hundred


def moved(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Move everybody one table on."""
    return [
        {"number": row["number"], "entries": before["entries"]}
        for row, before in zip(rows, rows[-1:] + rows[:-1], strict=True)
    ]


def test_a_table_that_has_begun_is_never_touched() -> None:
    made = running_heats(players=9, tables=3)
    recorded_heat(made, made.tables[1])
    before = seated(made)
    one, two, three = (made.at(table) for table in made.tables)
    for tables in (
        {1: [*one, two[0]], 2: two[1:], 3: three},
        {1: one, 3: three},
        {1: one, 2: two[::-1], 3: three},
    ):
        rows = [{"number": number, "entries": entries} for number, entries in tables.items()]
        asked = {"stage": made.stage.uid, "tables": rows}
        assert refusal(made, actions.seat_stage, **asked) == [("table_has_begun", "/tables/2")]
    seat(made, {1: [*one[1:], three[0]], 2: two, 3: [*three[1:], one[0]]})
    assert seated(made)[2] == before[2]
    assert agrees(made)


def test_who_stays_at_a_table_keeps_the_seat_and_who_moves_gets_another() -> None:
    made = planned(5)
    one, two, three, four, five = made.uids
    seat(made, {1: [one, two, three], 999: [four, five]})
    before = dict(Seat.objects.values_list("entry__uid", "uid"))
    seat(made, {1: [three, one], 999: [two, five, four]})
    after = dict(Seat.objects.values_list("entry__uid", "uid"))
    assert {uid for uid in before if before[uid] == after[uid]} == {one, three, four, five}
    assert list(tables_of(made)) == [1, 999]
    assert agrees(made)


def test_seats_that_changed_since_they_were_seen_are_not_written_over() -> None:
    made = planned(4)
    tables = {1: made.uids[:2], 2: made.uids[2:]}
    seat(made, tables, seen="0")
    seen = seats_text(tables)
    seat(made, tables | {1: made.uids[1::-1]}, seen=seen)
    rows = [{"number": 1, "entries": made.uids}]
    asked = {"stage": made.stage.uid, "tables": rows}
    assert refusal(made, actions.seat_stage, **asked, seen=seen) == [("seats_changed", "")]
    made.act(actions.seat_stage, **asked)


def test_who_is_here_again_but_not_in_this_stage_changed_nothing_for_the_others() -> None:
    made = running_session(players=5)
    play = started_game(made)
    seen = seats_text({1: made.at(made.table)})
    gone, *others = made.uids
    for uid in others:
        made.act(actions.record_out, play=play, entry=uid)
    made.act(actions.player_leaves, entry=gone)
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.act(actions.readmit_player, entry=gone)
    made.act(actions.reopen_stage, stage=made.stage.uid, reason="one more game")
    seat(made, {1: others[::-1]}, seen=seen)
    assert made.at(made.table)[:4] == others[::-1]
    assert agrees(made)


def test_each_stage_numbers_its_own_draws() -> None:
    made = planned(4)
    save(made, record_of(made, "1"))
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final")
    made.stage = Stage.objects.get(uid=final)
    save(made, record_of(made, "2"))
    assert list(Draw.objects.order_by("pk").values_list("stage__number", "number")) == [(1, 1), (2, 1)]


def test_who_left_a_session_keeps_the_seat_behind_the_others() -> None:
    made = running_session(players=5)
    started_game(made)
    play = made.table.plays.get()
    first, *others = made.uids
    for uid in others:
        made.act(actions.record_out, play=play.uid, entry=uid)
    made.act(actions.player_leaves, entry=first)
    seat(made, {1: others[::-1]})
    assert list(Seat.objects.order_by("position").values_list("position", "entry__uid", "out_as")) == [
        *((place, uid, "") for place, uid in enumerate(others[::-1], 1)),
        (len(made.uids), first, "withdrawn"),
    ]
    assert agrees(made)


def test_who_left_moves_behind_who_stays_and_at_another_table_nobody_does() -> None:
    made = running_session(players=8, tables=2)
    here, there = made.tables
    elsewhere = made.at(there)
    one, two, three, four = made.at(here)
    for gone in (two, three):
        made.act(actions.player_leaves, entry=gone)
    made.act(actions.seat_table, stage=made.stage.uid, table=here.uid, number=1, entries=[one, four])
    for table, order in ((here, [one, four, two, three]), (there, elsewhere)):
        seats = list(table.seats.order_by("position").values_list("position", "entry__uid"))
        assert seats == list(enumerate(order, 1))
    assert agrees(made)


@pytest.mark.parametrize(
    ("tables", "fault"),
    [
        ({1: [0, 1], 2: [1, 2]}, ("seated_elsewhere", "/entries/{1}")),
        ({1: [0, 0]}, ("duplicate_player", "/entries/{0}")),
        ({1000: [0, 1]}, ("malformed", "/number")),
    ],
)
def test_seats_that_cannot_be_are_refused(tables: dict[int, list[int]], fault: tuple[str, str]) -> None:
    made = planned(3)
    rows = [{"number": number, "entries": [made.uids[n] for n in who]} for number, who in tables.items()]
    code, path = fault
    expected = [(code, path.format(*made.uids))]
    assert refusal(made, actions.seat_stage, stage=made.stage.uid, tables=rows) == expected


def born(made: Event, **days: str) -> None:
    for name, day in days.items():
        Player.objects.filter(entries__public_name=name).update(birth_date=date.fromisoformat(day))


def test_birth_dates_name_oldest_and_youngest_with_the_seats() -> None:
    made = planned(4, "session", "kpgut-2016")
    born(made, Aino="1990-01-01", Börje="1970-01-01", Cécile="2000-01-01", Dima="1980-01-01")
    seat(made, {1: made.uids})
    table = Table.objects.get()
    assert by_age(table) == ("Börje", "Cécile")
    facts = LedgerRow.objects.get(sequence=made.refresh().tournament.version).payload
    assert facts["table"][str(table.uid)]["oldest"] == str(made.uids[1])
    assert "1970" not in without_uids(str(facts))
    assert agrees(made)


def test_without_every_birth_date_what_people_said_stays_while_they_sit_there() -> None:
    made = planned(4, "session", "kpgut-2016")
    born(made, Aino="1990-01-01", Börje="1970-01-01")
    seat(made, {1: made.uids[:3], 2: made.uids[3:]})
    one, two = tables_of(made).values()
    assert (by_age(one), by_age(two)) == (("", ""), ("", ""))
    made.act(actions.name_roles, table=one.uid, oldest=made.uids[1], youngest=made.uids[2])
    seat(made, {1: made.uids[1::-1], 2: made.uids[2:]})
    one = tables_of(made)[1]
    assert by_age(one) == ("Börje", "Aino"), "both dates are known now"
    seat(made, {1: made.uids})
    one = tables_of(made)[1]
    assert by_age(one) == ("Börje", "Aino"), "and they still sit there"


def test_a_role_named_at_a_table_ends_when_its_player_moves_to_another() -> None:
    made = planned(4, "session", "kpgut-2016")
    seat(made, {1: made.uids[:2], 2: made.uids[2:]})
    made.act(actions.name_roles, table=tables_of(made)[1].uid, oldest=made.uids[0], youngest=made.uids[1])
    seat(made, {1: made.uids[1:3], 2: [made.uids[3], made.uids[0]]})
    assert [by_age(table) for table in tables_of(made).values()] == [("", "Börje"), ("", "")]
    assert agrees(made)


def test_other_rules_name_nobody_by_age() -> None:
    made = planned(4)
    born(made, Aino="1990-01-01", Börje="1970-01-01", Cécile="2000-01-01", Dima="1980-01-01")
    seat(made, {1: made.uids})
    assert Table.objects.get().oldest is None


def test_two_are_kept_apart_once_and_no_longer() -> None:
    made = event(players=3)
    one, two, three = made.uids
    made.act(actions.keep_apart, first=one, second=two)
    for first, second in ((one, two), (two, one)):
        assert refusal(made, actions.keep_apart, first=first, second=second) == [("apart_already", "/second")]
    assert refusal(made, actions.keep_apart, first=one, second=one) == [("same_two", "/second")]
    stranger = uuid4()
    assert refusal(made, actions.keep_apart, first=stranger, second=three) == [("unknown_player", "/first")]
    other = event(players=1)
    assert refusal(made, actions.keep_apart, first=one, second=other.uids[0]) == [
        ("unknown_player", "/second")
    ]
    pair = Apart.objects.get()
    assert verify(Tournament.objects.get(pk=made.tournament.pk)) == []
    made.act(actions.no_longer_apart, pair=pair.uid)
    assert not Apart.objects.exists()
    assert refusal(made, actions.no_longer_apart, pair=pair.uid) == [("unknown_pair", "/pair")]
    assert verify(Tournament.objects.get(pk=made.tournament.pk)) == []


def test_only_organisers_keep_people_apart() -> None:
    made = add_stage(event(players=3), "match", start=False)
    head = made.referee(Membership.Role.HEAD_REFEREE)
    with pytest.raises(Forbidden):
        actions.keep_apart(
            actions.Command(uuid4(), head), made.tournament.uid, first=made.uids[0], second=made.uids[1]
        )


def by_age(table: Table) -> tuple[str, str]:
    """Give the oldest and the youngest at the table."""
    return str(table.oldest or ""), str(table.youngest or "")


def tables_of(made: Event) -> dict[int, Table]:
    rows = Table.objects.filter(stage=made.stage).select_related("oldest", "youngest").order_by("number")
    return {table.number: table for table in rows}
