"""The cache of workbooks: which one each reader gets, and which are deleted."""

import os
from datetime import UTC, datetime
from io import BytesIO
from typing import IO

import pytest
from django.core.management import call_command
from django.test import Client
from openpyxl import load_workbook

from tests.extras.workbook.files.workbook_jobs import (
    in_this_process,
    played,
    rounds_in,
    workbook_of,
)
from tests.support.factories import recorded_round
from tournament import actions
from tournament.extras.workbook.files import jobs as kept
from tournament.server.exports import folder

pytestmark = [pytest.mark.both, pytest.mark.usefixtures("kept_here")]


@pytest.mark.django_db
def test_a_workbook_that_breaks_off_is_not_there() -> None:
    def write(file: IO[bytes]) -> None:
        file.write(b"PK")
        raise OSError(28, "No space left on device")

    made = played()
    new = kept.wanted(made.tournament, kept.EVERYBODY)
    with pytest.raises(OSError, match="No space"):
        kept.put(new, datetime.now(UTC), write)
    assert kept.newest(new) is None
    assert list(folder().iterdir()) == []


@pytest.mark.django_db
def test_visitors_never_get_what_is_frozen_nor_the_organisers_workbook(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_this_process(monkeypatch)
    visitor, made = Client(), played()
    made.act(actions.freeze_standings, stage=made.stage.uid)
    recorded_round(made)
    client.force_login(made.user)
    own = workbook_of(client, made)
    assert ("ledger" in load_workbook(BytesIO(own)).sheetnames, rounds_in(own)) == (True, 2)
    for _ in range(2):  # written, kept
        seen = workbook_of(visitor, made)
        assert ("ledger" in load_workbook(BytesIO(seen)).sheetnames, rounds_in(seen)) == (False, 1)
    made.act(actions.lift_freeze, stage=made.stage.uid)
    lifted = made.refresh().tournament.version
    assert rounds_in(workbook_of(visitor, made)) == 2
    made.act(actions.freeze_standings, stage=made.stage.uid)
    for version in (lifted - 1, lifted):  # both were there for visitors, under another freeze
        assert visitor.get(f"/en/t/{made.tournament.slug}/results/{version}.xlsx").status_code == 303


@pytest.mark.django_db
def test_a_workbook_of_another_history_is_not_handed_out(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = in_this_process(monkeypatch)
    made = played()
    workbook_of(client, made)
    (file,) = folder().glob("*.xlsx")
    file.rename(file.with_name(f"{file.stem.rpartition('-')[0]}-{'0' * kept.DIGITS}.xlsx"))
    workbook_of(client, made)
    assert len(begun) == 2


@pytest.mark.django_db
def test_old_workbooks_are_taken_away_and_the_oldest_where_there_are_too_many(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_this_process(monkeypatch)
    made = played()
    place = folder()
    place.mkdir()
    now = datetime.now(UTC).timestamp()
    monkeypatch.setattr(kept, "MOST_BYTES", 200_000)
    for name, days, size in [
        ("a.xlsx", 1, 99_000),
        ("b.xlsx", 2, 99_000),
        ("c.xlsx", 8, 1),
        ("d.part", 8, 1),
        ("e.lock", 8, 0),
    ]:
        (place / name).write_bytes(b"." * size)
        os.utime(place / name, (now - days * 86400,) * 2)
    workbook_of(client, made)
    assert {path.name for path in place.glob("?.*")} == {"a.xlsx", "e.lock"}
    (file,) = place.glob(f"{made.tournament.uid}*.xlsx")
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.django_db
def test_workbooks_of_a_deleted_rehearsal_are_deleted_with_it(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_this_process(monkeypatch)
    rehearsal, other = played(rehearsal=True), played()
    for made in (rehearsal, other):
        workbook_of(client, made)
    call_command("purge", "--all-rehearsals", verbosity=0)
    (left,) = folder().glob("*.xlsx")
    assert left.name.startswith(str(other.tournament.uid))
