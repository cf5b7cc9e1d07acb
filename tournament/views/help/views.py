"""The help: the guides for players, referees and organisers, and every other page of docs/."""

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournament.live.pages import lasting_page
from tournament.views.help.markdown import Page, page
from tournament.views.help.pages import GUIDES, groups, source

CONTENTS_FROM = 4  # sections of which a page has a table of contents


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All pages, grouped by who looks for them."""
    context = {
        "guides": [(slug, *_page(slug)) for slug in GUIDES],
        "groups": [(title, [(slug, *_page(slug)) for slug in slugs]) for title, slugs in groups()],
    }
    return lasting_page(request, "help/index.html", context)


@require_safe
def help_page(request: HttpRequest, topic: str) -> HttpResponse:
    """One page, in the visitor's language if it is translated, else in English with a note that says so."""
    if source(topic, get_language()) is None:
        raise Http404
    shown, language = _page(topic)
    sections = [heading for heading in shown.headings if heading.depth == 2]
    context = {
        "page": shown,
        "language": language,
        "guide": topic if topic in GUIDES else "",
        "contents": sections if len(sections) >= CONTENTS_FROM else [],
    }
    return lasting_page(request, "help/page.html", context)


def _page(slug: str) -> tuple[Page, str]:
    """The page for readers of the language at hand, and the language that it is in."""
    found = source(slug, get_language())
    assert found
    return page(found, get_language()), found.language
