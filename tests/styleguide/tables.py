"""Samples: standings, tables, clocks."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from tests.styleguide.samples import CLUB, EVENT, LONG, NAMES, ONE_WORD, Part, Sample, focused
from tournament.models import Announcement, Tournament
from tournament.pages.calls import CallLine
from tournament.pages.components import Clock, StandingsRow, StandingsTable, Tile
from tournament.pages.public.scenes import RoomClock

AT = datetime(2026, 5, 9, 12, 41, 7, tzinfo=UTC)


def _row(place: int | None, name: str, value: str, **more: Any) -> StandingsRow:
    return StandingsRow(key=f"r{place}{len(name)}", place=place, name=name, value=value, **more)


STANDINGS = Part(
    "standings",
    "Who has which place; a row leads to why.",
    [
        Sample(
            state="while it is played",
            context={
                "table": StandingsTable(
                    caption="Standings",
                    unit="Points",
                    extras=("Rounds", "Best"),
                    rows=[
                        _row(1, NAMES[0], "412", url="#", club=CLUB, moved=2, percent=82, extras=("9", "84")),
                        _row(2, NAMES[1], "388", url="#", moved=-1, percent=77, extras=("9", "61")),
                        _row(2, NAMES[2], "388", url="#", state="late", percent=77, extras=("8", "70")),
                        _row(4, NAMES[3], "0", url="#", percent=0, extras=("9", "0")),
                    ],
                )
            },
        ),
        Sample(
            state="long names, finished",
            context={
                "table": StandingsTable(
                    caption="Standings",
                    unit="Average",
                    rows=[
                        _row(1, LONG, "1,204.25", url="#", state="winner", club=ONE_WORD),
                        _row(2, ONE_WORD, "987.50", url="#", state="through"),
                        _row(None, NAMES[3], "–", state="left"),
                    ],
                )
            },
        ),
        Sample(
            state="nobody yet", context={"table": StandingsTable(caption="Standings", unit="Points", rows=[])}
        ),
    ],
)

_LATER = AT + timedelta(minutes=20)
_ROOM = RoomClock(slug="cup", title="Heats", stage=UUID(int=1), started_at=AT, until=_LATER, last_hand=2)
_PEOPLE = NAMES[:3]
_SAID = [
    Announcement(
        uid=UUID(int=number),
        tournament=Tournament(name=EVENT, slug="open", time_zone="Europe/Helsinki", language="en"),
        words={"en": words},
        at=AT,
        until=until,
    )
    for number, words, until in (
        (1, "Final in five minutes at table 1", AT + timedelta(minutes=15)),
        (2, f"Food at 19. {LONG} knows where.", None),
    )
]
_CALLS = [
    CallLine(UUID(int=number), f"Table {number}", EVENT, "#", "asks for a referee", who, AT, "12:41", 260)
    for number, who in ((4, NAMES[0]), (11, LONG))
]


def _tile(number: int, state: str, **more: Any) -> Tile:
    return Tile(key=f"t{number}", number=number, title=f"Table {number}", state=state, **more)


TABLES = [
    Part(
        "tile",
        "One table, on the desk and on the event board; red only when somebody must act.",
        [
            Sample(state="waiting", context={"tile": _tile(1, "ready", url="#", people=_PEOPLE)}),
            Sample(
                state="running",
                context={
                    "tile": _tile(
                        2,
                        "running",
                        url="#",
                        people=_PEOPLE,
                        elapsed_s=1500,
                        note="Round 4",
                        referees=[NAMES[3]],
                        last="Round 3 at 12:41",
                    )
                },
            ),
            Sample(
                state="somebody must act",
                context={"tile": _tile(3, "act", url="#", people=_PEOPLE, act="Two results wait for a look")},
            ),
            Sample(
                state="quiet for long",
                context={"tile": _tile(4, "running", people=_PEOPLE, quiet="Nothing entered for 25 minutes")},
            ),
            Sample(
                state="finished",
                context={"tile": _tile(5, "finished", url="#", people=_PEOPLE, last="Ended at 13:05")},
            ),
            Sample(
                state="long names",
                context={"tile": _tile(128, "running", url="#", people=(LONG, ONE_WORD), waits=[ONE_WORD])},
            ),
            Sample(
                state="focus",
                context={"tile": _tile(6, "ready", url="#", people=_PEOPLE)},
                done=focused,
            ),
        ],
    ),
    Part(
        "calls",
        "Who waits for a referee, the longest first.",
        [
            Sample(state="nobody: nothing", context={"calls": []}),
            Sample(
                state="two",
                context={"calls": _CALLS, "calls_back": "board", "several": True},
            ),
        ],
    ),
    Part(
        "said",
        "What is said to everybody at an event, above its pages.",
        [
            Sample(state="nothing", context={"said": []}, as_source=True),
            Sample(
                state="two",
                context={"said": _SAID, "tournament": _SAID[0].tournament, "shared": True},
            ),
        ],
    ),
    Part(
        "hall_clock",
        "The room's time: of play, with more for a table, paused, and of a break.",
        [
            Sample(state="runs", context={"clock": _ROOM, "alarm": True}),
            Sample(state="a table plays longer", context={"clock": replace(_ROOM, table=3, extra=5)}),
            Sample(
                state="paused", context={"clock": replace(_ROOM, until=None, left_s=754, goes_on_at=_LATER)}
            ),
            Sample(
                state="break", context={"clock": replace(_ROOM, title="Break", stage=None, goes_on_at=_LATER)}
            ),
        ],
    ),
    Part(
        "clock",
        "The game's time, from the server's start.",
        [
            Sample(
                state=state,
                context={
                    "clock": Clock(elapsed_s=elapsed, state=state, label="Game 3", note=note),
                    "alarm": state == "running",
                },
            )
            for state, elapsed, note in (
                ("waiting", 0, "Starts with the first card"),
                ("running", 1384, "Until 13:18"),
                ("stopped", 2210, "Ended at 12:54"),
                ("limit", 3600, "Count the cards that are left"),
            )
        ],
    ),
]
