"""The outbox: entries that phones kept while they had no network come in batches, each carried out as if its form had
been posted from its page, each in a transaction of its own.

The answer is JSON that no proxy between phone and server would make up (`lastcard`: 1): only what it names as saved is
saved. `wait`: not yet, send it again after what came before it. `conflict` and `refused`: a person decides, on the page
at the form's own address.

A request, read by `batch_of`; anything else is Malformed, and is never an error of the program:

    {"user": uid, "now": ms, "entries": [{"command": uid, "kind": "round", "url": "/en/desk/table/<uid>/record/",
     "fields": [[name, value], ...], "queued": ms, "skew": ms or null}, ...], "tournaments": [uid, ...],
     "others": [uid, ...], "plays": [uid, ...], "last": [[uid, sequence, at], ...]}

`now` and `queued` are by the phone's own clock, `skew` says by how much the server's was ahead of it before the entry
(_phone_clock.py); each answer has the server's `now`.
`last` names of each event the last row that the phone was told of: where the ledger has it no more, a backup was
restored. Then nothing is carried out, and `lost` names the event: the phone sends again all that it kept of it.
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
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rulesets import RULESETS, SPECIALS
from tournament.models import LedgerRow, Membership, Play, Seat, Table, Tournament, User
from tournament.pages.desk.play import comparison
from tournament.pages.desk.table import Scene
from tournament.results import Agreed, Conflict, Fault, contest_now, uuid_or_none
from tournament.server.database import is_away
from tournament.views import (
    TOO_MANY,
    Attempt,
    Sent,
    device_of,
    get_table,
    refused,
    signed_in_page,
    site_page,
    user_of,
)
from tournament.views._access import get_play
from tournament.views.desk.my_tables import tables_of
from tournament.views.desk.tables import attempt_record
from tournament.views.entry._phone_clock import late_by, server_ms
from tournament.views.entry.games import attempt_end, attempt_roles, attempt_start
from tournament.views.entry.rounds import hand_errors
from tournament.views.entry.taps import attempt_give_up, attempt_join, attempt_out, attempt_take_back
from tournament.words.faults import fault_text
from tournament.words.kinds import OUT_KINDS
from tournament.words.text import can_be_written

MOST = 50  # entries in a request
MOST_FIELDS = 2_000  # of an entry
MOST_NAMED = 200  # tournaments, or other users of the phone, that a request asks about
MOST_MS = 10**15  # of a phone's time of day


class Malformed(Exception):
    """A request that no outbox sends."""


@dataclass(frozen=True)
class Batch:
    """A request: the sender's uid, the entries, the tournaments and plays that may be over, the other users of the
    phone whose names it asks for, and of each tournament the last row that it was told of."""

    user: str
    entries: Sequence["Entry"]
    tournaments: Sequence[UUID]
    others: Sequence[UUID]
    plays: Sequence[UUID]
    last: Sequence[tuple[UUID, int, datetime]] = ()


@dataclass(frozen=True)
class Entry:
    """One form of the outbox. `about` is the uid of the table or play that its address names; None for an address
    outside the desk and for an unreadable entry, which is refused and does not hold back the others."""

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
    """Read the request from its body. Raises Malformed."""
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Malformed from error
    if not isinstance(asked, dict) or not isinstance(asked.get("user"), str):
        raise Malformed
    entries, now = asked.get("entries"), _moment(asked.get("now"))
    if not isinstance(entries, list) or len(entries) > MOST:
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
    if not isinstance(asked, dict):
        raise Malformed
    command = uuid_or_none(str(asked.get("command")))
    if command is None:
        raise Malformed  # there is nothing to answer it by
    try:
        return _read(asked, command, now)
    except Malformed:
        return Entry(command, "", None, QueryDict())


def _read(asked: Mapping[str, object], command: UUID, now: int) -> Entry:
    kind, url, skew = asked.get("kind"), asked.get("url"), asked.get("skew")
    if not isinstance(kind, str) or not isinstance(url, str):
        raise Malformed
    ahead = None if skew is None else _moment(skew, least=-MOST_MS)
    late = late_by(server_ms(), now, _moment(asked.get("queued")), ahead)
    return Entry(command, kind, _about(url), _fields(asked.get("fields"), command), *late)


def _fields(fields: object, command: UUID) -> QueryDict:
    if not isinstance(fields, list) or len(fields) > MOST_FIELDS:
        raise Malformed
    data = QueryDict(mutable=True)
    for field in fields:
        if not (isinstance(field, list) and len(field) == 2 and all(map(_is_text, field))):
            raise Malformed
        data.appendlist(*field)
    data["command"] = str(command)
    return data


def _is_text(value: object) -> bool:
    return isinstance(value, str) and can_be_written(value)


def _moment(value: object, least: int = 0) -> int:
    """Milliseconds of a phone's time of day."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value < MOST_MS:
        raise Malformed
    return int(value)


def _about(url: str) -> UUID | None:
    """The uid in an address of the desk, in any language: `/fi/desk/play/<uid>/out/`."""
    steps = url.split("/")
    return uuid_or_none(steps[4]) if len(steps) > 4 and steps[2] == "desk" else None


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
    if any(not 0 < sequence < 2**31 or at.tzinfo is None for _, sequence, at in rows):
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
    """Take a batch; one without entries is the pulse that says whether the server is there."""
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
    """Show the outbox: its entries only the phone knows, their labels come from the server."""
    return site_page(
        request,
        "desk/outbox.html",
        section="desk",
        tables=tables_of(user_of(request))
        .select_related("stage__tournament")
        .prefetch_related(Prefetch("seats", Seat.objects.select_related("entry"))),
        cards=SPECIALS,
        rulesets=RULESETS.values(),
        out_kinds=OUT_KINDS.items(),
    )


def answer(said: Mapping[str, object], *, status: int = 200) -> JsonResponse:
    """Give an answer that an outbox trusts."""
    return JsonResponse({"lastcard": 1, "now": server_ms(), **said}, status=status)


def carry_out(request: HttpRequest, entries: Sequence[Entry]) -> list[dict[str, object]]:
    """Carry out each entry in turn. An entry about a play that waits makes the later ones about it wait too. Once the
    database does not answer, all the others wait, instead of running into its timeout one by one; raises its error if
    the first entry meets it.

    A start that another phone sent too is answered with that phone's game, `play`: what follows is about it."""
    answers: list[dict[str, object]] = []
    waiting: set[UUID] = set()
    same: dict[UUID, UUID] = {}  # the game of another phone, by the one that a start made here
    away = False
    for each in entries:
        entry = replace(each, about=same.get(each.about, each.about)) if each.about else each
        play = play_of(entry)
        said: dict[str, Any] = {"state": "wait"}
        if not away and play not in waiting:
            try:
                said = outcome(request, entry)
                if play and (other := started_by(entry, said)):
                    same[play] = other
                    said["play"] = str(other)
            except Exception as error:  # `is_away` finds a lost database behind whatever it was turned into
                if not answers or not is_away(error):
                    raise
                away = True
        if said["state"] == "wait" and play:
            waiting.add(play)
        answers.append({"command": str(entry.command), **said})
    return answers


def started_by(entry: Entry, said: Mapping[str, Any]) -> UUID | None:
    """The other phone's game, where a start was saved as that game's. None for any other entry."""
    if entry.kind != "start" or said["state"] != "saved" or not entry.about:
        return None
    event = Table.objects.filter(uid=entry.about).values("stage__tournament")
    rows = LedgerRow.objects.filter(tournament__in=event, sequence=said["sequence"])
    payload = rows.values_list("payload", flat=True).first() or {}
    plays = [UUID(uid) for uid in payload.get("play", {})]
    return plays[0] if len(plays) == 1 and plays[0] != play_of(entry) else None


def outcome(request: HttpRequest, entry: Entry) -> dict[str, Any]:
    """The outcome of one entry. A saved entry stays saved, even if its form could not be read again today: the answer
    was lost, and since then somebody left the table, or the sender's role ended."""
    said = answer_to(request, entry)
    return said if said["state"] == "saved" else saved_before(request, entry) or said


def saved_before(request: HttpRequest, entry: Entry) -> dict[str, Any] | None:
    """The answer with the row that this same entry of this user made when it came before; None if it did not."""
    sent = entry.sent(request)
    for row in LedgerRow.objects.filter(command=entry.command, actor=sent.user).select_related("tournament"):
        if row.content == sent.content(row.action, row.tournament.uid, entry.about):
            return saved(row.sequence, row.at, row.tournament)
    return None


def answer_to(request: HttpRequest, entry: Entry) -> dict[str, Any]:
    """The answer to an entry, as its form's own view would give it."""
    try:
        return said_of(request, *attempt(request, entry))
    except Http404:
        fault = Fault("unknown_play" if entry.kind in IN_PLAY else "unknown_table")
    except PermissionDenied:
        fault = Fault("forbidden")
    except Exception as error:  # it must not keep the others back; it is kept and sent again
        if is_away(error):
            raise
        logger.exception("An entry of an outbox failed: %s", entry.kind)
        return {"state": "wait"}
    return {"state": "refused", "said": [fault_text(fault)]}


def play_of(entry: Entry) -> UUID | None:
    """The play that the entry makes or is about."""
    return entry.about if entry.kind in IN_PLAY else uuid_or_none(entry.data.get("play", ""))


def attempt(request: HttpRequest, entry: Entry) -> tuple[Attempt, Tournament | None]:
    """Do what the form's own view does; gives the tournament too, where the entry names a table or play of one."""
    sent = entry.sent(request)
    if entry.about and entry.kind in AT_TABLE:
        table = get_table(request, entry.about)
        return AT_TABLE[entry.kind](sent, table), table.stage.tournament
    if entry.about and entry.kind in IN_PLAY:
        play = get_play(request, entry.about)
        return IN_PLAY[entry.kind](sent, play), play.table.stage.tournament
    return refused(Fault("malformed")), None


def said_of(request: HttpRequest, attempt: Attempt, tournament: Tournament | None) -> dict[str, Any]:
    """The answer for the phone. Its words say ids, where a page puts the names that it knows: a phone keeps no names.
    `hands` are the words at each hand."""
    if attempt.receipt:
        return saved(attempt.receipt.sequence, attempt.receipt.at, tournament)
    if attempt.reused and attempt.reused.same:
        # Another user's, of this very form: somebody sends it as themselves.
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
    """The answer of what is stored since `at`, told in the event's own zone, as every page of it tells times."""
    here = at.astimezone(tournament.zone) if tournament else at
    return {"state": "saved", "sequence": sequence, "at": here.isoformat()}


def alike(request: HttpRequest, conflict: Conflict) -> bool:
    """Tell whether both versions say the same, so that there is nothing to choose."""
    current, offered = conflict.current.play, conflict.offered.play
    if Play.State.RUNNING in {current.state, offered.state}:
        return False
    table = get_table(request, current.table)
    scene = Scene(table, contest_now(table), None)
    return not any(row.differs for row in comparison(offered, current, scene, yours_by="", theirs_by="").rows)


def ended(tournaments: Sequence[UUID]) -> list[str]:
    """Those of the tournaments that are over, whose data a phone may delete."""
    over = Tournament.objects.filter(uid__in=tournaments, state=Tournament.State.FINISHED)
    return [str(uid) for uid in over.values_list("uid", flat=True)] if tournaments else []


def lost(last: Sequence[tuple[UUID, int, datetime]]) -> list[str]:
    """Those of the tournaments whose ledger has not the row that a phone was told of: a backup from before was
    restored. One that is not here at all is not meant."""
    uids = [uid for uid, _, _ in last]
    there = LedgerRow.objects.filter(tournament__uid__in=uids, sequence__in=[row for _, row, _ in last])
    rows = {row[:2]: row[2] for row in there.values_list("tournament__uid", "sequence", "at")} if last else {}
    gone = [uid for uid, sequence, at in last if rows.get((uid, sequence)) != at]
    known = Tournament.objects.filter(uid__in=gone).values_list("uid", flat=True) if gone else ()
    return [str(uid) for uid in known]


def over(plays: Sequence[UUID]) -> list[str]:
    """Those of the plays that do not run any more, so that what was refused about them can never be saved."""
    found = Play.objects.filter(uid__in=plays).exclude(state=Play.State.RUNNING)
    return [str(uid) for uid in found.values_list("uid", flat=True)] if plays else []


def names_of(user: User, others: Sequence[UUID]) -> dict[str, str]:
    """The names of other users whose entries wait on this phone, if they share an event with this one."""
    if not others:
        return {}
    together = Membership.objects.filter(
        tournament__in=Membership.objects.filter(user=user).values("tournament")
    )
    people = User.objects.filter(uid__in=others, pk__in=together.values("user"))
    return {str(other.uid): other.display_name() for other in people}
