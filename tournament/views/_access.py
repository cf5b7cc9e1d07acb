"""Guards of pages behind the sign-in: 404 without a role, 403 for a low role."""

import re
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from tournament.live.proved import event_of_link, known_in, link_held, make_known
from tournament.models import (
    Announcement,
    Apart,
    Entry,
    Invite,
    Membership,
    Play,
    Screen,
    Stage,
    Table,
    Tournament,
    User,
    Webhook,
)
from tournament.pages.desk import table as scenes
from tournament.permissions import RANK, has_role, rank, run_by_account, vouched_for
from tournament.server.rate_limits import LinkThrottle, PageThrottle, WrongTokenThrottle

if TYPE_CHECKING:
    from tournament.pages.desk.table import Scene
    from tournament.results import PlayFacts

P = ParamSpec("P")
RowOfEvent = TypeVar("RowOfEvent", Announcement, Apart, Entry, Invite, Membership, Screen, Stage, Webhook)
View = Callable[Concatenate[HttpRequest, P], HttpResponse]

NOT_FOUND, NO_METHOD, TOO_MANY = 404, 405, 429
PRACTISED_COOKIE = f"{settings.COOKIE_PREFIX}practised"
DEVICE_COOKIE = f"{settings.COOKIE_PREFIX}device"
DEVICE_NAME = re.compile(r"[0-9a-f]{32}")
DEVICE_AGE = 365 * 24 * 3600  # seconds
Role = Membership.Role


def signed_in(view: View[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Signed-in users only; never cached; sets the device name. After a practice, redirects to start another."""

    @never_cache
    @_unless_practised
    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, /, *arguments: P.args, **named: P.kwargs) -> HttpResponse:
        device = device_of(request) or uuid4().hex
        request.COOKIES[DEVICE_COOKIE] = device
        response = with_device(request, view(request, *arguments, **named), device)
        if not known_in(request.COOKIES)[0] and vouched_for(user_of(request)):
            make_known(request, response)
        return response

    return guarded


def with_device(request: HttpRequest, response: HttpResponse, device: str) -> HttpResponse:
    """Set the device cookie for a year."""
    response.set_cookie(
        DEVICE_COOKIE,
        device,
        max_age=DEVICE_AGE,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )
    return response


def signed_in_page(view: View[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """`signed_in`, read only: 405 for a POST."""
    return signed_in(require_safe(view))


def signed_in_form(view: View[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """`signed_in` for forms and buttons."""
    return signed_in(require_http_methods(["GET", "HEAD", "POST"])(view))


def signed_in_desk(view: View[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """As `signed_in_form`; 405 for a HEAD."""
    return signed_in(require_http_methods(["GET", "POST"])(view))


def with_account(view: View[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """As `signed_in`; 403 for newcomers in practice."""

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
    """Whether a practice ended here, without a sign-in since."""
    return bool(settings.TRY and PRACTISED_COOKIE in request.COOKIES) and not request.user.is_authenticated


def remember_link(token: str, tournament: Tournament) -> None:
    """Give the link its own rate limit (live/turns.py) if an account runs the event."""
    if not event_of_link(f"/{token}/")[1] and run_by_account(tournament):
        link_held(token, tournament.uid)


def by_link(view: View[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Pages by link (tournament/links.py): never cached, not indexed, no referrer to other sites. (`no-referrer` makes
    browsers send `Origin: null`, which Django's CSRF check refuses.)

    Rate limits (429): POSTs per link, invalid links per address.
    """

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, /, *arguments: P.args, **named: P.kwargs) -> HttpResponse:
        token = str(named.get("token", ""))
        sent = LinkThrottle(token) if request.method == "POST" and token else None
        if sent and sent.full():
            response = _too_many(request, sent)
        else:
            response = _unless_guessed(request, lambda: view(request, *arguments, **named))
            if sent and response.status_code not in {
                NOT_FOUND,
                NO_METHOD,
                TOO_MANY,
            }:  # invalid links do not count
                sent.allows()
        response["Referrer-Policy"] = "strict-origin"
        response["X-Robots-Tag"] = "noindex, nofollow"
        return response

    return guarded


def _unless_guessed(request: HttpRequest, answer: Callable[[], HttpResponse]) -> HttpResponse:
    guesses = WrongTokenThrottle()
    try:
        response = answer()
    except Http404:
        if guesses.allows():
            raise
    else:
        if response.status_code != NOT_FOUND or guesses.allows():
            return response
    return _too_many(request, guesses, guessed=True)


def _too_many(request: HttpRequest, throttle: PageThrottle, *, guessed: bool = False) -> HttpResponse:
    seconds = throttle.seconds()
    response = render(
        request, "public/too_many.html", {"seconds": seconds, "guessed": guessed}, status=TOO_MANY
    )
    response["Retry-After"] = str(seconds)
    return response


def user_of(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def device_of(request: HttpRequest) -> str:
    """The device's opaque name, or ""."""
    name = request.COOKIES.get(DEVICE_COOKIE, "")
    return name if DEVICE_NAME.fullmatch(name) else ""


def refuse_below(user: User, tournament: Tournament, least: Role, table: UUID | None = None) -> None:
    """Raise 404 without a role or if put away; 403 for a low role."""
    found = 0 if tournament.put_away else rank(user, tournament, table)
    if not found:
        raise Http404
    if found < RANK[least]:
        raise PermissionDenied


def get_tournament(request: HttpRequest, slug: str, least: Role = Role.ORGANISER) -> Tournament:
    tournament = get_object_or_404(Tournament.objects.select_related("organiser"), slug=slug)
    refuse_below(user_of(request), tournament, least)
    return tournament


def get_refereed(request: HttpRequest, slug: str) -> Tournament:
    """The tournament, for any role in it, even at one table."""
    tournament = get_object_or_404(Tournament.objects.visible().select_related("organiser"), slug=slug)
    if not has_role(user_of(request), tournament):
        raise Http404
    return tournament


def get_row(
    request: HttpRequest, rows: QuerySet[RowOfEvent], least: Role = Role.ORGANISER, **wanted: UUID
) -> RowOfEvent:
    """The `wanted` row; 404 or 403 as in `refuse_below`."""
    row = get_object_or_404(rows, **wanted)
    refuse_below(user_of(request), row.tournament, least)
    return row


def get_stage(request: HttpRequest, uid: UUID, least: Role = Role.ORGANISER) -> Stage:
    return get_row(request, Stage.objects.select_related("tournament__organiser"), least, uid=uid)


def get_entry(request: HttpRequest, uid: UUID, least: Role = Role.ORGANISER) -> Entry:
    return get_row(request, Entry.objects.select_related("tournament__organiser", "player"), least, uid=uid)


def get_table(request: HttpRequest, uid: UUID, least: Role = Role.TABLE_REFEREE) -> Table:
    table = get_object_or_404(Table.objects.select_related("stage__tournament", *Table.ROLES), uid=uid)
    refuse_below(user_of(request), table.stage.tournament, least, table.uid)
    return table


def get_play(request: HttpRequest, uid: UUID, least: Role = Role.TABLE_REFEREE) -> Play:
    play = get_object_or_404(Play.objects.select_related("table__stage__tournament"), uid=uid)
    refuse_below(user_of(request), play.table.stage.tournament, least, play.table.uid)
    return play


def get_scene(table: Table) -> "Scene":
    """The table's scene; 404 if removed meanwhile."""
    try:
        return scenes.scene_of(table)
    except Table.DoesNotExist:
        raise Http404 from None


def scene_at(request: HttpRequest, table: UUID) -> "Scene":
    """The table's scene, for its referees."""
    return get_scene(get_table(request, table))


def play_at(request: HttpRequest, uid: UUID) -> "tuple[Scene, Play, PlayFacts]":
    """Scene, row and facts of a play, for its table's referees; 404 if removed meanwhile."""
    row = get_play(request, uid)
    scene = scene_at(request, row.table.uid)
    try:
        return scene, row, scene.play(uid)
    except Play.DoesNotExist:
        raise Http404 from None
