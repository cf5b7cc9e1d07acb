"""Which statements a save and the board send: a new one is seen by its name."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.support.desk import filled, open_page, record_url
from tests.support.factories import StaffFactory, running_match
from tournament.results.contests import contest_now

pytestmark = [pytest.mark.django_db, pytest.mark.both]

STATEMENT = re.compile(r'(SELECT|INSERT|UPDATE|DELETE).*?(?:FROM|INTO|UPDATE) "(?:tournament|django)_(\w+)"')
AROUND = {"SAVEPOINT": "begin", "RELEASE": "commit"}  # a test is a transaction already

ROUND = [
    "begin",
    "SELECT tournament",  # locked until the end
    "SELECT ledgerrow",  # whether the command was accepted before
    "INSERT play",
    "INSERT result",
    "INSERT ledgerrow",
    "UPDATE stage",
    "UPDATE tournament",
    "commit",
]


@contextmanager
def statements() -> Iterator[list[str]]:
    """Gives the verb and table of each statement of the block, in order, once it is over."""
    said: list[str] = []
    with CaptureQueriesContext(connection) as captured:
        yield said
    for query in captured:
        verb = query["sql"].split(maxsplit=1)[0]
        found = STATEMENT.match(query["sql"]) or re.match(r'(UPDATE) "tournament_(\w+)"', query["sql"])
        said.append(AROUND.get(verb) or (" ".join(found.groups()) if found else query["sql"]))


@pytest.fixture
def staff(client: Client) -> Client:
    """A browser of a head referee of every event."""
    client.force_login(StaffFactory())
    return client


def test_a_round_is_saved_by_nine_statements_and_three_that_find_who_sent_it_and_where(
    staff: Client,
) -> None:
    made = running_match(players=3)
    form = filled(made, open_page(staff, "table", made.table.uid))
    contest_now(made.table)  # as far as the last command
    with statements() as said:
        assert staff.post(record_url(made), {**form, "step": "save"}).status_code == 303
    assert said == ["SELECT session", "SELECT user", "SELECT table", *ROUND]


def test_a_referee_of_one_table_is_asked_for_the_role_twice(client: Client) -> None:
    """Once by the page, and once within the lock, so that a role taken away meanwhile counts."""
    made = running_match(players=3)
    client.force_login(made.referee("table_referee", made.table))
    form = filled(made, open_page(client, "table", made.table.uid))
    with statements() as said:
        assert client.post(record_url(made), {**form, "step": "save"}).status_code == 303
    assert said.count("SELECT membership") == 2


def test_the_board_reads_the_event_its_stages_and_players_once(staff: Client) -> None:
    made = running_match(players=9, tables=3)  # more than the board names one by one
    contest_now(made.table)
    with statements() as said:
        open_page(staff, "organise-board", made.tournament.slug)
    assert len(said) <= 20
    for once in ("tournament", "stage", "entry", "seat"):
        assert said.count(f"SELECT {once}") == 1
