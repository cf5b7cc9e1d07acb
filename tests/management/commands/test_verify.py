"""`manage.py verify`: a line for each finding, and the exit code."""

import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from tests.support.factories import Event, recorded_round, running_match
from tournament.ledger import triggers
from tournament.models import (
    Seat,
    Tournament,
)
from tournament.practice.demo import DEMO_EVENTS

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def made() -> Event:
    """A match of three rounds."""
    made = running_match(players=3)
    for _ in range(3):
        recorded_round(made)
    return made.refresh()


def run(*slugs: str) -> tuple[int, str]:
    out = StringIO()
    try:
        call_command("verify", *slugs, stdout=out)
    except CommandError as error:
        return error.returncode, out.getvalue() + str(error)
    return 0, out.getvalue()


@pytest.mark.sweep
def test_the_command_says_that_the_demo_is_clean(tmp_path: Path, settings: Any) -> None:
    settings.DATA_DIR = tmp_path
    call_command("make_demo")
    code, said = run()
    assert code == 0
    assert said.count(": clean, ") == Tournament.objects.count() == len(DEMO_EVENTS)


def test_the_command_ends_with_1_for_any_finding(made: Event) -> None:
    other = running_match(players=2).tournament
    Seat.objects.filter(table=made.table, position=3).update(position=9)
    code, said = run()
    assert code == 1
    assert re.search(
        rf'{made.tournament.slug}: row_altered seat \S+, position: the ledger says {{"position":3}}, ', said
    )
    assert "1 finding\n" in said + "\n"
    assert f"{other.slug}: clean" in said
    assert run(other.slug)[0] == 0
    assert run(made.tournament.slug)[0] == 1


def test_the_command_says_when_the_triggers_are_missing(made: Event) -> None:
    triggers.drop(connection)
    code, said = run()
    assert code == 1
    assert "triggers_missing" in said
    assert f"{made.tournament.slug}: clean" in said


def test_the_command_knows_no_other_tournaments(made: Event) -> None:
    code, said = run("nowhere")
    assert code == 1
    assert "nowhere" in said


def test_the_command_finds_the_row_of_a_digest_that_somebody_kept(made: Event) -> None:
    kept = made.tournament.ledger.get(sequence=4)
    for head in (kept.digest, kept.digest[:16].upper()):
        code, said = run("--head", head)
        assert code == 0
        assert f"{made.tournament.slug}: {head} is row 4 of {kept.at:%Y-%m-%d %H:%M:%S} UTC" in said
    for head in ("0" * 64, kept.digest[:12], "no digest"):
        code, said = run("--head", head)
        assert code == 1
        assert f"head_unknown: no ledger has {head}" in said
