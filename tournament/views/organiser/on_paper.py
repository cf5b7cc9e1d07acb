"""Pages to be printed: paper size and language."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language_info

from tournament.models import Tournament

PAPERS = {"a4": "A4", "letter": "Letter"}  # not translated


def paper_context(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """For templates/organiser/on_paper.html: `papers`, `languages`, chosen `paper` (default A4), language."""
    paper = request.GET.get("paper", "")
    return {
        "section": "events",
        "papers": PAPERS.items(),
        "paper": paper if paper in PAPERS else "a4",
        "languages": [
            (code, get_language_info(code)["name_local"].capitalize()) for code, _name in settings.LANGUAGES
        ],
        "paper_language": language_of(request, tournament),
    }


def language_of(request: HttpRequest, tournament: Tournament) -> str:
    """The language as asked for, else the event's."""
    asked = request.GET.get("language", "")
    return asked if asked in dict(settings.LANGUAGES) else str(tournament.language)
