"""Redirects of addresses without a language (`/t/...`) to the browser's first supported one, else the event's."""

import re
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import get_language, get_supported_language_variant, override
from django.utils.translation.trans_real import parse_accept_lang_header
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.models import Entry, Membership, Tournament, User
from tournament.permissions import RANK, rank
from tournament.views import by_link

_OF_EVENT = re.compile(r"/t/(?P<slug>[-\w]+)(?:/(?P<screen>screen/?))?")


def language_for(request: HttpRequest, event: Tournament) -> str:
    """The browser's first supported language, else the event's."""
    for code, _weight in parse_accept_lang_header(request.headers.get("Accept-Language", "")):
        try:
            return get_supported_language_variant(code)
        except LookupError:
            continue
    return event.language


class Languages(LocaleMiddleware):
    """LocaleMiddleware with that fallback."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.status_code == 404 and (found := _OF_EVENT.match(request.path_info)):
            event = Tournament.objects.visible().filter(slug=found["slug"]).first()
            if event is not None:
                with override(event.language if found["screen"] else language_for(request, event)):
                    return super().process_response(request, response)
        return super().process_response(request, response)


@never_cache
@require_safe
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """/j/<slug>/: to registration."""
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
    """/b/<entry's uid>/: check-in for head referees (by sign-in: badges grant nothing), else the public page."""
    row = get_object_or_404(
        Entry.objects.select_related("tournament").filter(tournament__put_away=False), uid=entry
    )
    user = request.user
    if isinstance(user, User) and rank(user, row.tournament) >= RANK[Membership.Role.HEAD_REFEREE]:
        return redirect("organise-arrive", entry=row.uid)
    if not row.is_in:
        raise Http404
    return redirect("entry", slug=row.tournament.slug, entry=row.uid)
