"""Guards of the pages behind the sign-in: each gives the object asked for, or 404 where the user has no role (so that
nobody learns what exists), or 403 where the role is too low.

`signed_in` wraps every such view: it asks for the sign-in, keeps the answer out of caches, and gives the device the
opaque name that ledger rows carry.
"""

import re
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from tournament.models import Entry, Membership, Play, Stage, Table, Tournament, User
from tournament.pages.desk.table import Scene, scene_of
from tournament.permissions import RANK, has_role, rank
from tournament.results.facts import PlayFacts
from tournament.server.rate_limits import EventThrottle, LinkThrottle, WrongTokenThrottle

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]

NOT_FOUND, TOO_MANY = 404, 429
PRACTISED_COOKIE = f"{settings.COOKIE_PREFIX}practised"
DEVICE_COOKIE = f"{settings.COOKIE_PREFIX}device"
DEVICE_NAME = re.compile(r"[0-9a-f]{32}")
DEVICE_AGE = 365 * 24 * 3600  # seconds
Role = Membership.Role


def signed_in(view: View[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """A view for signed-in users only, never cached, on a device with a name. Whose practice is over is led to the page
    that begins another one."""

    @never_cache
    @_unless_practised
    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, /, *arguments: P.args, **named: P.kwargs) -> HttpResponse:
        device = device_of(request) or uuid4().hex
        request.COOKIES[DEVICE_COOKIE] = device
        response = view(request, *arguments, **named)
        response.set_cookie(
            DEVICE_COOKIE,
            device,
            max_age=DEVICE_AGE,
            httponly=True,
            samesite="Lax",
            secure=request.is_secure(),
        )
        return response

    return guarded


def with_account(view: View[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """The same, and not for newcomers who practise: 403 for them."""

    @signed_in
    @wraps(view)
    def guarded(request: HttpRequest, /, *arguments: P.args, **named: P.kwargs) -> HttpResponse:
        if user_of(request).is_newcomer:
            raise PermissionDenied
        return view(request, *arguments, **named)

    return guarded


def _unless_practised(
    view: Callable[Concatenate[HttpRequest, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    @wraps(view)
    def led(request: HttpRequest, /, *arguments: P.args, **named: P.kwargs) -> HttpResponseBase:
        if has_practised(request) and request.method in {"GET", "HEAD"}:
            return redirect("practice")
        return view(request, *arguments, **named)

    return led


def has_practised(request: HttpRequest) -> bool:
    """Whether this browser was a newcomer's whose practice is over, and nobody signed in here since."""
    over = settings.TRY and PRACTISED_COOKIE in request.COOKIES
    return bool(over) and not request.user.is_authenticated


def by_link(view: View[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """A view for whoever holds a link (tournament/links.py): never cached, the address goes to nobody else and into no
    search engine. Not by `no-referrer`: then browsers send forms with `Origin: null`, which Django's check refuses.

    Who sends more by one link than a person can is asked to wait, with 429, and nothing is done; so is who comes with
    one link after the other that does not hold."""

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, /, *arguments: P.args, **named: P.kwargs) -> HttpResponse:
        token = str(named.get("token", ""))
        sent = LinkThrottle(token)
        if request.method == "POST" and token and not sent.allows(request):
            response = _too_many(request, sent)
        else:
            response = _unless_guessed(request, lambda: view(request, *arguments, **named))
        response["Referrer-Policy"] = "strict-origin"
        response["X-Robots-Tag"] = "noindex, nofollow"
        return response

    return guarded


def _unless_guessed(request: HttpRequest, answer: Callable[[], HttpResponse]) -> HttpResponse:
    """The answer, unless it is one too many from this address to a link that does not hold."""
    guesses = WrongTokenThrottle()
    try:
        response = answer()
    except Http404:
        if guesses.allows(request):
            raise
    else:
        if response.status_code != NOT_FOUND or guesses.allows(request):
            return response
    return _too_many(request, guesses, guessed=True)


def _too_many(request: HttpRequest, throttle: EventThrottle, *, guessed: bool = False) -> HttpResponse:
    seconds = throttle.seconds()
    context = {"seconds": seconds, "guessed": guessed}
    response = render(request, "public/too_many.html", context, status=TOO_MANY)
    response["Retry-After"] = str(seconds)
    return response


def user_of(request: HttpRequest) -> User:
    """The signed-in user."""
    assert isinstance(request.user, User)
    return request.user


def device_of(request: HttpRequest) -> str:
    """The opaque name of this device; "" where the cookie is none of ours."""
    name = request.COOKIES.get(DEVICE_COOKIE, "")
    return name if DEVICE_NAME.fullmatch(name) else ""


def refuse_below(user: User, tournament: Tournament, least: Role, table: UUID | None = None) -> None:
    """404 for somebody without any role here, and for everybody where a rehearsal was put away; 403 for somebody with a
    role that is too low."""
    found = 0 if tournament.put_away else rank(user, tournament, table)
    if not found:
        raise Http404
    if found < RANK[least]:
        raise PermissionDenied


def get_tournament(request: HttpRequest, slug: str, least: Role = Role.ORGANISER) -> Tournament:
    """The tournament at this public address."""
    tournament = Tournament.objects.select_related("organiser").filter(slug=slug).first()
    if tournament is None:
        raise Http404
    refuse_below(user_of(request), tournament, least)
    return tournament


def get_refereed(request: HttpRequest, slug: str) -> Tournament:
    """The tournament at this public address, for whoever has any role in it, be it at one table."""
    tournament = Tournament.objects.select_related("organiser").filter(slug=slug, put_away=False).first()
    if tournament is None or not has_role(user_of(request), tournament):
        raise Http404
    return tournament


def get_stage(request: HttpRequest, uid: UUID, least: Role = Role.ORGANISER) -> Stage:
    """The stage of that uid, with its tournament."""
    stage = Stage.objects.select_related("tournament__organiser").filter(uid=uid).first()
    if stage is None:
        raise Http404
    refuse_below(user_of(request), stage.tournament, least)
    return stage


def get_entry(request: HttpRequest, uid: UUID, least: Role = Role.ORGANISER) -> Entry:
    """The entry of that uid, with its player and tournament."""
    entry = Entry.objects.select_related("tournament__organiser", "player").filter(uid=uid).first()
    if entry is None:
        raise Http404
    refuse_below(user_of(request), entry.tournament, least)
    return entry


def get_table(request: HttpRequest, uid: UUID, least: Role = Role.TABLE_REFEREE) -> Table:
    """The table of that uid, with its stage, tournament and roles."""
    table = Table.objects.select_related("stage__tournament", *Table.ROLES).filter(uid=uid).first()
    if table is None:
        raise Http404
    refuse_below(user_of(request), table.stage.tournament, least, table.uid)
    return table


def get_play(request: HttpRequest, uid: UUID, least: Role = Role.TABLE_REFEREE) -> Play:
    """The play of that uid, with its table, stage and tournament."""
    play = Play.objects.select_related("table__stage__tournament").filter(uid=uid).first()
    if play is None:
        raise Http404
    refuse_below(user_of(request), play.table.stage.tournament, least, play.table.uid)
    return play


def get_scene(table: Table) -> Scene:
    """The scene at a table that was looked up; 404 where it has gone since."""
    try:
        return scene_of(table)
    except Table.DoesNotExist:
        raise Http404 from None


def play_in(scene: Scene, uid: UUID) -> PlayFacts:
    """The play of this scene's table that was looked up; 404 where it has gone since."""
    try:
        return scene.play(uid)
    except Play.DoesNotExist:
        raise Http404 from None
