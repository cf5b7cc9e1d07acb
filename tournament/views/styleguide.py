"""Every component with its states on one page, for those who build pages; only while DEBUG is on."""

import datetime
from typing import Any

from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from rulesets import RULESETS
from tournament.templatetags.lastcard import CARD_NAMES, STATES
from tournament.views.components import (
    Clock,
    Comparison,
    ComparisonRow,
    Heat,
    HeatPlayer,
    StandingsRow,
    StandingsTable,
    Tile,
    card_pad,
)


class SampleForm(forms.Form):
    """One field of each kind; the template shows it empty and with what is wrong."""

    name = forms.CharField(label="Name of the event", max_length=80)
    target = forms.IntegerField(label="Target", min_value=250, max_value=500, help_text="250 to 500 points")
    ruleset = forms.ChoiceField(
        label="Rules", choices=[(ruleset.id, ruleset.name) for ruleset in RULESETS.values()], required=False
    )
    accepted = forms.BooleanField(label="The players have accepted the terms", required=False)


PLAYERS = [
    ("aino", "Aino Virtanen"),
    ("veikko", "Veikko Mäkelä"),
    ("noora", "Noora Lehtonen"),
    ("mohamed", "محمد"),
    ("bjorn", "Björn Söderström-Lindqvist"),
    ("pii", "Pii"),
]


def _standings() -> StandingsTable:
    club = ["TiTe", "Elepaja", "", "TiTe", "Kinginmäki", ""]
    points = [412, 371, 371, 208, 96, 0]
    moved = [1, -1, 2, 0, None, None]
    return StandingsTable(
        caption="Standings of the final after round 11",
        unit="Points",
        extras=("Rounds won", "Last round"),
        rows=[
            StandingsRow(
                key=key,
                url=f"#{key}",
                place=None if key == "pii" else (1, 2, 2, 4, 5)[at],
                name=name,
                club=club[at],
                value=str(points[at]) if key != "pii" else "–",
                state="disqualified" if key == "pii" else "",
                moved=moved[at],
                extras=(str(4 - at if at < 4 else 0), "+31" if at == 0 else "0"),
                percent=None if key == "pii" else points[at] * 100 // 500,
                line_after="Through to the final" if key == "noora" else "",
            )
            for at, (key, name) in enumerate(PLAYERS)
        ],
    )


def _tiles() -> list[Tile]:
    return [
        Tile(
            key="t1",
            number=1,
            title="Final, table 1",
            state="running",
            note="round 12, 34 min",
            url="#t1",
            people=[name for _key, name in PLAYERS[:4]],
            last="Round 11 by Mika, 12:41",
        ),
        Tile(
            key="t2",
            number=2,
            title="Heat 2",
            state="act",
            note="52 min",
            url="#t2",
            people=["Kaisa", "Otto", "Ville"],
            act="Nothing entered for 20 minutes",
        ),
        Tile(
            key="t3",
            number=13,
            title="Heat 3",
            state="finished",
            url="#t3",
            people=["Sini", "Arttu"],
            last="12:10",
        ),
    ]


def _comparison() -> Comparison:
    return Comparison(
        yours="you, 12:41",
        theirs="Mika, 12:40",
        rows=[
            ComparisonRow(what="Out first", yours="Aino", theirs="Aino"),
            ComparisonRow(what="Veikko", yours="7 7 +2 = 34", theirs="7 +2 = 27"),
            ComparisonRow(what="Noora", yours="Wild = 50", theirs="Wild = 50"),
        ],
    )


@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    """All components. In DEBUG only, since it is of no use to a visitor."""
    if not settings.DEBUG:
        raise Http404
    ruleset = RULESETS["mattel-112"]
    wrong = SampleForm({"name": "", "target": "600"})
    wrong.is_valid()
    context: dict[str, Any] = {
        "cards": list(CARD_NAMES),
        "colours": ["red", "yellow", "green", "blue"],
        "states": list(STATES),
        "hand": {"7": 2, "0": 1, "draw2": 1, "wild": 1},
        "table": _standings(),
        "tiles": _tiles(),
        "conflict": _comparison(),
        "change": _comparison(),
        "form": SampleForm(),
        "wrong": wrong,
        "names": ["Aino Virtanen"],
        "pad": card_pad(
            PLAYERS,
            copies=ruleset.deck,
            points=ruleset.points,
            typed={"hand-veikko-7": 2, "hand-veikko-draw2": 1},
            winners=True,
            winner="aino" if "winner" in request.GET else "",
            errors={"noora": "Aino’s last card was Draw 2, so this hand has at least 3 cards."}
            if "wrong" in request.GET
            else {},
        ),
        "heat": Heat(players=[HeatPlayer(key=key, name=name) for key, name in PLAYERS], advance=2),
        "clocks": [
            Clock(elapsed_s=1234, state="running", label="Game 3, table 2", note="started 18:02"),
            Clock(elapsed_s=3600, state="limit", label="Game 2, table 1", note="The hour is up"),
        ],
        "steps": ["Event", "Players", "Tables", "Start"],
        "follows": ["Aino reaches 500 a round earlier.", "Round 12 is set aside until you decide."],
        "now": datetime.datetime(2026, 11, 14, 12, 41, 7, tzinfo=datetime.UTC),
    }
    return render(request, "styleguide.html", context)
