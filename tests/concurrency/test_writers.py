"""Many referees at once: each accepted command is in the ledger once, and a referee who was too late is told so.

Real threads with connections of their own, in both databases; tests/concurrency/test_processes.py has real processes,
which no lock of Python's holds apart.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from threading import Barrier, Thread
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.utils import timezone

from tests.support.factories import Event, StaffFactory, running_match, running_session, started_game
from tournament import actions
from tournament.actions import Command
from tournament.ledger.verify import verify
from tournament.models import LedgerRow, Play, Tournament, User
from tournament.results.faults import Refused

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]

WRITERS = 8


def together(calls: Sequence[Callable[[], Any]]) -> list[str]:
    """Run the calls at the same moment; "accepted", the name of a refusal, or any other exception's text, of each."""
    gate = Barrier(len(calls))
    outcomes = [""] * len(calls)

    def run(index: int) -> None:
        try:
            gate.wait()
            calls[index]()
            outcomes[index] = "accepted"
        except Refused as refused:
            outcomes[index] = type(refused).__name__
        except Exception as error:
            outcomes[index] = repr(error)
        finally:
            connection.close()

    threads = [Thread(target=run, args=(index,)) for index in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def agrees(made: Event, accepted: int) -> None:
    """Check that the ledger has so many rows more than before the writers, without a gap, and that the facts agree with
    it."""
    made.refresh()
    sequences = list(LedgerRow.objects.filter(tournament=made.tournament).values_list("sequence", flat=True))
    assert sequences == list(range(1, made.tournament.version + 1))
    assert made.tournament.version == before_of(made) + accepted
    assert verify(made.tournament) == []


_before: dict[UUID, int] = {}


def before_of(made: Event) -> int:
    return _before[made.tournament.uid]


def remember(made: Event) -> Event:
    _before[made.tournament.uid] = Tournament.objects.get(uid=made.tournament.uid).version
    return made


def round_at(
    made: Event, table: int, number: int, user: User | None = None, **more: Any
) -> Callable[[], Any]:
    """A call that records a round with a command of its own."""
    winner, *others = made.at(made.tables[table])
    asked: dict[str, Any] = {
        "table": made.tables[table].uid,
        "play": uuid4(),
        "number": number,
        "winner": winner,
        "hands": {str(uid): {"7": 1} for uid in others},
        **more,
    }
    command = Command(asked.pop("command", None) or uuid4(), user or made.user)
    return lambda: actions.record_round(command, made.tournament.uid, **asked)


def test_writers_at_different_tables_are_all_accepted() -> None:
    made = remember(running_match(players=2 * WRITERS, tables=WRITERS))
    assert together([round_at(made, table, 1) for table in range(WRITERS)]) == ["accepted"] * WRITERS
    agrees(made, WRITERS)
    assert sorted(Play.objects.values_list("version", flat=True)) == sorted(
        range(before_of(made) + 1, before_of(made) + WRITERS + 1)
    )


def test_of_writers_of_one_number_one_is_accepted_and_the_others_conflict() -> None:
    made = remember(running_match(players=3))
    outcomes = together([round_at(made, 0, 1) for _ in range(WRITERS)])
    assert Counter(outcomes) == {"accepted": 1, "Conflict": WRITERS - 1}
    agrees(made, 1)


def test_rounds_saved_while_the_bell_stops_their_matches_are_all_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whichever is first: each table is stopped with its round, or plays on if it has none yet, until the next bell."""
    made = running_match(players=2 * WRITERS, tables=WRITERS, target=500)
    for table in range(0, WRITERS, 2):
        round_at(made, table, 1)()
    made.act(actions.start_hall_clock, stage=made.stage.uid, minutes=1, last_hand=0)
    remember(made)
    later = timezone.now() + timedelta(minutes=2)
    monkeypatch.setattr("tournament.actions.kernel.work.now", lambda: later)
    bell = Command(uuid4(), made.user)
    saves = [round_at(made, table, 1 + (table + 1) % 2) for table in range(WRITERS)]
    outcomes = together([*saves, lambda: actions.stop_at_bell(bell, made.tournament.uid)])
    assert outcomes == ["accepted"] * (WRITERS + 1)
    made.refresh()
    assert [table.plays.count() for table in made.tables] == [2, 1] * (WRITERS // 2)
    assert all(table.stopped for table in made.tables[::2])
    agrees(made, WRITERS + 1)


def test_one_command_sent_many_times_at_once_is_carried_out_once() -> None:
    made = remember(running_match(players=3))
    command, play = uuid4(), uuid4()
    outcomes = together([round_at(made, 0, 1, command=command, play=play) for _ in range(WRITERS)])
    assert outcomes == ["accepted"] * WRITERS
    agrees(made, 1)


def test_taps_on_different_players_all_count_and_on_one_but_one() -> None:
    made = running_session(players=WRITERS + 1)
    play = started_game(made, elapsed_s=60)
    remember(made)

    def tap(player: int) -> Callable[[], Any]:
        command = Command(uuid4(), made.user)
        return lambda: actions.record_out(command, made.tournament.uid, play=play, entry=made.uids[player])

    outcomes = together([tap(player) for player in (0, 0, 1, 1, 2, 2, 3, 3)])
    assert Counter(outcomes) == {"accepted": 4, "Agreed": 4}
    agrees(made, 4)
    assert Play.objects.get().results.filter(outcome="out").count() == 4


def test_corrections_of_one_version_change_it_once() -> None:
    made = running_match(players=3)
    round_at(made, 0, 1)()
    remember(made)
    play = Play.objects.get()

    def void() -> Any:
        command = Command(uuid4(), made.user)
        return actions.void_play(
            command, made.tournament.uid, play=play.uid, version=play.version, reason="cards were missing"
        )

    assert Counter(together([void] * WRITERS)) == {"accepted": 1, "Conflict": WRITERS - 1}
    agrees(made, 1)


def test_a_tournament_created_many_times_at_once_is_one() -> None:
    user, uid, command = StaffFactory(), uuid4(), uuid4()

    def create() -> Any:
        return actions.create_tournament(
            Command(command, user), uid, name="Spring", starts_on=date(2026, 5, 9), ruleset="tite-2022"
        )

    assert together([create] * WRITERS) == ["accepted"] * WRITERS
    assert Tournament.objects.get().version == 1


def test_tournaments_of_one_name_created_at_once_get_addresses_of_their_own() -> None:
    user = StaffFactory()

    def create(slug: str = "") -> Callable[[], Any]:
        command, uid = Command(uuid4(), user), uuid4()
        return lambda: actions.create_tournament(
            command, uid, name="Spring", starts_on=date(2026, 5, 9), ruleset="tite-2022", slug=slug
        )

    outcomes = together([create("spring") for _ in range(4)])
    assert Counter(outcomes) == {"accepted": 1, "Refused": 3}
    assert together([create(), create()]) == ["accepted"] * 2
    slugs = list(Tournament.objects.order_by("slug").values_list("slug", flat=True))
    assert slugs == ["spring", "spring-2026", "spring-2026-2"]


def test_writers_of_several_tournaments_do_not_mix() -> None:
    events = [remember(running_match(players=2)) for _ in range(4)]
    calls = [round_at(made, 0, 1) for made in events for _ in range(2)]
    assert Counter(together(calls)) == {"accepted": 4, "Conflict": 4}
    for made in events:
        agrees(made, 1)
