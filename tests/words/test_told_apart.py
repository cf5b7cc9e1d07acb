"""Three people whose names read the same, in events with everything: no page, part, print, screen, feed, workbook or
answer of the API names one of them without what tells them apart."""

import html
import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client

from tests.depth import FULL
from tests.roles.world import world
from tests.support.crawler import crawl, guesses
from tests.support.factories import Event, running_session, started_game
from tournament import actions
from tournament.models import Entry, Play, Stage, Table

pytestmark = [pytest.mark.django_db, pytest.mark.sweep]

# Where a name stands as it was typed: in a form that changes it, and in the API beside the name as it is shown.
TYPED = re.compile(r'value="Ze\u00ad?lda"|"public_name": ?"Ze\u00ad?lda"', re.IGNORECASE)
BARE = re.compile(r"Ze\u00ad?lda(?! #\d| \(Noppa\)| \(\d)[^<\n]{0,60}", re.IGNORECASE)
# Addresses that end a visit, are about several events, give a list as it was read, or take nothing but commands.
# Among an organiser's people the real name tells apart.
ELSEWHERE = re.compile(
    r"sign-out|/en/o/|/people/|pages\.zip|/players\.(?:csv|xlsx)$"
    r"|/api/v1/(?!tournaments/[^/]+/(?:entries|stages)$|entries/[^/]+$|stages/[^/]+/(?:tables|sheets|standings)$)"
)


def named_alike(made: Event) -> list[Entry]:
    """Three of the players at the first table, one of a club of their own, one with a letter that nobody sees, as rows
    of before may have."""
    rows = [Entry.objects.get(uid=uid) for uid in made.at(made.table)[:3]]
    for row, name, club in zip(rows, ("Zelda", "ZELDA", "Zelda"), ("", "", "Noppa"), strict=True):
        more = {"start_number": row.start_number, "public_name": name, "club": club}
        made.act(actions.edit_entry, entry=row.uid, birth_date=row.player.birth_date, **more)
    Entry.objects.filter(pk=rows[1].pk).update(public_name="ZE\u00adLDA")
    made.act(actions.mark_paid, entries=[made.entries[-1].uid])
    return [Entry.objects.get(pk=row.pk) for row in rows]


def championship() -> tuple[Event, Mapping[str, Any]]:
    """Heats and a frozen final, with all that an event can have."""
    made = world().events["own"]
    parts = {part: [value] for part, value in made.values.items() if part not in {"keys", "entry", "kind"}}
    stages = Stage.objects.filter(tournament=made.event.tournament).values_list("uid", flat=True)
    return made.event, parts | {"token": made.tokens.values(), "stage": stages}


def session() -> tuple[Event, Mapping[str, Any]]:
    """A session with a game that counts and one that runs."""
    made = running_session(tables=1)
    play = started_game(made, elapsed_s=600)
    for entry in made.uids[:3]:
        made.act(actions.record_out, play=play, entry=entry, elapsed_s=300)
    started_game(made)
    tournament, plays = made.tournament, Play.objects.filter(table=made.table).values_list("uid", flat=True)
    parts = {"slug": [tournament.slug], "tournament": [tournament.uid], "stage": [made.stage.uid]}
    return made, parts | {"table": [made.table.uid], "play": plays, "page": [1]}


@pytest.mark.parametrize("arranged", [championship, session])
def test_people_whose_names_read_the_same_are_told_apart_everywhere(arranged: Any) -> None:
    made, parts = arranged()
    rows = named_alike(made)
    first, second, _third = (row.start_number for row in rows)
    assert [row.shown_name for row in rows] == [f"Zelda #{first}", f"ZE\u00adLDA #{second}", "Zelda (Noppa)"]
    known = {**parts, "entry": [row.uid for row in (rows if FULL else rows[:1])]}
    if FULL:
        tables = Table.objects.filter(stage__tournament=made.tournament)
        known |= {
            "table": tables.values_list("uid", flat=True),
            "play": tables.values_list("plays__uid", flat=True),
        }
    client = Client()
    client.force_login(made.user)
    starts = [address for address in guesses(("en",), **known) if not ELSEWHERE.search(address)]
    visited = {
        address: html.unescape(answer.text)
        for address, answer in crawl(*starts, client=client, follow=False).items()
    }
    assert sum("elda #" in text for text in visited.values()) > 20
    assert {
        address: BARE.findall(text) for address, text in visited.items() if BARE.search(TYPED.sub("", text))
    } == {}
