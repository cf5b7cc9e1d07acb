"""`verify` finds what was changed beside the actions, in the facts and in the ledger, and finds nothing else."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.db.models import F
from django.utils import timezone

from tests.support.factories import Event, recorded_round, running_match, running_session, started_game
from tournament import actions
from tournament.ledger import triggers
from tournament.ledger.verify import verify
from tournament.models import (
    Entry,
    LedgerRow,
    Membership,
    Play,
    Result,
    Seat,
    Stage,
    Table,
    Tournament,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def made() -> Event:
    """A match of three rounds."""
    made = running_match(players=3)
    for _ in range(3):
        recorded_round(made)
    return made.refresh()


def codes(made: Event) -> set[str]:
    made.refresh()
    return {finding.code for finding in verify(made.tournament)}


def add_result(made: Event) -> None:
    gone = Result.objects.latest("pk")
    play = Play.objects.create(table=made.table, number=9, state="entered")
    Result.objects.create(play=play, entry=gone.entry, outcome="won")


def swap_rows(made: Event) -> None:
    first, second = Result.objects.order_by("id")[:2]
    Result.objects.filter(pk=first.pk).update(
        entry=Result.objects.order_by("id")[8].entry, play=second.play_id + 2
    )


def last_play() -> Any:
    return Play.objects.filter(pk=Play.objects.latest("id").pk)


FACTS: dict[str, tuple[Callable[[Event], Any], str]] = {
    "hand altered": (
        lambda _: Result.objects.filter(outcome="holds").update(hand={"9": 1}),
        "row_altered",
    ),
    "hand of no known card": (
        lambda _: Result.objects.filter(outcome="holds").update(hand={"jack": 1}),
        "sheet_broken",
    ),
    "hand that is none": (
        lambda _: Result.objects.filter(outcome="holds").update(hand="7"),
        "row_altered",
    ),
    "hand that is a number": (
        lambda _: Result.objects.filter(outcome="holds").update(hand=7),
        "row_altered",
    ),
    "hand that is a list": (
        lambda _: Result.objects.filter(outcome="holds").update(hand=[]),
        "row_altered",
    ),
    "result's uid altered": (
        lambda _: Result.objects.filter(pk=Result.objects.latest("id").pk).update(uid=uuid4()),
        "row_altered",
    ),
    "result deleted": (lambda _: Result.objects.filter(outcome="won").delete(), "row_altered"),
    "result added": (add_result, "row_added"),
    "play voided": (lambda _: last_play().update(state="void"), "row_altered"),
    "play set aside": (lambda _: last_play().update(state="set_aside"), "state_altered"),
    "play renumbered": (lambda _: last_play().update(number=8), "row_altered"),
    "play's version altered": (lambda _: last_play().update(version=1), "version_altered"),
    "play deleted": (lambda _: Play.objects.latest("id").delete(), "row_missing"),
    "play's start altered": (lambda _: last_play().update(started_at=timezone.now()), "row_altered"),
    "last cards altered": (lambda _: last_play().update(last_cards={"7": 1}), "row_altered"),
    "seat out": (
        lambda _: Seat.objects.filter(position=3).update(out_as="removed", out_from=1),
        "row_altered",
    ),
    "seat moved": (lambda _: Seat.objects.filter(position=3).update(position=9), "row_altered"),
    "seat deleted": (lambda _: Seat.objects.filter(position=3).delete(), "row_missing"),
    "entry's state altered": (
        lambda _: Entry.objects.filter(start_number=1).update(state="left"),
        "row_altered",
    ),
    "start number altered": (
        lambda _: Entry.objects.filter(start_number=1).update(start_number=7),
        "row_altered",
    ),
    "match stopped": (lambda _: Table.objects.update(stopped=True), "row_altered"),
    "oldest named": (lambda made: Table.objects.update(oldest=made.entries[0]), "row_altered"),
    "settings altered": (lambda _: Stage.objects.update(settings={"target": 10}), "row_altered"),
    "settings broken": (lambda _: Stage.objects.update(settings={"target": "x"}), "sheet_broken"),
    "settings that are none": (lambda _: Stage.objects.update(settings=5), "row_altered"),
    "stage finished": (lambda _: Stage.objects.update(state="finished"), "row_altered"),
    "stage of another kind": (lambda _: Stage.objects.update(kind="session"), "row_altered"),
    "role given": (
        lambda made: Membership.objects.create(
            tournament=made.tournament, user=made.user, role="head_referee"
        ),
        "row_added",
    ),
    "role taken": (lambda _: Membership.objects.all().delete(), "row_missing"),
    "tournament finished": (lambda _: Tournament.objects.update(state="finished"), "row_altered"),
    "ruleset altered": (lambda _: Tournament.objects.update(ruleset="mattel-112"), "row_altered"),
    "ruleset unknown": (lambda _: Tournament.objects.update(ruleset="mao"), "row_altered"),
    "revision altered": (lambda _: Tournament.objects.update(ruleset_revision="2099"), "row_altered"),
}


@pytest.mark.parametrize("what", FACTS)
@pytest.mark.sweep
def test_a_fact_that_was_changed_is_found(made: Event, what: str) -> None:
    change, expected = FACTS[what]
    assert codes(made) == set()
    change(made)
    assert expected in codes(made)


def ledger(**change: Any) -> Callable[[Event], Any]:
    return lambda made: LedgerRow.objects.filter(sequence=made.tournament.version - 1).update(**change)


LEDGER: dict[str, tuple[Callable[[Event], Any], str]] = {
    "payload": (ledger(payload={"play": {}}), "chain_broken"),
    "payload that is none": (ledger(payload=[1]), "chain_broken"),
    "payload of nothing known": (ledger(payload={"play": {"p1": {"table": 1}}}), "chain_broken"),
    "actor": (lambda made: LedgerRow.objects.update(actor=made.referee()), "chain_broken"),
    "time": (lambda _: LedgerRow.objects.update(at=F("at") + timedelta(seconds=1)), "chain_broken"),
    "action": (ledger(action="void_play"), "chain_broken"),
    "digest": (ledger(digest="0" * 64), "chain_broken"),
    "the last row cut off": (lambda _: LedgerRow.objects.latest("sequence").delete(), "ledger_cut"),
    "the last rows cut off": (
        lambda made: LedgerRow.objects.filter(sequence__gt=made.tournament.version - 3).delete(),
        "ledger_cut",
    ),
    "a row in the middle deleted": (
        lambda _: LedgerRow.objects.filter(sequence=4).delete(),
        "sequence_broken",
    ),
    "the first row deleted": (lambda _: LedgerRow.objects.filter(sequence=1).delete(), "sequence_broken"),
    "every row deleted": (lambda _: LedgerRow.objects.all().delete(), "ledger_cut"),
    "the head": (lambda _: Tournament.objects.update(ledger_head="0" * 64), "ledger_cut"),
    "the version": (lambda _: Tournament.objects.update(version=F("version") - 1), "ledger_cut"),
}


@pytest.mark.parametrize("what", LEDGER)
def test_a_ledger_that_was_changed_is_found(made: Event, what: str) -> None:
    change, expected = LEDGER[what]
    triggers.drop(connection)
    change(made)
    assert expected in codes(made)


def test_a_tail_that_was_cut_with_its_facts_and_its_version_is_found(made: Event) -> None:
    """Somebody who undoes the last round everywhere still does not have the head's digest from before."""
    triggers.drop(connection)
    last = LedgerRow.objects.latest("sequence")
    Play.objects.latest("id").delete()
    last.delete()
    Tournament.objects.update(version=F("version") - 1)
    assert codes(made) == {"ledger_cut"}


def test_a_running_game_and_every_kind_of_contest_is_clean() -> None:
    session = running_session(players=3)
    started_game(session)
    assert codes(session) == set()


def test_a_finding_reads_as_a_line(made: Event) -> None:
    Seat.objects.filter(position=3).update(position=9)
    (finding,) = [finding for finding in verify(made.refresh().tournament) if finding.code == "row_altered"]
    assert '"position":3' in finding.expected
    assert '"position":9' in finding.found
    assert str(finding).startswith(f"row_altered {finding.where}: the ledger says ")


def test_what_was_erased_is_no_finding(made: Event) -> None:
    made.act(actions.edit_entry, entry=made.uids[0], public_name="Erased", start_number=1)
    assert codes(made) == set()
