"""The outbox: batches of offline entries, each handled like its form in its own transaction.

Answers are JSON with `lastcard`: 1, which no proxy invents. `wait`: retry later. `conflict`, `refused`: a person
decides at the form's address.

Request (`batch_of`, else Malformed):

    {"user": uid, "now": ms, "entries": [{"command": uid, "kind": "round", "url": "/en/desk/table/<uid>/record/",
     "fields": [[name, value], ...], "queued": ms, "skew": ms or null, "guessed": bool}, ...],
     "tournaments": [uid, ...], "others": [uid, ...], "plays": [uid, ...], "last": [[uid, sequence, at], ...]}

`now`, `queued`, `skew`, `guessed`: see outbox/phone_clock.js. `last`: the latest known row per event. If the ledger
lacks it, a backup was restored: nothing is done, and phones resend all entries of the `lost` event.
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rulesets import RULESETS, SPECIALS
from tournament.models import (
    Entry as Player,
    LedgerRow,
    Membership,
    Play,
    Result,
    Seat,
    Table,
    Tournament,
    User,
)
from tournament.pages.desk.play import comparison
from tournament.pages.desk.table import Scene
from tournament.pages.public.stage import how_text
from tournament.results import Agreed, Conflict, Fault, Typed, contest_now, time_text, uuid_or_none
from tournament.server import clock
from tournament.server.database import is_away
from tournament.views import (
    TOO_MANY,
    Attempt,
    Sent,
    device_of,
    get_play,
    get_scene,
    get_table,
    page,
    refused,
    signed_in_page,
    site_page,
    user_of,
)
from tournament.views.desk.my_tables import tables_of
from tournament.views.desk.tables import attempt_record, new_play
from tournament.views.entry.games import attempt_end, attempt_roles, attempt_start
from tournament.views.entry.rounds import hand_errors, previewed
from tournament.views.entry.taps import attempt_give_up, attempt_join, attempt_out, attempt_take_back
from tournament.words.faults import fault_text
from tournament.words.kinds import GAME_KINDS, OUT_KINDS
from tournament.words.text import can_be_written, listed

# ---- When an entry was made, by clocks that may be wrong or set ----

ASK_MS = 2 * 60_000  # tolerated disagreement


def server_ms() -> int:
    return int(clock.now().timestamp() * 1000)


def late_by(
    now: int, *, sent: int, queued: int, skew: int | None, guessed: bool = False
) -> tuple[int, int | None]:
    """Seconds since the entry, by the contact before it (by the sending one if `guessed`), and None. If a clock was set
    (the contacts disagree or lie in the future), by both, for people to choose: the later first, unless in the future.
    """
    waited = sent - queued
    ago = waited if skew is None else now - skew - queued
    if abs(ago - waited) <= ASK_MS and (ago >= -ASK_MS or skew is None):
        return max(0, waited if guessed else ago) // 1000, None
    first, second = (waited, ago) if ago < 0 else sorted((ago, waited))
    return max(0, first) // 1000, max(0, second) // 1000


MOST_ENTRIES = 50  # entries per request
MOST_FIELDS = 2_000  # per entry
MOST_NAMED = 200  # per list
MOST_MS = 10**15


class Malformed(Exception):
    """Not an outbox's request (400)."""


@dataclass(frozen=True)
class Batch:
    """Sender's uid, entries, tournaments and plays that may be over, users to name, `last` rows."""

    user: str
    entries: Sequence["Entry"]
    tournaments: Sequence[UUID]
    others: Sequence[UUID]
    plays: Sequence[UUID]
    last: Sequence[tuple[UUID, int, datetime]] = ()


@dataclass(frozen=True)
class Entry:
    """A form. `about`: uid of its table or play; None (refused alone) if unreadable."""

    command: UUID
    kind: str
    about: UUID | None
    data: QueryDict
    late_s: int = 0
    other_late_s: int | None = None

    def sent(self, request: HttpRequest) -> Sent:
        """The form as its view reads it."""
        return Sent(user_of(request), device_of(request), self.data, self.late_s, self.other_late_s)


def batch_of(body: bytes) -> Batch:
    """Parse a request. Raises Malformed."""
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Malformed from error
    if not isinstance(asked, dict) or not isinstance(asked.get("user"), str):
        raise Malformed
    entries, now = asked.get("entries"), _moment(asked.get("now"))
    if not isinstance(entries, list) or len(entries) > MOST_ENTRIES:
        raise Malformed
    return Batch(
        user=asked["user"],
        entries=[_entry(each, now) for each in entries],
        tournaments=_uids(asked.get("tournaments", [])),
        others=_uids(asked.get("others", [])),
        plays=_uids(asked.get("plays", [])),
        last=_rows(asked.get("last", [])),
    )


def _entry(asked: object, now: int) -> Entry:
    if not isinstance(asked, dict) or (command := uuid_or_none(str(asked.get("command")))) is None:
        raise Malformed  # no command to answer
    kind, url, skew = asked.get("kind"), asked.get("url"), asked.get("skew")
    unreadable = Entry(command, "", None, QueryDict())
    if not isinstance(kind, str) or not isinstance(url, str):
        return unreadable
    steps = url.split("/")  # an address of the desk: `/fi/desk/play/<uid>/out/`
    about = uuid_or_none(steps[4]) if len(steps) > 4 and steps[2] == "desk" else None
    try:
        late = late_by(
            server_ms(),
            sent=now,
            queued=_moment(asked.get("queued")),
            skew=None if skew is None else _moment(skew, least=-MOST_MS),
            guessed=bool(asked.get("guessed")),
        )
        return Entry(command, kind, about, _fields(asked.get("fields"), command), *late)
    except Malformed:
        return unreadable


def _fields(fields: object, command: UUID) -> QueryDict:
    if not isinstance(fields, list) or len(fields) > MOST_FIELDS:
        raise Malformed
    data = QueryDict(mutable=True)
    for field in fields:
        if not (
            isinstance(field, list)
            and len(field) == 2
            and all(isinstance(each, str) and can_be_written(each) for each in field)
        ):
            raise Malformed
        data.appendlist(*field)
    data["command"] = str(command)
    return data


def _moment(value: object, least: int = 0) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value < MOST_MS:
        raise Malformed
    return int(value)


def _uids(texts: object) -> list[UUID]:
    if not isinstance(texts, list) or len(texts) > MOST_NAMED:
        raise Malformed
    return [uid for each in texts if (uid := uuid_or_none(str(each)))]


def _rows(asked: object) -> list[tuple[UUID, int, datetime]]:
    if not isinstance(asked, list) or len(asked) > MOST_NAMED:
        raise Malformed
    try:
        rows = [(UUID(uid), int(sequence), datetime.fromisoformat(at)) for uid, sequence, at in asked]
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise Malformed from error
    if any(not 0 < sequence < 2**31 or at.tzinfo is None for _uid, sequence, at in rows):
        raise Malformed
    return rows


logger = logging.getLogger("tournament.views.desk.sending")

AT_TABLE: Mapping[str, Callable[[Sent, Any], Attempt]] = {
    "round": attempt_record,
    "heat": attempt_record,
    "paper": attempt_record,
    "start": attempt_start,
    "roles": attempt_roles,
}
IN_PLAY: Mapping[str, Callable[[Sent, Any], Attempt]] = {
    "out": attempt_out,
    "give_up": attempt_give_up,
    "take_back": attempt_take_back,
    "join": attempt_join,
    "end": attempt_end,
}


@never_cache
@require_http_methods(["GET", "POST"])
def send(request: HttpRequest) -> HttpResponse:
    """Take a batch, perhaps empty. 401 `sign_in`, 400 `malformed`, 409 `other_user`."""
    if request.method == "GET":
        return HttpResponseRedirect(reverse("desk-outbox"))
    if not request.user.is_authenticated:
        return answer({"state": "sign_in"}, status=401)
    user = user_of(request)
    try:
        batch = batch_of(request.body)
    except Malformed:
        return answer({"state": "malformed"}, status=400)
    if batch.user != str(user.uid):
        return answer({"state": "other_user", "user": str(user.uid)}, status=409)
    gone = lost(batch.last)
    return answer(
        {
            "answers": [] if gone else carry_out(request, batch.entries),
            "lost": gone,
            "ended": ended(batch.tournaments),
            "others": names_of(user, batch.others),
            "over": over(batch.plays),
        }
    )


@signed_in_page
def outbox(request: HttpRequest) -> HttpResponse:
    """The outbox page."""
    return site_page(
        request,
        "desk/outbox.html",
        section="desk",
        tables=tables_of(user_of(request))
        .select_related("stage__tournament")
        .prefetch_related(Prefetch("seats", Seat.objects.select_related("entry"))),
        cards=SPECIALS,
        rulesets=RULESETS.values(),
        out_kinds=[*OUT_KINDS.items(), *GAME_KINDS.items()],
    )


def answer(said: Mapping[str, object], *, status: int = 200) -> JsonResponse:
    """JSON that an outbox trusts."""
    return JsonResponse({"lastcard": 1, "now": server_ms(), **said}, status=status)


def carry_out(request: HttpRequest, entries: Sequence[Entry]) -> list[dict[str, object]]:
    """Handle entries in order. A waiting entry blocks later ones of its play. Once the database is away the rest waits;
    on the first entry its error is raised. `play`: another phone's game by the same start."""
    answers: list[dict[str, object]] = []
    waiting: set[UUID] = set()
    same: dict[UUID, UUID] = {}  # local to stored game
    away = False
    for each in entries:
        entry = replace(each, about=same.get(each.about, each.about)) if each.about else each
        play = play_of(entry)
        said: dict[str, Any] = {"state": "wait"}
        if not away and play not in waiting:
            try:
                said = answer_to(request, entry)
                if said["state"] != "saved":
                    # Saved stays saved, even if the form is invalid by now: the answer was lost.
                    said = saved_before(request, entry) or said
                if play and (other := started_by(entry, said)):
                    same[play] = other
                    said["play"] = str(other)
            except Exception as error:  # `is_away` looks through causes
                if not answers or not is_away(error):
                    raise
                away = True
        if said["state"] == "wait" and play:
            waiting.add(play)
        answers.append({"command": str(entry.command), **said})
    return answers


def started_by(entry: Entry, said: Mapping[str, Any]) -> UUID | None:
    """The other phone's game of a saved start."""
    if entry.kind != "start" or said["state"] != "saved" or not entry.about:
        return None
    event = Table.objects.filter(uid=entry.about).values("stage__tournament")
    rows = LedgerRow.objects.filter(tournament__in=event, sequence=said["sequence"])
    payload = rows.values_list("payload", flat=True).first() or {}
    plays = [UUID(uid) for uid in payload.get("play", {})]
    return plays[0] if len(plays) == 1 and plays[0] != play_of(entry) else None


def saved_before(request: HttpRequest, entry: Entry) -> dict[str, Any] | None:
    """The answer from this user's earlier row, or None."""
    sent = entry.sent(request)
    for row in LedgerRow.objects.filter(command=entry.command, actor=sent.user).select_related("tournament"):
        if row.content == sent.content(row.action, row.tournament.uid, entry.about):
            return saved(row.sequence, row.at, row.tournament)
    return None


def answer_to(request: HttpRequest, entry: Entry) -> dict[str, Any]:
    """The answer that the form's view would give."""
    try:
        return said_of(request, *attempt(request, entry))
    except Http404:
        fault = Fault("unknown_play" if entry.kind in IN_PLAY else "unknown_table")
    except PermissionDenied:
        fault = Fault("forbidden")
    except Exception as error:  # must not block the others; retried
        if is_away(error):
            raise
        logger.exception("An entry of an outbox failed: %s", entry.kind)
        return {"state": "wait"}
    return {"state": "refused", "said": [fault_text(fault)]}


def play_of(entry: Entry) -> UUID | None:
    """The entry's play."""
    return entry.about if entry.kind in IN_PLAY else uuid_or_none(entry.data.get("play", ""))


def attempt(request: HttpRequest, entry: Entry) -> tuple[Attempt, Tournament | None]:
    """Do what the form's view does; also return its tournament."""
    sent = entry.sent(request)
    if entry.about and entry.kind in AT_TABLE:
        table = get_table(request, entry.about)
        return AT_TABLE[entry.kind](sent, table), table.stage.tournament
    if entry.about and entry.kind in IN_PLAY:
        play = get_play(request, entry.about)
        return IN_PLAY[entry.kind](sent, play), play.table.stage.tournament
    return refused(Fault("malformed")), None


def said_of(request: HttpRequest, attempt: Attempt, tournament: Tournament | None) -> dict[str, Any]:
    """Answer with ids for names, which phones do not store."""
    if attempt.receipt:
        return saved(attempt.receipt.sequence, attempt.receipt.at, tournament)
    if attempt.reused and attempt.reused.same:
        # stored under another user
        return saved(attempt.reused.sequence, attempt.reused.at, tournament)
    if attempt.status == TOO_MANY or any(fault.code == "wait_for_predecessor" for fault in attempt.faults):
        return {"state": "wait"}
    if attempt.conflict:
        current = attempt.conflict.current
        if current.at and (isinstance(attempt.conflict, Agreed) or alike(request, attempt.conflict)):
            return saved(current.sequence, current.at, tournament)
    steps = {step for fault in attempt.faults for step in fault.path.split("/")}
    errors = attempt.context({step: step for step in steps if uuid_or_none(step)})
    return {
        "state": "conflict" if attempt.conflict else "refused",
        "said": [problem.text for problem in errors["errors"]],
        "hands": hand_errors(errors["wrong"]),
    }


def saved(sequence: int, at: datetime, tournament: Tournament | None) -> dict[str, Any]:
    """The answer for what is stored, `at` in the event's zone."""
    here = at.astimezone(tournament.zone) if tournament else at
    return {"state": "saved", "sequence": sequence, "at": here.isoformat()}


def alike(request: HttpRequest, conflict: Conflict) -> bool:
    """Whether both versions agree."""
    current, offered = conflict.current.play, conflict.offered.play
    if Play.State.RUNNING in {current.state, offered.state}:
        return False
    table = get_table(request, current.table)
    scene = Scene(table, contest_now(table), None)
    return not any(row.differs for row in comparison(offered, current, scene, yours_by="", theirs_by="").rows)


def ended(tournaments: Sequence[UUID]) -> list[str]:
    """Finished tournaments: the phone may delete their data."""
    over = Tournament.objects.filter(uid__in=tournaments, state=Tournament.State.FINISHED)
    return [str(uid) for uid in over.values_list("uid", flat=True)]


def lost(last: Sequence[tuple[UUID, int, datetime]]) -> list[str]:
    """Known tournaments whose ledger lacks the phone's last row."""
    there = LedgerRow.objects.filter(
        tournament__uid__in=[uid for uid, _sequence, _at in last],
        sequence__in=[sequence for _uid, sequence, _at in last],
    )
    rows = {row[:2]: row[2] for row in there.values_list("tournament__uid", "sequence", "at")}
    gone = [uid for uid, sequence, at in last if rows.get((uid, sequence)) != at]
    return [str(uid) for uid in Tournament.objects.filter(uid__in=gone).values_list("uid", flat=True)]


def over(plays: Sequence[UUID]) -> list[str]:
    """Plays not running: refused entries can never be saved."""
    found = Play.objects.filter(uid__in=plays).exclude(state=Play.State.RUNNING)
    return [str(uid) for uid in found.values_list("uid", flat=True)]


def names_of(user: User, others: Sequence[UUID]) -> dict[str, str]:
    """Names of `others` who share an event with `user`."""
    together = Membership.objects.filter(
        tournament__in=Membership.objects.filter(user=user).values("tournament")
    )
    people = User.objects.filter(uid__in=others, pk__in=together.values("user"))
    return {str(other.uid): other.display_name() for other in people}


# ---- Hand over an entry by QR code ----

LEFT = {"out": Result.Outcome.OUT, "give_up": Result.Outcome.GAVE_UP}


@never_cache
@require_http_methods(["GET", "POST"])
def hand_over(request: HttpRequest) -> HttpResponse:
    """The page, also before sign-in."""
    if request.method == "GET":
        return render(request, "desk/hand_over.html", {"section": "desk"})
    try:
        (entry,) = batch_of(request.body).entries
        if not request.user.is_authenticated or entry.kind not in {*AT_TABLE, *IN_PLAY}:
            raise Malformed
        named = uuid_or_none(request.GET.get("table", ""))  # its game may still wait on the other phone
        if named is None or (entry.kind in AT_TABLE and entry.about != named):
            raise Http404
        table = get_table(request, named)
    except (Malformed, ValueError):
        return _refused(request, Fault("malformed"))
    except Http404:
        return _refused(request, Fault("unknown_table"))
    except PermissionDenied:
        return _refused(request, Fault("forbidden"))
    scene = get_scene(table)
    stored = LedgerRow.objects.filter(tournament=scene.tournament, command=entry.command).exists()
    context: dict[str, Any] = {**scene.context(), "stored": stored, "may": not stored}
    if not stored and scene.open:
        sent = entry.sent(request)
        if AT_TABLE.get(entry.kind) is attempt_record:
            context |= {"play": True, **previewed(new_play(scene, sent.fields), in_full=True)}
        else:
            context["handed"] = _said(entry, sent.typed(), scene)
    return page(request, "desk/_handed.html", scene.tournament, **context)


def _refused(request: HttpRequest, fault: Fault) -> HttpResponse:
    return render(request, "desk/_handed.html", {"refused": fault_text(fault)})


def _said(entry: Entry, typed: Typed, scene: Scene) -> list[tuple[str, str]]:
    who = {"player": _("Players"), "entry": _("Player"), "oldest": _("Oldest"), "youngest": _("Youngest")}
    who |= {"starter": _("Starts"), "remaining": _("Cards left")}
    named = {name: [uuid_or_none(each) for each in entry.data.getlist(name)] for name in who}
    uids = {uid for each in named.values() for uid in each if uid}
    players = list(Player.objects.filter(tournament=scene.tournament, uid__in=uids))
    said = [
        (words, listed([player.shown_name for player in players if player.uid in named[name]]))
        for name, words in who.items()
    ]
    if outcome := LEFT.get(entry.kind):
        elapsed = typed.whole("elapsed_s", "", most=24 * 3600)
        ago = typed.whole("ago", "", most=24 * 60) or 0
        when = typed.text("at") or (time_text(max(0, elapsed - 60 * ago)) if elapsed is not None else "")
        said.append((how_text(outcome, None), when))
    return [(what, text) for what, text in ((_("Player"), typed.text("name")), *said) if text]
