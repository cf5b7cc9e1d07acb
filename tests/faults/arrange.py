"""tests/e2e/arrange.py with more questions for the tests of faults: `python -m tests.faults.arrange`."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from unittest import mock

from django.db import connection
from django.test import Client

from tests.e2e import arrange
from tests.support.factories import started_game
from tournament.ledger.verify import verify
from tournament.models import LedgerRow, Play, Stage, Tournament, User
from tournament.results import contests


def commands(*, slug: str) -> list[list[Any]]:
    """Every command in the event's ledger with its sequence, the oldest first."""
    rows = LedgerRow.objects.filter(tournament__slug=slug).order_by("sequence")
    return [[str(command), sequence] for command, sequence in rows.values_list("command", "sequence")]


def entered(*, slug: str) -> int:
    """How many plays there are."""
    return Play.objects.filter(table__stage__tournament__slug=slug).count()


def wrong(*, slug: str) -> str:
    """List what `verify` finds in one event; "" when it is clean."""
    return "\n".join(map(str, verify(Tournament.objects.get(slug=slug))))


def recomputed(*, slug: str) -> dict[str, str]:
    """Give the event's and its stages' public pages, computed from the rows alone, by address."""
    contests.forget()
    stages = Stage.objects.filter(tournament__slug=slug).order_by("number").values_list("uid", flat=True)
    pages = [f"/en/t/{slug}/", *(f"/en/t/{slug}/stage/{uid}/" for uid in stages)]
    client = Client()
    return {page: client.get(page).content.decode() for page in pages}


def reconnect() -> None:
    """Ask on a new connection: the database went and came back."""
    connection.close()


def start_game_at(*, slug: str, at: str) -> str:
    """Start a game that began at this time by the clocks of the time; gives its uid."""
    made = arrange.EVENTS[slug].refresh()
    with mock.patch("tournament.actions.kernel.work.now", return_value=datetime.fromisoformat(at)):
        return str(started_game(made))


def user(*, username: str) -> str:
    """The uid of this person."""
    return str(User.objects.get(username=username).uid)


CALLS: list[Callable[..., Any]] = [commands, entered, wrong, recomputed, reconnect, start_game_at, user]
arrange.CALLS |= {each.__name__: each for each in CALLS}

if __name__ == "__main__":
    arrange.main()
