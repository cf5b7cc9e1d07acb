"""The page of the styleguide."""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from rulesets import BLACK_CARDS, CARDS
from tests.styleguide import colours, entry, forms, small, tables
from tests.styleguide.samples import EVENT, Drawn, Part, Sample, draw
from tournament.models import User
from tournament.templatetags.lastcard import COLOURS

SECTIONS: Sequence[tuple[str, Sequence[Part]]] = (
    ("Mark", [small.MARK]),
    ("Cards, hands, places", small.CARDS),
    ("States", [small.STATUS]),
    ("What is true", small.WORDS),
    ("Standings and tables", [tables.STANDINGS, *tables.TABLES]),
    ("Forms", forms.FORMS),
    ("Two versions", forms.COMPARISONS),
    ("Entering", entry.ENTRY),
    ("This phone", entry.PHONE),
    (
        "In the head, unseen",
        [
            Part(
                "htmx_config",
                "How htmx is set, where a page loads it.",
                [Sample(state="source", as_source=True)],
            ),
            Part(
                "share",
                "What a message shows of a link to a public page.",
                [
                    Sample(
                        state="source",
                        context={
                            "title": EVENT,
                            "address": "https://lastcard.example/en/",
                            "picture": "https://lastcard.example/static/share.png",
                        },
                        as_source=True,
                    )
                ],
            ),
        ],
    ),
)
SOMEBODY = User(username="aino", first_name="Aino", last_name="Lindqvist-Mäkelä", is_staff=True)  # signed in
TYPE = ("s", "m", "l", "xl", "2xl", "3xl", "4xl", "5xl")
BUTTONS = ("", "primary", "danger", "danger button--primary", "quiet")


@dataclass(frozen=True)
class Pair:
    """Two colours, one on the other, in one scheme."""

    front: str
    ground: str
    front_colour: str
    ground_colour: str
    least: float

    @property
    def contrast(self) -> float:
        return colours.contrast(self.front_colour, self.ground_colour)

    @property
    def is_enough(self) -> bool:
        return self.contrast >= self.least


def _pairs(scheme: int) -> Iterator[Pair]:
    tokens = colours.tokens()
    for pairs, least in ((colours.TEXT, 4.5), (colours.SHAPES, 3.0)):
        for front, ground in pairs:
            yield Pair(front, ground, tokens[front][scheme], tokens[ground][scheme], least)


@dataclass(frozen=True)
class Section:
    title: str
    parts: Sequence[tuple[Part, Sequence[Drawn]]]


@never_cache
@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    """/<language>/styleguide/"""
    asked = copy(request)
    asked.user = SOMEBODY

    def render_part(template: str, context: Mapping[str, Any]) -> str:
        return render_to_string(template, dict(context), asked)

    context = {
        "sections": [
            Section(
                title,
                [
                    (part, [draw(part, place, render_part) for place in range(len(part.samples))])
                    for part in parts
                ],
            )
            for title, parts in SECTIONS
        ],
        "schemes": [("light", list(_pairs(0))), ("dark", list(_pairs(1)))],
        "sizes": TYPE,
        "buttons": BUTTONS,
        "cards": [
            (kind, "" if kind in BLACK_CARDS else sorted(COLOURS)[n % 4]) for n, kind in enumerate(CARDS)
        ],
        "card_sizes": ("small", "", "large", "huge"),
    }
    return render(request, "styleguide/styleguide.html", context)
