"""Long workbooks: written by a process of their own, kept, and handed to whoever may read them."""

import os
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import IO, Any

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from openpyxl import load_workbook
from pytest_django import Settings

from tests.support.factories import Event, add_stage, event, recorded_round
from tests.support.processes import on_this_database
from tournament import actions
from tournament.files.workbook import cache as kept, jobs
from tournament.files.workbook.jobs import Job, Series
from tournament.server.rate_limits import WorkbookThrottle

pytestmark = pytest.mark.both

PATIENCE_S = 60
COMMAND = jobs._command


@pytest.fixture(autouse=True)
def _kept_here(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every event is big; workbooks are kept in a folder of the test's own, by processes too."""
    settings.WORKBOOK_AT_ONCE = 0
    settings.DATA_DIR = tmp_path
    for name, value in (on_this_database() | {"LASTCARD_DATA": str(tmp_path)}).items():
        monkeypatch.setenv(name, value)
    cache.clear()
    yield
    until(lambda: not jobs._is_held(kept.folder() / "job-0.lock"))


def in_this_process(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """From now on jobs are done at once and within the test's transaction; gives the slug of each that was begun."""
    slugs: list[str] = []

    def started(series: Series, slug: str, _locks: list[int]) -> subprocess.Popen[bytes]:
        slugs.append(slug)
        call_command("export_workbook", *COMMAND(series, slug)[3:])
        return subprocess.Popen(["true"])

    monkeypatch.setattr(jobs, "_started", started)
    monkeypatch.setattr("signal.alarm", lambda _seconds: 0)
    monkeypatch.setattr("os.nice", lambda _more: 0)
    return slugs


def asleep(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """From now on jobs sleep; gives the process of each that was begun."""
    processes: list[subprocess.Popen[bytes]] = []
    start = jobs._started
    in_its_place(monkeypatch, "sleep", str(PATIENCE_S))

    def started(series: Series, slug: str, locks: list[int]) -> subprocess.Popen[bytes]:
        processes.append(start(series, slug, locks))
        return processes[-1]

    monkeypatch.setattr(jobs, "_started", started)
    return processes


def in_its_place(monkeypatch: pytest.MonkeyPatch, *command: str) -> None:
    """A job's process does this instead."""
    monkeypatch.setattr(jobs, "_command", lambda _series, _slug: list(command))


def until(true: Callable[[], Any]) -> Any:
    """Wait for what another process brings about."""
    end = time.monotonic() + PATIENCE_S
    while not (found := true()):
        assert time.monotonic() < end
        time.sleep(0.02)
    return found


def played(**more: Any) -> Event:
    """An event with a round of a match; `more` as for `event`."""
    made = add_stage(event("mattel-108", players=3, **more), "match")
    recorded_round(made)
    return made.refresh()


def book_of(made: Event) -> str:
    return f"/en/t/{made.tournament.slug}/results.xlsx"


def series_of(made: Event, audience: str = kept.EVERYBODY) -> Series:
    return Series(made.tournament.uid, audience, made.tournament.language)


def rounds_in(content: bytes) -> int:
    """How many rounds a workbook tells of."""
    sheet = load_workbook(BytesIO(content))["Rounds"]
    return len({row[2] for row in sheet.iter_rows(min_row=2, values_only=True)})


def workbook_of(client: Client, made: Event) -> bytes:
    """The workbook that one gets who asks and waits."""
    answer = client.get(book_of(made))
    while answer.status_code == 303:
        answer = client.get(answer["Location"])
    if "Refresh" in answer:
        answer = client.get(re.fullmatch(r"0; url=(.*)", answer["Refresh"])[1])  # type: ignore[index]
    assert answer.status_code == 200, answer.content
    return answer.getvalue()


def when_ready(client: Client, page: str) -> Any:
    answer = client.get(page)
    return answer if "Refresh" in answer else None


def fragment(client: Client, page: str, *, ready: bool = False) -> str:
    """What htmx gets of the page; when the workbook is ready it is told to load the whole page."""
    answer = client.get(page, headers={"HX-Request": "true"})
    assert ("HX-Refresh" in answer, "Refresh" in answer) == (ready, False)
    return str(answer.content.decode())


# ---- a job ----


@pytest.mark.django_db(transaction=True)
def test_a_long_workbook_is_written_by_a_process_beside_the_server_and_then_kept(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = played()
    asked = client.get(book_of(made))
    page = asked["Location"]
    assert (asked.status_code, page) == (
        303,
        f"/en/t/{made.tournament.slug}/results/{made.tournament.version}/",
    )
    assert client.get(book_of(made))["Location"] == page  # the second shares it: one process for both
    assert len(list(kept.folder().glob("job-*.lock"))) == 1
    waiting = client.get(page)
    text = waiting.content.decode()
    assert "<progress" in text
    assert '<noscript><meta http-equiv="refresh" content="1"></noscript>' in text
    assert "<html" not in fragment(client, page)
    ready = until(lambda: when_ready(client, page))
    file = re.fullmatch(r"0; url=(/.*)", ready["Refresh"])[1]  # type: ignore[index]
    assert f'href="{file}"' in ready.content.decode()
    assert fragment(client, page, ready=True)
    monkeypatch.setattr(jobs, "_started", None)  # from now on nothing is begun
    for address in (file, book_of(made)):
        answer = client.get(address)
        assert (answer["Cache-Control"], rounds_in(answer.getvalue())) == ("no-store", 1)
        assert client.head(address)["Content-Disposition"] == answer["Content-Disposition"]
    assert not client.cookies
    assert not jobs._state(series_of(made)).exists()


@pytest.mark.django_db(transaction=True)
def test_a_disk_that_is_full_leaves_no_half_workbook_and_says_so(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = played()
    command = jobs._command(series_of(made), made.tournament.slug)
    in_its_place(monkeypatch, "bash", "-c", 'ulimit -f 1; exec "$@"', "bash", *command)
    page = client.get(book_of(made))["Location"]
    until(lambda: (job := jobs.look(series_of(made))) and job.why == "full")
    text = client.get(page).content.decode()
    assert "no room left on the computer’s disk" in text
    assert "<progress" not in text
    assert f'href="{book_of(made)}"' in text
    assert {path.suffix for path in kept.folder().iterdir()} == {".json", ".lock"}


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
    assert list(kept.folder().iterdir()) == []


@pytest.mark.django_db
def test_where_not_even_a_job_can_be_noted_the_disk_is_full(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    made = played()
    monkeypatch.setattr(jobs, "_write", full)
    page = client.get(book_of(made))["Location"]
    assert "no room left" in client.get(page).content.decode()
    assert not jobs._is_held(jobs._lock(series_of(made)))


@pytest.mark.django_db
def test_a_job_that_was_killed_can_be_tried_again(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    made = played()
    processes = asleep(monkeypatch)
    page = client.get(book_of(made))["Location"]
    assert "Reading the results" in client.get(page).content.decode()
    processes[0].kill()
    until(lambda: (job := jobs.look(series_of(made))) and job.why == "stopped")
    text = client.get(page).content.decode()
    assert "was stopped" in text
    assert "Try again" in text
    assert len(processes) == 1  # looking at the page begins none
    in_this_process(monkeypatch)
    assert rounds_in(workbook_of(client, made)) == 1


@pytest.mark.django_db
def test_a_job_that_ended_with_its_server_is_begun_anew_three_times_at_most(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = played()
    kept.folder().mkdir()
    half = kept.folder() / f"{series_of(made)}.0.part"
    half.write_bytes(b"PK")
    jobs._write(series_of(made), Job(5, 10, tries=jobs.MOST_TRIES))
    page = client.get(book_of(made))["Location"]
    assert "was stopped" in client.get(page).content.decode()
    jobs._write(series_of(made), Job(5, 10, tries=jobs.MOST_TRIES - 1))
    begun = in_this_process(monkeypatch)
    assert "Refresh" in client.get(client.get(page).wsgi_request.path)
    assert begun == [made.tournament.slug]
    assert not half.exists()


@pytest.mark.django_db
def test_a_job_outlives_the_server_that_began_it(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    made = played()
    processes = asleep(monkeypatch)
    monkeypatch.setattr(jobs, "_watch", lambda _process, _series, held: held.close())  # the server is gone
    client.get(book_of(made))
    until(lambda: jobs.look(series_of(made)) == Job())
    assert jobs.begin(series_of(made), made.tournament.slug) == "waits"
    processes[0].kill()
    processes[0].wait()
    until(lambda: jobs.look(series_of(made)) is None)  # the thread that lets go may come last


@pytest.mark.django_db
def test_two_jobs_run_at_once_and_the_next_waits_for_one_to_end(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = [played() for _ in range(jobs.AT_ONCE + 1)]
    processes = asleep(monkeypatch)
    *_, page = [client.get(book_of(made))["Location"] for made in events]
    assert "Other workbooks are written first" in client.get(page).content.decode()
    processes[0].kill()
    until(lambda: jobs.look(series_of(events[0])))
    in_this_process(monkeypatch)
    until(lambda: when_ready(client, page))


@pytest.mark.django_db
def test_a_visitor_begins_only_a_few_and_the_organiser_any(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WorkbookThrottle, "rate", "1/hour")
    begun = in_this_process(monkeypatch)
    made = played()
    workbook_of(client, made)
    recorded_round(made)
    page = client.get(book_of(made))["Location"]
    text = client.get(page).content.decode()
    assert "Many workbooks were asked for from here" in text
    assert f"/results/{made.tournament.version}.xlsx" in text  # the older one
    client.force_login(made.user)
    assert rounds_in(workbook_of(client, made)) == 2
    assert len(begun) == 2


# ---- what is kept, and for whom ----


@pytest.mark.django_db
def test_an_older_workbook_says_as_of_when_it_is_and_offers_a_newer_one(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = in_this_process(monkeypatch)
    made = played()
    page = client.get(book_of(made))["Location"]
    assert "has changed since" not in client.get(page).content.decode()
    recorded_round(made)
    text = client.get(page).content.decode()
    at = datetime.now(made.tournament.zone)
    assert f"As of {at:%H:}" in text
    assert f"after entry {made.tournament.version} of the event" in text
    assert "has changed since" in text
    assert len(begun) == 1
    old = f"{page.rstrip('/')}.xlsx"
    assert rounds_in(client.get(old).getvalue()) == 1
    assert rounds_in(workbook_of(client, made)) == 2
    assert client.get(page.replace(str(made.tournament.version), "99999")).status_code == 404
    assert client.get(f"/en/t/{made.tournament.slug}/results/99999.xlsx")["Location"] == book_of(made)


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
    assert ("Ledger" in load_workbook(BytesIO(own)).sheetnames, rounds_in(own)) == (True, 2)
    for _ in range(2):  # written, kept
        seen = workbook_of(visitor, made)
        assert ("Ledger" in load_workbook(BytesIO(seen)).sheetnames, rounds_in(seen)) == (False, 1)
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
    (file,) = kept.folder().glob("*.xlsx")
    file.rename(file.with_name(f"{file.stem.rpartition('-')[0]}-{'0' * kept.DIGITS}.xlsx"))
    workbook_of(client, made)
    assert len(begun) == 2


@pytest.mark.django_db
def test_old_workbooks_are_taken_away_and_the_oldest_where_there_are_too_many(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_this_process(monkeypatch)
    made = played()
    folder = kept.folder()
    folder.mkdir()
    now = datetime.now(UTC).timestamp()
    monkeypatch.setattr(kept, "MOST_BYTES", 200_000)
    for name, days, size in [
        ("a.xlsx", 1, 99_000),
        ("b.xlsx", 2, 99_000),
        ("c.xlsx", 8, 1),
        ("d.part", 8, 1),
        ("e.lock", 8, 0),
    ]:
        (folder / name).write_bytes(b"." * size)
        os.utime(folder / name, (now - days * 86400,) * 2)
    workbook_of(client, made)
    assert {path.name for path in folder.glob("?.*")} == {"a.xlsx", "e.lock"}
    (file,) = folder.glob(f"{made.tournament.uid}*.xlsx")
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
    (left,) = kept.folder().glob("*.xlsx")
    assert left.name.startswith(str(other.tournament.uid))


# ---- from the command line ----
