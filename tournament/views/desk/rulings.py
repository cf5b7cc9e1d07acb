"""What the referees of an event noted and ruled, so that every table judges alike; with a search."""

from typing import Any
from uuid import uuid4

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from rulesets import penalties_of
from tournament import actions
from tournament.models import Incident, Membership, Tournament
from tournament.permissions import RANK, rank
from tournament.queries.incidents import Line, lines_of
from tournament.results.typed import uuid_or_none
from tournament.views._access import get_refereed, signed_in, user_of
from tournament.views._answer import Attempt, attempt_action, page, receipt_of, saved
from tournament.words.penalties import penalty_texts
from tournament.words.text import as_read, clean

ROWS = 50  # a page
MOST_SEARCHED = 60  # characters


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def rulings(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything that was noted at the event and not withdrawn; a head referee rules for the whole event here."""
    tournament = get_refereed(request, slug)
    attempt = Attempt()
    data = request.POST.dict() if request.method == "POST" else {}
    if request.method == "POST":
        attempt = attempt_action(
            request,
            actions.record_ruling,
            tournament.uid,
            incident=uuid_or_none(data.get("incident", "")) or uuid4(),
            text=clean(data.get("text", "")),
            ruling=clean(data.get("ruling", "")),
            code=clean(data.get("code", "")),
        )
        if attempt.receipt:
            return saved(reverse("rulings", args=[slug]), attempt.receipt)
    q = clean(request.GET.get("q", ""))[:MOST_SEARCHED]
    shown = Paginator(_found(tournament, q), ROWS).get_page(request.GET.get("page"))
    context = {
        **attempt.context(),
        "section": "desk",
        "q": q,
        "query": f"&{urlencode({'q': q})}" if q else "",
        "shown": shown,
        "lines": list(shown),
        "count": shown.paginator.count,
        "at": receipt_of(request, tournament),
        "rules": rank(user_of(request), tournament) >= RANK[Membership.Role.HEAD_REFEREE],
        "sheet": _sheet(tournament),
        "data": data,
        "kept": Incident.objects.filter(tournament=tournament, table=None).count(),
        "incident": uuid_or_none(data.get("incident", "")) or uuid4(),
        "command": data.get("command") or uuid4(),
    }
    return page(request, "desk/rulings.html", context, tournament, status=attempt.status)


def _found(tournament: Tournament, searched: str) -> list[Line]:
    """The incidents in which every searched word stands somewhere."""
    words = as_read(searched).split()
    lines = lines_of(tournament, Incident.objects.filter(withdrawn=False))
    return [line for line in lines if all(line.says(word) for word in words)]


def _sheet(tournament: Tournament) -> list[tuple[str, Any]]:
    ruleset = tournament.ruleset
    return [(row.code, penalty_texts(ruleset, row.code)[0]) for row in penalties_of(ruleset)]
