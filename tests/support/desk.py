"""Steps that every test of the desk takes: sign somebody in, open a page, send its form."""

import re
from typing import Any
from uuid import UUID, uuid4

from django.test import Client
from django.urls import reverse

from tests.support.factories import Event, recorded_round, running_match
from tests.support.pages import Answer, folded
from tournament.models import Play

HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')


def as_referee(event: Event, **role: Any) -> Client:
    """A client signed in as a new referee of the event."""
    client = Client()
    client.force_login(event.referee(**role))
    return client


def text(page: Any) -> str:
    return folded(page)


def hidden(page: Any) -> dict[str, str]:
    """The hidden fields of a page, the first of each name, without the CSRF token."""
    fields: dict[str, str] = {}
    for name, value in HIDDEN.findall(text(page)):
        if name != "csrfmiddlewaretoken":
            fields.setdefault(name, value)
    return fields


def open_page(client: Client, name: str, *args: Any) -> Answer:
    page = client.get(reverse(name, args=args))
    assert page.status_code == 200, (name, page.status_code)
    return page


def hands(*held: tuple[UUID, str, object]) -> dict[str, str]:
    """(entry, card, count) as the form's fields."""
    return {f"hand-{entry}-{card}": str(count) for entry, card, count in held}


def tap(client: Client, name: str, play: UUID, entry: object, /, **more: str) -> Any:
    """Send the form of a tap on a player of a running game."""
    return client.post(reverse(name, args=[play]), {"command": str(uuid4()), "entry": str(entry), **more})


def outcomes(play: UUID) -> dict[UUID, str]:
    """How each player's game ended, by their uid."""
    rows = Play.objects.get(uid=play).results.select_related("entry")
    return {result.entry.uid: result.outcome for result in rows}


def record_url(made: Event) -> str:
    return reverse("table-record", args=[made.table.uid])


def filled(match: Event, page: Any, **more: str) -> dict[str, str]:
    """The form of a round of three that the first player won with 47 points."""
    first, second, third = match.uids
    held = hands((second, "7", 1), (third, "draw2", 2))
    return {**hidden(page), "winner": str(first), "last": "", **held, **more}


def correction(client: Client, play: UUID, **typed: str) -> dict[str, str]:
    """The form that corrects a play, ready to be looked at."""
    form = open_page(client, "play-correct", play)
    return {**hidden(form), "reason": "Miscounted", "step": "look", **typed}


def ended(rounds: int) -> tuple[Event, list[UUID]]:
    """A match of two to 30 points in which each round gives the first player 7."""
    match = running_match(players=2, target=30)
    return match, [recorded_round(match) for _number in range(rounds)]


def save_correction(client: Client, play: UUID, **typed: str) -> Any:
    """The page that follows a correction."""
    done = client.post(
        reverse("play-correct", args=[play]), correction(client, play, **typed) | {"step": "save"}
    )
    assert done.status_code == 303
    return client.get(done["Location"])


def put_back_words(page: Any) -> str:
    """Give the label of the button that takes a correction back, without the marks that isolate names."""
    return str(page.context["put_back"].words).replace("\u2068", "").replace("\u2069", "")


def paper(session: Event, page: Any, **more: str) -> dict[str, str]:
    """The form of a game from paper: two of three went out."""
    first, second, third = session.uids
    return {
        **hidden(page),
        "ended": "last",
        f"outcome-{first}": "out",
        f"time-{first}": "12:30",
        f"outcome-{second}": "out",
        f"time-{second}": "20.05",
        f"outcome-{third}": "last",
        **more,
    }
