"""The check of each minute finds what was changed beside the actions since the last one, and nothing else."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.db.models import F
from pytest_django import DjangoAssertNumQueries

from tests.ledger.test_verify import FACTS, LEDGER
from tests.support.factories import Event, recorded_round, running_match, running_session, started_game
from tournament import actions
from tournament.ledger import look as look_module, triggers
from tournament.ledger.look import Known, Look, Seen, look
from tournament.ledger.verify import verify
from tournament.models import Entry, LedgerRow, Play, Result, Seat, Tournament, User

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def made() -> Event:
    made = running_match(players=3)
    for _ in range(3):
        recorded_round(made)
    return made.refresh()


@contextmanager
def for_now() -> Iterator[None]:
    """Roll back all that happens inside."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def clean(made: Event, known: Known = Known()) -> Known:  # noqa: B008 - frozen
    seen = look(made.tournament.pk, known)
    assert list(seen.findings) == []
    return seen.known


@pytest.mark.sweep
def test_whatever_verify_finds_in_the_facts_is_found_by_the_next_look(made: Event) -> None:
    known = clean(made)
    missed = []
    for what, (change, _) in FACTS.items():
        with for_now():
            change(made)
            if not look(made.tournament.pk, known).findings or not look(made.tournament.pk, Known()).findings:
                missed.append(what)
    assert missed == []
    clean(made, known)


def test_whatever_verify_finds_in_the_ledger_is_found_by_the_next_look(made: Event) -> None:
    known = clean(made)
    missed = []
    for what, (change, _) in LEDGER.items():
        with for_now():
            triggers.drop(connection)
            change(made)
            triggers.create(connection)
            found = {finding.code for finding in look(made.tournament.pk, known).findings}
            if not found or "triggers_missing" in found:
                missed.append(what)
    assert missed == []


def cut_everywhere(made: Event) -> None:
    """Remove the last round and every trace of it, as somebody who knows the tables would."""
    triggers.drop(connection)
    last = LedgerRow.objects.latest("sequence")
    Result.objects.filter(play=Play.objects.latest("id")).delete()
    Play.objects.latest("id").delete()
    last.delete()
    triggers.create(connection)
    Tournament.objects.update(version=F("version") - 1, ledger_head=last.previous)


def test_a_tail_that_was_cut_without_a_trace_in_the_database_is_found(made: Event) -> None:
    seen = look(made.tournament.pk, Known())
    cut_everywhere(made)
    assert verify(Tournament.objects.get()) == []
    assert [finding.code for finding in look(made.tournament.pk, Known(), [seen.end]).findings] == [
        "ledger_cut"
    ]
    assert "ledger_cut" in {finding.code for finding in look(made.tournament.pk, seen.known).findings}
    recorded_round(made)
    (found,) = look(made.tournament.pk, Known(), [seen.end]).findings
    assert (found.code, found.where) == ("chain_broken", f"ledger row {seen.end.rows}")


def test_what_is_found_is_found_again_until_it_is_put_right(made: Event) -> None:
    known = clean(made)
    seat = Seat.objects.filter(position=3)
    seat.update(position=9)
    first = look(made.tournament.pk, known)
    recorded_round(made)
    again = look(made.tournament.pk, first.known)
    assert [str(one) for one in again.findings] == [str(one) for one in first.findings]
    seat = Seat.objects.filter(position=9)
    seat.update(position=3)
    clean(made, again.known)


def test_triggers_that_are_missing_are_found(made: Event) -> None:
    triggers.drop(connection)
    assert [finding.code for finding in look(made.tournament.pk, Known()).findings] == ["triggers_missing"]


def test_a_row_that_says_what_was_not_written_is_found(made: Event) -> None:
    known = clean(made)
    before = Result.objects.filter(outcome="holds").values("pk", "hand")[0]
    play = Play.objects.get(results=before["pk"])
    seated = made.at(made.table)
    made.act(
        actions.correct_round,
        play=play.uid,
        version=play.version,
        reason="misread",
        winner=seated[0],
        hands={str(uid): {"9": 1} for uid in seated[1:]},
    )
    with for_now():
        Result.objects.filter(play=play, outcome="holds").update(hand={"7": 1})
        assert "row_altered" in {finding.code for finding in look(made.tournament.pk, known).findings}
    clean(made, known)


def test_what_people_do_is_no_finding_however_many_looks_there_are() -> None:
    session = running_session(players=3)
    known = clean(session)
    play = started_game(session)
    known = clean(session, known)
    session.act(actions.record_out, play=play, entry=session.uids[0], elapsed_s=61)
    session.act(actions.enter_players, players=[{"entry": uuid4(), "name": "Late"}])
    known = clean(session, known)
    late = Entry.objects.select_related("player").get(public_name="Late")
    session.act(actions.withdraw_entry, entry=late.uid)
    session.act(actions.edit_entry, entry=session.uids[1], public_name="Renamed", start_number=9)
    User.objects.update(first_name="Another")
    known = clean(session, known)
    with for_now():  # put back in SQL what an action took out
        late.player.save(force_insert=True)
        late.save(force_insert=True)
        assert [finding.code for finding in look(session.tournament.pk, known).findings] == ["row_added"]


def test_a_look_at_what_did_not_change_reads_no_facts(
    made: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    known = clean(made)
    with django_assert_num_queries(34):  # two for each kind of row that there is, one for the others
        clean(made, known)


def test_what_people_do_during_a_look_is_no_finding_and_what_is_altered_is_found_by_the_next(
    made: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(look_module, "PIECE", 2)
    monkeypatch.setattr(look_module, "PIECE_OF_PLAYS", 1)
    monkeypatch.setattr(look_module, "PIECE_OF_FACTS", 1)
    known, looks = clean(made), 0
    while True:
        looks += 3
        pauses = 0

        def save_once(at: int = looks) -> None:
            nonlocal pauses
            pauses += 1
            if pauses == at:
                recorded_round(made)
                Seat.objects.filter(position=1).update(position=9)

        seen = look(made.tournament.pk, Known() if looks % 2 else known, rest=save_once)
        if pauses < looks:
            break
        altered = list(seen.findings)
        assert {finding.code for finding in altered} <= {"row_altered"}
        assert look(made.tournament.pk, seen.known).findings
        Seat.objects.filter(position=9).update(position=1)
        known = clean(made, known if altered else seen.known)
    assert looks > 20


def test_a_look_says_where_the_ledger_ends(made: Event) -> None:
    seen: Look = look(made.tournament.pk, Known())
    assert seen.end == Seen(made.tournament.version, made.tournament.ledger_head)
