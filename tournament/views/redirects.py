"""Short addresses, for codes and for typing: without a language, they lead on to the page in the phone's own."""

from pathlib import Path
from uuid import UUID

from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import get_language, override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.models import Entry, Membership, Tournament, User
from tournament.permissions import RANK, rank
from tournament.views._access import by_link
from tournament.views.languages import language_for


@never_cache
@require_safe
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """/j/<slug>/: register for the event, in its language if the visitor's is none of ours."""
    row = Tournament.objects.visible().filter(slug=slug).first()
    with override(language_for(request, row) if row else get_language()):
        return redirect("join", slug=slug)


@by_link
@require_safe
def own(_request: HttpRequest, token: str) -> HttpResponse:
    return redirect("own", token=token)


@never_cache
@require_safe
def badge(request: HttpRequest, entry: UUID) -> HttpResponse:
    """/b/<entry's uid>/: the check-in page for those who run the event, the player's public page for everybody else. A
    badge grants nothing: what can be done there needs the sign-in."""
    entries = Entry.objects.select_related("tournament").filter(tournament__put_away=False)
    row = get_object_or_404(entries, uid=entry)
    user = request.user
    if isinstance(user, User) and rank(user, row.tournament) >= RANK[Membership.Role.HEAD_REFEREE]:
        return redirect("organise-arrive", entry=row.uid)
    if not row.is_in:
        raise Http404
    return redirect("entry", slug=row.tournament.slug, entry=row.uid)


@require_safe
def service_worker(_request: HttpRequest) -> HttpResponse:
    """/sw.js: the script that reopens the desk without a network; only from here it may see every page."""
    found = finders.find("lastcard/js/service_worker.js")
    assert isinstance(found, str)
    script = Path(found).read_bytes()
    return HttpResponse(script, content_type="text/javascript", headers={"Cache-Control": "no-cache"})
