"""What every page to be printed has: the size of its paper, its language, and its address for others."""

from contextlib import AbstractContextManager
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language_info, override

from tournament.models import Tournament
from tournament.results.typed import number_or_none

LONGEST = 5  # digits of a number in the address
PAPERS = {"a4": "A4", "letter": "Letter"}  # names of sizes, the same in every language


def paper_context(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """`section`, and what templates/organiser/print/base.html wants: the `papers` and `languages` to choose from, the
    `paper` that the address names, A4 where it names none, and the language of what is on it."""
    paper = request.GET.get("paper", "")
    return {
        "section": "events",
        "papers": PAPERS.items(),
        "paper": paper if paper in PAPERS else "a4",
        "languages": [
            (code, get_language_info(code)["name_local"].capitalize()) for code, _name in settings.LANGUAGES
        ],
        "paper_language": _language(request, tournament),
    }


def on_paper(request: HttpRequest, tournament: Tournament) -> AbstractContextManager[None]:
    """Within it words are in the language of the paper: players read it, and the organiser the page around it."""
    return override(_language(request, tournament))


def _language(request: HttpRequest, tournament: Tournament) -> str:
    """The one that the address names, else the event's."""
    asked = request.GET.get("language", "")
    return asked if asked in dict(settings.LANGUAGES) else str(tournament.language)


def number_in(request: HttpRequest, field: str, usual: int, most: int) -> int:
    """The whole number, 1 to `most`, that the address gives for the field; else the usual one."""
    number = number_or_none(request.GET.get(field, ""), longest=LONGEST)
    return usual if number is None else min(max(number, 1), most)
