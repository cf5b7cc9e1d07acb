"""Long workbooks: written by a process of their own, kept, and handed to those who may read them."""

from datetime import datetime

import pytest
from django.test import Client

from tests.extras.workbook.files.workbook_jobs import (
    asleep,
    book_of,
    fragment,
    in_its_place,
    in_this_process,
    played,
    rounds_in,
    series_of,
    until,
    when_ready,
    workbook_of,
)
from tests.support.factories import recorded_round
from tournament.extras.workbook.files import jobs
from tournament.extras.workbook.files.jobs import Job
from tournament.server.exports import folder
from tournament.server.rate_limits import WorkbookThrottle

pytestmark = [pytest.mark.both, pytest.mark.usefixtures("kept_here")]


# ---- a job ----


@pytest.mark.server
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
    assert len(list(folder().glob("job-*.lock"))) == 1
    waiting = client.get(page)
    text = waiting.content.decode()
    assert "<progress" in text
    assert '<noscript><meta http-equiv="refresh" content="1"></noscript>' in text
    assert "<html" not in fragment(client, page)
    ready = until(lambda: when_ready(client, page))
    file = ready["Refresh"].removeprefix("0; url=")
    assert f'href="{file}"' in ready.content.decode()
    assert fragment(client, page, ready=True)
    monkeypatch.setattr(jobs, "_started", None)  # from now on nothing is begun
    for address in (file, book_of(made)):
        answer = client.get(address)
        assert (answer["Cache-Control"], rounds_in(answer.getvalue())) == ("no-store", 1)
        assert client.head(address)["Content-Disposition"] == answer["Content-Disposition"]
    assert not client.cookies
    assert not jobs._state(series_of(made)).exists()


@pytest.mark.sweep
@pytest.mark.server
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
    assert "The server’s disk is full" in text
    assert "<progress" not in text
    assert f'href="{book_of(made)}"' in text
    assert {path.suffix for path in folder().iterdir()} == {".json", ".lock"}


@pytest.mark.django_db
def test_where_not_even_a_job_can_be_noted_the_disk_is_full(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    made = played()
    monkeypatch.setattr(jobs, "_write", full)
    page = client.get(book_of(made))["Location"]
    assert "The server’s disk is full" in client.get(page).content.decode()
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
    folder().mkdir()
    half = folder() / f"{series_of(made)}.0.part"
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
    events = [played() for _ in range(jobs.JOBS_AT_ONCE + 1)]
    processes = asleep(monkeypatch)
    *_, page = [client.get(book_of(made))["Location"] for made in events]
    assert "Waiting for other Excel files to be created" in client.get(page).content.decode()
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
    assert "Too many downloads from this network just now" in text
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
    assert f"As of {at.hour}:" in text
    assert f"(ledger row {made.tournament.version})" in text
    assert "has changed since" in text
    assert len(begun) == 1
    old = f"{page.rstrip('/')}.xlsx"
    assert rounds_in(client.get(old).getvalue()) == 1
    assert rounds_in(workbook_of(client, made)) == 2
    assert client.get(page.replace(str(made.tournament.version), "99999")).status_code == 404
    assert client.get(f"/en/t/{made.tournament.slug}/results/99999.xlsx")["Location"] == book_of(made)
