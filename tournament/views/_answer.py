"""From a POST to an action and back: the one place where views meet commands, receipts and refusals.

    attempt = attempt_action(request, actions.record_out, tournament.uid, play=..., entry=...)
    return attempt.answer(url, lambda: page(request, template, tournament, status=attempt.status, ...,
                                            **attempt.context(names)))

The form carries the hidden field `command`, a uuid4 made when the form was rendered, so that sending it twice is
harmless. A form that is not sound already (`typed.faults`) is refused without calling the action. On a GET nothing is
tried, so the same lines show the page first, and again with what was refused.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4, uuid5

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.actions.kernel import Command, Receipt
from tournament.forms.fields import add_faults
from tournament.forms.merging import MergingForm
from tournament.ledger.chain import content_digest
from tournament.ledger.undoing import UNDO, can_be_undone
from tournament.live.pages import published_page
from tournament.models import Announcement, LedgerRow, Tournament, User
from tournament.pages.errors import errors_context
from tournament.permissions import is_limited
from tournament.results import (
    CommandReused,
    Conflict,
    Fault,
    Forbidden,
    Refused,
    Typed,
    number_or_none,
    uuid_or_none,
)
from tournament.views._access import TOO_MANY, device_of, user_of
from tournament.words.receipts import saved_text
from tournament.words.text import reason_in

LONGEST_SEQUENCE = 12  # digits
NOT_SAID = {"command", "csrfmiddlewaretoken", "step"}
OK, SEE_OTHER, FORBIDDEN, CONFLICT, UNPROCESSABLE = 200, 303, 403, 409, 422


@dataclass(frozen=True, slots=True)
class Attempt:
    """The outcome of a command: a `receipt`, or `faults` (with the `conflict` that holds both versions, or the command
    that was `reused`). Neither if nothing was tried, if the form already shows at its fields what is wrong, or if it
    leaves everything as it is stored (`unchanged`)."""

    receipt: Receipt | None = None
    faults: tuple[Fault, ...] = ()
    conflict: Conflict | None = None
    reused: CommandReused | None = None
    status: int = OK
    unchanged: bool = False

    def context(self, names: Mapping[str, str] | None = None) -> dict[str, Any]:
        """`errors` for components/_errors.html and `wrong`, the words by the faults' paths."""
        return errors_context(self.faults, names)

    def answer(self, url: str, again: Callable[[], HttpResponse], **more: str) -> HttpResponse:
        """Redirect to `url` once the action is done (see `saved`); until then show the page, `again` with what is
        wrong."""
        if self.unchanged:
            return see_other(url)
        return saved(url, self.receipt, **more) if self.receipt else again()

    def answer_button(
        self, request: HttpRequest, url: str, again: Callable[[], HttpResponse]
    ) -> HttpResponse:
        """As `answer`, for an address that only takes a POST: a GET, by a reload or after signing in, is redirected to
        `url`."""
        return self.answer(url, again) if request.method == "POST" else HttpResponseRedirect(url)


def reason_of(request: HttpRequest) -> str:
    return reason_in(request.POST)


def command_of(request: HttpRequest) -> Command:
    """The command that the form carries. Raises Refused `malformed` if it carries none."""
    uid = uuid_or_none(request.POST.get("command", ""))
    if uid is None:
        raise Refused(Fault("malformed", "/command"))
    return Command(uid, user_of(request), device_of(request))


def plays_of(request: HttpRequest) -> list[dict[str, Any]]:
    """The plays that the form names, each as its page showed it: fields `play` with its uid, a colon, its version."""
    named = (text.partition(":") for text in request.POST.getlist("play"))
    return [
        {
            "play": uuid_or_none(uid) or uuid4(),
            "version": number_or_none(version, longest=LONGEST_SEQUENCE) or 0,
        }
        for uid, _colon, version in named
    ]


def new_uid(request: HttpRequest, what: str) -> UUID:
    """The uid of what the posted form makes: the same when the form is sent again."""
    return uuid5(uuid_or_none(request.POST.get("command", "")) or uuid4(), what)


def attempt_action(
    request: HttpRequest,
    action: Callable[..., Receipt],
    tournament: UUID,
    *,
    typed: Typed | None = None,
    **arguments: Any,
) -> Attempt:
    """Call an action with the form's command and these arguments. Does nothing on a GET."""
    if request.method != "POST":
        return Attempt()
    if typed and typed.faults:
        return refused(*typed.faults)
    return attempt_call(lambda: action(command_of(request), tournament, **arguments))


def attempt_form(
    request: HttpRequest,
    form: Form,
    action: Callable[..., Receipt],
    tournament: UUID,
    arguments: Callable[[], Mapping[str, Any]] | None = None,
    *,
    fields: Mapping[str, str] | None = None,
) -> Attempt:
    """As `attempt_action`, with the `arguments` of a valid form, by default its cleaned data. Faults move to the form's
    fields (`add_faults`) and are no longer listed in the attempt."""
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
    """Call something that returns a receipt or raises what actions raise."""
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
    """An attempt that these faults stopped."""
    return Attempt(faults=faults, status=UNPROCESSABLE)


def unchanged(request: HttpRequest) -> Attempt:
    """An attempt by a form that leaves everything as it is stored, which the next page says."""
    messages.info(request, _("Nothing was changed."))
    return Attempt(unchanged=True)


@dataclass(frozen=True)
class Sent:
    """A form of the desk as somebody's device sent it, posted from its page or one of many from the outbox; `late_s` is
    how many seconds it waited on the device, or `other_late_s`, if the device's clock was set meanwhile.

    Both ways end in the same function of the form's kind, `attempt_...`, which reads the form and calls one action.
    The form is digested as it was typed: the arguments that follow from it may differ from one sending to the next (how
    long ago was the tap?), and the same form is still the same command."""

    user: User
    device: str
    data: QueryDict
    late_s: int = 0
    other_late_s: int | None = None
    by_outbox: bool = True

    @classmethod
    def by(cls, request: HttpRequest) -> "Sent":
        """The form that was posted from its page."""
        return cls(user_of(request), device_of(request), request.POST, by_outbox=False)

    @property
    def late(self) -> dict[str, int | None]:
        """The arguments that say how late it is."""
        return {"late_s": self.late_s, "other_late_s": self.other_late_s}

    @property
    def fields(self) -> dict[str, str]:
        """The last value of each field."""
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
        """Call an action with the form's command and these arguments."""
        uid = uuid_or_none(self.data.get("command", ""))
        faults = [*(typed.faults if typed else ()), *(() if uid else [Fault("malformed", "/command")])]
        if uid is None or faults:
            return refused(*faults)
        about = arguments.get("table") or arguments.get("proposal") or arguments.get("play")
        content = self.content(action.__name__, tournament, about)
        return attempt_call(
            lambda: action(Command(uid, self.user, self.device, content), tournament, **arguments)
        )

    def content(self, action: str, tournament: UUID, about: UUID | None) -> str:
        """The digest of the form's fields; `about` is the table, play or proposal that its address names."""
        said = {
            name: [value for value in values if value]
            for name, values in self.data.lists()
            if name not in NOT_SAID and any(values)
        }
        return content_digest({"about": about, "action": action, "form": said, "tournament": tournament})


def page(
    request: HttpRequest, template: str, tournament: Tournament, /, *, status: int = OK, **context: Any
) -> HttpResponse:
    """Render a page about a tournament, with every time in its own zone."""
    with timezone.override(tournament.zone):
        row = row_of(request, tournament)
        own = {
            "tournament": tournament,
            "undo_url": _undo_of(request, row) if row else "",
            "saved_what": saved_text(row) if row and context.get("section") == "events" else "",
            # asked where a page needs them
            "limited": partial(is_limited, request.user, tournament),
            "said": partial(_said, tournament),
        }
        return render(request, template, own | context, status=status)


def _said(tournament: Tournament) -> list[Announcement]:
    return list(Announcement.objects.filter(tournament=tournament).standing(timezone.now()))


def site_page(request: HttpRequest, template: str, /, *, status: int = OK, **context: Any) -> HttpResponse:
    """Render a page about no single tournament."""
    return render(request, template, context, status=status)


def public_page(request: HttpRequest, template: str, about: Tournament, /, **context: Any) -> HttpResponse:
    """Render a page that is published, and made again when the tournament changes. What is said to everybody there may
    be newer than the rest, never older."""
    context = {"said": Announcement.objects.filter(tournament=about).standing()} | context
    return published_page(request, template, context, scope=str(about.uid), version=about.version)


def saved(url: str, receipt: Receipt, **more: str) -> HttpResponseRedirect:
    """Redirect to `url` (without a query of its own), which shows the receipt; see `receipt_of`. The address names the
    ledger row, so a reload or the back button shows the same time again."""
    return see_other(f"{url}?{urlencode({'saved': str(receipt.sequence)} | more)}")


def see_other(url: str) -> HttpResponseRedirect:
    """Redirect with 303, so that the browser follows with a GET."""
    return HttpResponseRedirect(url, status=SEE_OTHER)


def receipt_of(request: HttpRequest, tournament: Tournament) -> datetime | None:
    """When the server stored what this user just entered; None if the address names no row of theirs."""
    row = row_of(request, tournament)
    return row.at if row else None


def _undo_of(request: HttpRequest, row: LedgerRow) -> str:
    """The page that undoes what this user just did and leads back to this one; "" if it cannot be undone."""
    if not can_be_undone(row.action):
        return ""
    if row.action == UNDO and None in row.payload.get("entry", {}).values():
        return ""  # their names are gone
    return undo_address(row.tournament, row.sequence, request.path)


def undo_address(tournament: Tournament, row: int, back: str) -> str:
    """The page that undoes a row and then leads back to the path `back`."""
    return f"{reverse('organise-undo', args=[tournament.slug, row])}?{urlencode({'back': back})}"


def row_of(request: HttpRequest, tournament: Tournament) -> LedgerRow | None:
    """The row that the address names, if this user wrote it."""
    sequence = sequence_of(request)
    if sequence is None or not request.user.is_authenticated:
        return None
    return (
        LedgerRow.objects.filter(tournament=tournament, sequence=sequence, actor=user_of(request))
        .select_related("actor", "tournament")
        .first()
    )


def sequence_of(request: HttpRequest) -> int | None:
    """The ledger row that the address names (see `saved`); None if it names none."""
    return number_or_none(request.GET.get("saved", ""), longest=LONGEST_SEQUENCE)
