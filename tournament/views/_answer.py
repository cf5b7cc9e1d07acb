"""From a POST to an action and back.

    attempt = attempt_action(request, actions.record_out, tournament.uid, play=..., entry=...)
    return attempt.answer(url, lambda: page(request, template, tournament, **attempt.context(names)))

The hidden field `command` (a uuid4 per rendered form) is the idempotency key. A GET attempts nothing.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial, wraps
from threading import BoundedSemaphore
from typing import Any, Concatenate, ParamSpec, TypeVar
from urllib.parse import urlencode
from uuid import UUID, uuid4, uuid5

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_safe

from tournament.actions.kernel import Command, Receipt
from tournament.forms.fields import MergingForm, add_faults
from tournament.ledger.chain import content_digest
from tournament.ledger.undoing import UNDO, can_be_undone
from tournament.live.pages import published_page
from tournament.live.proved import event_of_link, known_in, link_held, make_known
from tournament.models import (
    Announcement,
    Apart,
    Entry,
    Invite,
    LedgerRow,
    Membership,
    Play,
    Screen,
    Stage,
    Table,
    Tournament,
    User,
    Webhook,
)
from tournament.pages.components import errors_context
from tournament.pages.desk.table import Scene, scene_of
from tournament.permissions import has_role, is_limited, rank, reaches, run_by_account, vouched_for
from tournament.results import (
    CommandReused,
    Conflict,
    Fault,
    Forbidden,
    PlayFacts,
    Refused,
    Typed,
    number_or_none,
    uuid_or_none,
)
from tournament.server.middleware import CappedUploadHandler
from tournament.server.rate_limits import LinkThrottle, PageThrottle, WrongTokenThrottle
from tournament.words.seating import saved_text
from tournament.words.text import reason_in

P = ParamSpec("P")
RowOfEvent = TypeVar("RowOfEvent", Announcement, Apart, Entry, Invite, Membership, Screen, Stage, Webhook)
View = Callable[Concatenate[HttpRequest, P], HttpResponse]
Answering = Callable[Concatenate[HttpRequest, P], HttpResponseBase]

NOT_FOUND, NO_METHOD, TOO_MANY, BUSY = 404, 405, 429, 503
WAIT_S = 10
PRACTISED_COOKIE = f"{settings.COOKIE_PREFIX}practised"
DEVICE_COOKIE = f"{settings.COOKIE_PREFIX}device"
DEVICE_NAME = re.compile(r"[0-9a-f]{32}")
Role = Membership.Role


def signed_in(view: View[P]) -> Answering[P]:
    """Signed-in users only; never cached; sets the device name."""

    @login_required
    @wraps(view)
    def of_account(request: HttpRequest, /, *arguments: P.args, **named: P.kwargs) -> HttpResponse:
        device = device_of(request) or uuid4().hex
        request.COOKIES[DEVICE_COOKIE] = device
        response = with_device(request, view(request, *arguments, **named), device)
        if not known_in(request.COOKIES)[0] and vouched_for(user_of(request)):
            make_known(request, response)
        return response

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, /, *arguments: P.args, **named: P.kwargs) -> HttpResponseBase:
        if has_practised(request) and request.method in {"GET", "HEAD"}:
            return redirect("practice")
        return of_account(request, *arguments, **named)

    return guarded


def with_device(request: HttpRequest, response: HttpResponse, device: str) -> HttpResponse:
    """Set the device cookie for a year."""
    response.set_cookie(
        DEVICE_COOKIE,
        device,
        max_age=365 * 24 * 3600,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )
    return response


def signed_in_page(view: View[P]) -> Answering[P]:
    """`signed_in`, read only."""
    return signed_in(require_safe(view))


def signed_in_form(view: View[P]) -> Answering[P]:
    """`signed_in` for forms and buttons."""
    return signed_in(require_http_methods(["GET", "HEAD", "POST"])(view))


def signed_in_desk(view: View[P]) -> Answering[P]:
    """As `signed_in_form`; 405 for a HEAD."""
    return signed_in(require_http_methods(["GET", "POST"])(view))


def capped_upload(most: int) -> Callable[[Answering[P]], Answering[P]]:
    """A form with a file of up to `most` bytes. CSRF is checked after the upload handler is set."""

    def capped(view: Answering[P]) -> Answering[P]:
        checked = csrf_protect(view)

        @csrf_exempt
        @wraps(view)
        def with_handler(request: HttpRequest, /, *arguments: P.args, **named: P.kwargs) -> HttpResponseBase:
            request.upload_handlers = [CappedUploadHandler(request, most)]
            return checked(request, *arguments, **named)

        return with_handler

    return capped


@contextmanager
def slot(limit: BoundedSemaphore) -> Iterator[bool]:
    """Concurrency limit: whether a slot is free within WAIT_S seconds."""
    free = limit.acquire(timeout=WAIT_S)
    try:
        yield free
    finally:
        if free:
            limit.release()


def with_account(view: View[P]) -> Answering[P]:
    """`signed_in`, without newcomers in practice (403)."""

    @signed_in
    @wraps(view)
    def guarded(request: HttpRequest, /, *arguments: P.args, **named: P.kwargs) -> HttpResponse:
        if user_of(request).is_newcomer:
            raise PermissionDenied
        return view(request, *arguments, **named)

    return guarded


def has_practised(request: HttpRequest) -> bool:
    """Whether a practice ended here, without a sign-in since."""
    return bool(settings.TRY and PRACTISED_COOKIE in request.COOKIES) and not request.user.is_authenticated


def remember_link(token: str, tournament: Tournament) -> None:
    """Give the link its own rate limit if an account runs the event."""
    if not event_of_link(f"/{token}/")[1] and run_by_account(tournament):
        link_held(token, tournament.uid)


def by_link(view: View[P]) -> Answering[P]:
    """Pages by link (links.py): never cached, not indexed, no referrer to other sites. (`no-referrer` makes browsers
    send `Origin: null`, which Django's CSRF check refuses.)

    Limits (429): POSTs per link, invalid links per address.
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
    """404 without a role or if put away; 403 for a low role."""
    if not tournament.put_away and reaches(user, least, tournament, table):
        return
    if tournament.put_away or not rank(user, tournament, table):
        raise Http404
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
    """The `wanted` row, guarded by `refuse_below`."""
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


def get_play(request: HttpRequest, uid: UUID) -> Play:
    play = get_object_or_404(Play.objects.select_related("table__stage__tournament"), uid=uid)
    refuse_below(user_of(request), play.table.stage.tournament, Role.TABLE_REFEREE, play.table.uid)
    return play


def get_scene(table: Table) -> Scene:
    """The table's scene; 404 if removed meanwhile."""
    try:
        return scene_of(table)
    except Refused:
        raise Http404 from None


def scene_at(request: HttpRequest, table: UUID) -> Scene:
    """The scene of a table."""
    return get_scene(get_table(request, table))


def play_at(request: HttpRequest, uid: UUID) -> tuple[Scene, Play, PlayFacts]:
    """Scene, row and facts of a play."""
    row = get_play(request, uid)
    scene = scene_at(request, row.table.uid)
    try:
        return scene, row, scene.play(uid)
    except Play.DoesNotExist:
        raise Http404 from None


# ---- Attempts ----


LONGEST_SEQUENCE = 12  # digits
NOT_SAID = {"command", "csrfmiddlewaretoken", "step"}
OK, SEE_OTHER, FORBIDDEN, CONFLICT, UNPROCESSABLE = 200, 303, 403, 409, 422


@dataclass(frozen=True, slots=True)
class Attempt:
    """Outcome of a command: a `receipt`, or `faults` (with `conflict` or `reused`); neither on a GET or `unchanged`."""

    receipt: Receipt | None = None
    faults: tuple[Fault, ...] = ()
    conflict: Conflict | None = None
    reused: CommandReused | None = None
    status: int = OK
    unchanged: bool = False

    def context(self, names: Mapping[str, str] | None = None) -> dict[str, Any]:
        """For components/_errors.html; `wrong`: texts by path."""
        return errors_context(self.faults, names)

    def answer(self, url: str, again: Callable[[], HttpResponse], **more: str) -> HttpResponse:
        """Redirect to `url` on success, else render `again`."""
        if self.unchanged:
            return see_other(url)
        return saved(url, self.receipt, **more) if self.receipt else again()

    def answer_button(
        self, request: HttpRequest, url: str, again: Callable[[], HttpResponse]
    ) -> HttpResponse:
        """As `answer`; a GET redirects to `url`."""
        return self.answer(url, again) if request.method == "POST" else HttpResponseRedirect(url)


def reason_of(request: HttpRequest) -> str:
    return reason_in(request.POST)


def command_of(request: HttpRequest) -> Command:
    """The form's command. Raises Refused `malformed` without one."""
    uid = uuid_or_none(request.POST.get("command", ""))
    if uid is None:
        raise Refused(Fault("malformed", "/command"))
    return Command(uid, user_of(request), device_of(request))


def plays_of(request: HttpRequest) -> list[dict[str, Any]]:
    """Plays in `play` fields ("uid:version"); invalid uids become unknown ones."""
    named = (text.partition(":") for text in request.POST.getlist("play"))
    return [
        {
            "play": uuid_or_none(uid) or uuid4(),
            "version": number_or_none(version, longest=LONGEST_SEQUENCE) or 0,
        }
        for uid, _colon, version in named
    ]


def new_uid(request: HttpRequest, what: str) -> UUID:
    """A uid derived from the command, so that a resent form yields the same."""
    return uuid5(uuid_or_none(request.POST.get("command", "")) or uuid4(), what)


def attempt_action(
    request: HttpRequest,
    action: Callable[..., Receipt],
    tournament: UUID,
    *,
    typed: Typed | None = None,
    **arguments: Any,
) -> Attempt:
    """Call an action with the form's command. Faults in `typed` refuse it."""
    if request.method != "POST":
        return Attempt()
    if typed and typed.faults:
        return refused(*typed.faults)
    return attempt_call(lambda: action(command_of(request), tournament, **arguments))


def attempt_before(
    request: HttpRequest, action: Callable[..., Receipt], tournament: UUID, **arguments: Any
) -> Attempt:
    """`attempt_action` for a step before; its command derives from the form's."""

    def own() -> Command:
        command = command_of(request)
        return replace(command, id=uuid5(command.id, action.__name__))

    return attempt_call(lambda: action(own(), tournament, **arguments))


def attempt_form(
    request: HttpRequest,
    form: Form,
    action: Callable[..., Receipt],
    tournament: UUID,
    arguments: Callable[[], Mapping[str, Any]] | None = None,
    *,
    fields: Mapping[str, str] | None = None,
) -> Attempt:
    """`attempt_action` with a valid form's `arguments` (default: cleaned data); faults move to its fields."""
    if request.method != "POST":
        return Attempt()
    if not form.is_valid():
        return refused()
    given = arguments() if arguments else form.cleaned_data
    if isinstance(form, MergingForm):
        if not form.has_changed():
            return unchanged(request)
        given = form.changes(given)
    attempt = attempt_action(request, action, tournament, **given)
    add_faults(form, attempt.faults, fields=fields)
    return replace(attempt, faults=())


def attempt_call(call: Callable[[], Receipt]) -> Attempt:
    """Call, turning exceptions of actions into an Attempt."""
    try:
        return Attempt(receipt=call())
    except Conflict as conflict:
        return Attempt(faults=conflict.faults, conflict=conflict, status=CONFLICT)
    except Forbidden as forbidden:
        return Attempt(faults=forbidden.faults, status=FORBIDDEN)
    except CommandReused as reused:
        return Attempt(faults=reused.faults, reused=reused, status=UNPROCESSABLE)
    except Refused as refusal:
        return Attempt(faults=refusal.faults, status=TOO_MANY if refusal.wait else UNPROCESSABLE)


def refused(*faults: Fault) -> Attempt:
    """An attempt that `faults` stopped."""
    return Attempt(faults=faults, status=UNPROCESSABLE)


def unchanged(request: HttpRequest) -> Attempt:
    """An attempt without a change; adds a message."""
    messages.info(request, _("Nothing was changed."))
    return Attempt(unchanged=True)


@dataclass(frozen=True)
class Sent:
    """A desk form, from its page or the outbox. `late_s`: seconds that it waited on the device; `other_late_s`: if its
    clock was set meanwhile. `table`: if just read.

    The command's digest covers the typed fields: derived arguments differ between retries.
    """

    user: User
    device: str
    data: QueryDict
    late_s: int = 0
    other_late_s: int | None = None
    by_outbox: bool = True
    table: Table | None = None

    @classmethod
    def by(cls, request: HttpRequest) -> "Sent":
        """The form posted from its page."""
        return cls(user_of(request), device_of(request), request.POST, by_outbox=False)

    @property
    def late(self) -> dict[str, int | None]:
        """The delay, as arguments."""
        return {"late_s": self.late_s, "other_late_s": self.other_late_s}

    @property
    def fields(self) -> dict[str, str]:
        """Last value per field."""
        return {name: str(value) for name, value in self.data.items()}

    def typed(self) -> Typed:
        return Typed(self.fields)

    def attempt(
        self,
        action: Callable[..., Receipt],
        tournament: UUID,
        *,
        typed: Typed | None = None,
        **arguments: Any,
    ) -> Attempt:
        """Call an action with the form's command."""
        uid = uuid_or_none(self.data.get("command", ""))
        faults = [*(typed.faults if typed else ()), *(() if uid else [Fault("malformed", "/command")])]
        if uid is None or faults:
            return refused(*faults)
        about = arguments.get("table") or arguments.get("proposal") or arguments.get("play")
        content = self.content(action.__name__, tournament, about)
        return attempt_call(
            lambda: action(
                Command(uid, self.user, self.device, content, table=self.table), tournament, **arguments
            )
        )

    def content(self, action: str, tournament: UUID, about: UUID | None) -> str:
        """Digest of the fields; `about`: object of the address."""
        said = {
            name: [value for value in values if value]
            for name, values in self.data.lists()
            if name not in NOT_SAID and any(values)
        }
        return content_digest({"about": about, "action": action, "form": said, "tournament": tournament})


def by_fields(request: HttpRequest, action: Callable[..., Receipt]) -> Callable[..., Receipt]:
    """The action with the form's fields as the command's content, so that a resent form is the same command."""

    def run(command: Command, tournament: UUID, **arguments: Any) -> Receipt:
        content = Sent.by(request).content(action.__name__, tournament, None)
        return action(replace(command, content=content), tournament, **arguments)

    return run


def page(
    request: HttpRequest, template: str, tournament: Tournament, /, *, status: int = OK, **context: Any
) -> HttpResponse:
    """Render a tournament's page, in its time zone."""
    with timezone.override(tournament.zone):
        row = row_of(request, tournament)
        own = {
            "tournament": tournament,
            "undo_url": _undo_of(request, row) if row else "",
            "saved_what": saved_text(row) if row and context.get("section") == "events" else "",
            "rows_left": number_or_none(request.GET.get("left", "")) if row else None,
            # lazy
            "limited": partial(is_limited, request.user, tournament),
            "said": Announcement.objects.filter(tournament=tournament).standing(timezone.now()),
        }
        return render(request, template, own | context, status=status)


def site_page(request: HttpRequest, template: str, /, *, status: int = OK, **context: Any) -> HttpResponse:
    """Render a page of no tournament."""
    return render(request, template, context, status=status)


def public_page(
    request: HttpRequest, template: str, about: Tournament, /, *, version: int | None = None, **context: Any
) -> HttpResponse:
    """Render a published page, renewed when the tournament changes; by `version`, when any of its organiser's does."""
    context = {"said": Announcement.objects.filter(tournament=about).standing()} | context
    scope, at = (about, about.version) if version is None else (about.organiser, version)
    return published_page(request, template, context, scope=str(scope.uid), version=at)


def saved(url: str, receipt: Receipt, **more: str) -> HttpResponseRedirect:
    """Redirect to `url` (without a query), naming the ledger row."""
    return see_other(f"{url}?{urlencode({'saved': str(receipt.sequence)} | more)}")


def see_other(url: str) -> HttpResponseRedirect:
    """Redirect with 303 (GET)."""
    return HttpResponseRedirect(url, status=SEE_OTHER)


def receipt_of(request: HttpRequest, tournament: Tournament) -> datetime | None:
    """When the URL's ledger row was stored; None if not this user's."""
    row = row_of(request, tournament)
    return row.at if row else None


def _undo_of(request: HttpRequest, row: LedgerRow) -> str:
    erased = row.action == UNDO and None in row.payload.get("entry", {}).values()
    if erased or not can_be_undone(row.action):
        return ""
    return undo_address(row.tournament, row.sequence, request.path)


def undo_address(tournament: Tournament, row: int, back: str) -> str:
    """The undo page of a row, returning to `back`."""
    return f"{reverse('organise-undo', args=[tournament.slug, row])}?{urlencode({'back': back})}"


def row_of(request: HttpRequest, tournament: Tournament) -> LedgerRow | None:
    """The URL's ledger row, if written by this user."""
    sequence = sequence_of(request)
    if sequence is None or not request.user.is_authenticated:
        return None
    return (
        LedgerRow.objects.filter(tournament=tournament, sequence=sequence, actor=user_of(request))
        .select_related("actor", "tournament")
        .first()
    )


def sequence_of(request: HttpRequest) -> int | None:
    """The URL's ledger sequence (see `saved`), or None."""
    return number_or_none(request.GET.get("saved", ""), longest=LONGEST_SEQUENCE)


def asks_for_part(request: HttpRequest) -> bool:
    """Whether htmx asks for a fragment."""
    return bool(request.htmx)  # type: ignore[attr-defined]  # set by django-htmx's middleware
