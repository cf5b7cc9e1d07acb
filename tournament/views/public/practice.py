"""Practice without an account, in events of one's own. Only with TRY=1, else 404."""

from typing import Any
from uuid import uuid4

from django.conf import settings
from django.contrib.auth import login, logout
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournament.actions.upkeep import PracticeFull, begin_practice
from tournament.jobs.upkeep import delete_practice_of
from tournament.models import LASTS, Entry, Tournament, User
from tournament.permissions import may
from tournament.practice.events import ends_at, events_of, make, player_in, said
from tournament.server.rate_limits import PracticeThrottle
from tournament.views import NOT_FOUND, OK, PRACTISED_COOKIE, TOO_MANY, has_practised, site_page

# Lookups from URL arguments to the event.
EVENT_OF = {"slug": "slug", "stage": "stages__uid", "table": "stages__tables__uid"}
REMEMBERED = 24 * 3600  # seconds after the end


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def practice(request: HttpRequest) -> HttpResponse:
    """Offer; POST `as` (`referee`, `player`) starts or resumes; 429 if full."""
    _only_where_offered()
    user = _signed_in(request)
    if request.method != "POST" or (user and not user.is_newcomer):
        return _page(request, user)
    if user is None or not events_of(user):
        begun = _begin(request)
        if isinstance(begun, HttpResponse):
            return begun
        user = begun
    if request.POST.get("as") == "player":
        entry = Entry.objects.select_related("tournament").get(uid=player_in(user.uid))
        answer = redirect("entry", entry.tournament.slug, entry.uid)
    else:
        answer = redirect("desk")
    answer.set_cookie(
        PRACTISED_COOKIE,
        "1",
        max_age=int(LASTS.total_seconds()) + REMEMBERED,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )
    return answer


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def end(request: HttpRequest) -> HttpResponse:
    """POST deletes the newcomer's events."""
    _only_where_offered()
    user = _signed_in(request)
    if request.method == "POST" and user and user.is_newcomer:
        logout(request)
        delete_practice_of(events_of(user))
    return redirect("practice")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 - Django's names
    """The 404 page, also for ended practice and events put away. Unlike Django's, it reads no posted form, which may be
    unreadable."""
    away = _put_away(request)
    may_bring_back = bool(away and isinstance(request.user, User) and may(request.user, "bring_back", away))
    return over(request) or site_page(
        request, "404.html", status=NOT_FOUND, away=away, may_bring_back=may_bring_back, command=uuid4()
    )


def _put_away(request: HttpRequest) -> Tournament | None:
    named = request.resolver_match.kwargs if request.resolver_match else {}
    for name, path in EVENT_OF.items():
        if name in named:
            return Tournament.objects.filter(put_away=True, **{path: named[name]}).first()
    return None


def over(request: HttpRequest) -> HttpResponse | None:
    """Page of ended practice, else None."""
    return _page(request, None, status=NOT_FOUND) if has_practised(request) else None


def _only_where_offered() -> None:
    if not settings.TRY:
        raise Http404


def _signed_in(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _begin(request: HttpRequest) -> User | HttpResponse:
    throttle = PracticeThrottle()
    if not throttle.allows():
        return _full(request, throttle.seconds())
    try:
        newcomer = begin_practice(uuid4(), make)
    except PracticeFull as full:
        return _full(request, full.seconds)
    login(request, newcomer, backend="django.contrib.auth.backends.ModelBackend")
    request.session.set_expiry(ends_at(newcomer))
    return newcomer


def _full(request: HttpRequest, seconds: int) -> HttpResponse:
    answer = _page(request, None, status=TOO_MANY, minutes=-(-seconds // 60))
    answer["Retry-After"] = str(seconds)
    return answer


def _page(request: HttpRequest, user: User | None, *, status: int = OK, **more: Any) -> HttpResponse:
    events = events_of(user) if user and user.is_newcomer else []
    return site_page(
        request,
        "public/practice.html",
        status=status,
        events=events,
        until=said(ends_at(user)) if user and events else "",
        account=user if user and not user.is_newcomer else None,
        over=has_practised(request),
        **more,
    )
