"""The KPGUT clock at a table: start a game, tap who is out, take a tap back, count the hands at the hour.

The game runs on the server and each tap is a command of its own. A tap carries no version, so that two players tapped
in the same second both arrive; it may carry the seconds that the phone's clock showed, so that slow wifi costs nobody
a minute.
"""

from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_http_methods

from tournament import actions
from tournament.models import Play, Result, Table
from tournament.pages.desk.play import lines_of
from tournament.pages.desk.plays import finished_lists
from tournament.pages.desk.roles import roles_at
from tournament.pages.desk.table import Scene
from tournament.pages.errors import errors_context
from tournament.pages.public.stage import how_text
from tournament.results.faults import Fault
from tournament.results.kinds import kind_of
from tournament.results.typed import Typed, uuid_or_none
from tournament.server.clock import now
from tournament.views._access import get_play, get_scene, get_table, signed_in
from tournament.views._answer import OK, Attempt, Sent, page, reason_of, saved
from tournament.views.desk._page import receipt_context
from tournament.views.entry._clock import NO_GAME, facts, parts, running
from tournament.views.entry._clock import start as start_of
from tournament.views.entry._conflict import conflict_page
from tournament.words.text import reason_in

Outcome = Result.Outcome
LATEST_START = 59  # minutes ago


def show_clock(
    request: HttpRequest, scene: Scene, faults: tuple[Fault, ...] = (), status: int = OK
) -> HttpResponse:
    """The page of a KPGUT table: the running game, or the start of the next."""
    roles = roles_at(scene)
    context = {
        **scene.context(),
        **receipt_context(request, scene),
        **finished_lists(scene),
        **errors_context(faults, scene.names),
        "roles": roles,
        "role_players": scene.named(scene.ready),
        "undo": _undo(request, scene),
        "result": _result(scene),
        "new_command": uuid4,
    }
    game = scene.running
    posted = request.POST if request.method == "POST" else request.GET
    context |= running(scene, game) if game else start_of(scene, posted, request.POST.dict())
    context |= parts(request, scene, context) | {
        "facts": facts(scene) | {"roles": asdict(roles)},
        "no_game": NO_GAME,
    }
    return page(request, "desk/game.html", context, scene.tournament, status=status)


def _result(scene: Scene) -> dict[str, Any] | None:
    """The game that was played last, with its order and what decided it, until the next one begins."""
    game = next((play for play in scene.plays if play.state != Play.State.VOID), None)
    if game is None or game not in scene.counting:
        return None
    return {
        "label": scene.label(game),
        "lines": lines_of(
            game, scene.names, scene.ruleset, scene.points(game.uid), scored=scene.scored(game.uid)
        ),
        "notes": [],
    }


def seconds_since(moment: datetime) -> int:
    """Full seconds since then, by the server's clock."""
    return max(0, int((now() - moment).total_seconds()))


def _undo(request: HttpRequest, scene: Scene) -> dict[str, str] | None:
    """The tap that ended a game, offered to be taken back: named by the address that the tap led to. In a running game
    whoever is out has the way back in their own place."""
    entry, uid = uuid_or_none(request.GET.get("undo", "")), uuid_or_none(request.GET.get("play", ""))
    game = next((play for play in scene.plays if play.uid == uid), None)
    row = game.result_of(entry) if game and entry and game is not scene.running else None
    if game is None or row is None or row.outcome not in {Outcome.OUT, Outcome.GAVE_UP, Outcome.EJECTED}:
        return None
    return {
        "play": str(game.uid),
        "entry": str(entry),
        "name": scene.names.get(str(entry), ""),
        "how": how_text(row.outcome, row.elapsed_s, by_clock=True),
    }


@signed_in
@require_http_methods(["GET", "POST"])
def start(request: HttpRequest, table: UUID) -> HttpResponse:
    """Start a game with those who are ticked; the clock may have begun some minutes ago."""
    scene = get_scene(get_table(request, table))
    if request.method == "GET":
        return HttpResponseRedirect(scene.url)
    attempt = attempt_start(Sent.by(request), scene.table)
    if attempt.receipt:
        return saved(scene.url, attempt.receipt)
    if attempt.conflict:
        return conflict_page(request, scene, attempt.conflict)
    return show_clock(request, scene, attempt.faults, attempt.status)


def attempt_start(sent: Sent, table: Table) -> Attempt:
    """Start the game that the form names. It began when somebody tapped, also where the tap arrives later."""
    typed = sent.typed()
    minutes = typed.whole("ago", "/ago", most=LATEST_START)
    play = typed.uid("play", "/play")
    number = typed.whole("number", "/number", least=1, most=30_000)
    chosen = [uuid_or_none(uid) for uid in sent.data.getlist("player")]
    if play is None or number is None or None in chosen:
        typed.faults.append(Fault("malformed", "/players"))
    return sent.attempt(
        actions.start_game,
        table.stage.tournament.uid,
        typed=typed,
        table=table.uid,
        play=play,
        number=number,
        entries=chosen,
        elapsed_s=(minutes or 0) * 60,
        late_s=sent.late_s,
    )


@signed_in
@require_http_methods(["GET", "POST"])
def start_time(request: HttpRequest, play: UUID) -> HttpResponse:
    """Put the start of the running game right: its clock was started too early or too late."""
    row = get_play(request, play)
    scene = get_scene(get_table(request, row.table.uid))
    game = scene.running
    if game is None or game.uid != row.uid:
        return HttpResponseRedirect(scene.url)
    faults: tuple[Fault, ...] = ()
    status = OK
    if request.method == "POST":
        attempt = attempt_start_time(Sent.by(request), row)
        if attempt.receipt:
            return saved(scene.url, attempt.receipt)
        faults, status = attempt.faults, attempt.status
    errors = errors_context(faults, scene.names)
    context = {
        **scene.context(),
        **errors,
        "clock": running(scene, game)["clock"],
        "way": request.POST.get("way", ""),
        "by": request.POST.get("by", ""),
        "by_error": errors["wrong"].get("/elapsed_s", ""),
        "reason": reason_of(request),
        "command": request.POST.get("command") or uuid4(),
    }
    return page(request, "desk/start_time.html", context, scene.tournament, status=status)


def attempt_start_time(sent: Sent, play: Play) -> Attempt:
    """Move the start by what the form says."""
    typed = sent.typed()
    by = typed.seconds("by", "/elapsed_s")
    if by is None and not typed.faults:
        typed.faults.append(Fault("not_a_time", "/elapsed_s"))
    reason = reason_in(sent.data)
    elapsed = seconds_since(play.started_at or now())
    return sent.attempt(
        actions.set_game_start,
        play.table.stage.tournament.uid,
        typed=typed,
        play=play.uid,
        elapsed_s=elapsed + (by or 0) * (-1 if typed.text("way") == "later" else 1),
        reason=reason,
    )


@signed_in
@require_http_methods(["GET", "POST"])
def roles(request: HttpRequest, table: UUID) -> HttpResponse:
    """Two taps say who is oldest and youngest; in a match one says whom the card draw made the starter."""
    scene = get_scene(get_table(request, table))
    faults: tuple[Fault, ...] = ()
    status = OK
    if request.method == "POST":
        attempt = attempt_roles(Sent.by(request), scene.table)
        if attempt.receipt:
            return saved(scene.url, attempt.receipt)
        faults, status = attempt.faults, attempt.status
    named = _named(scene.table, Typed(request.POST.dict()))
    context = {
        **scene.context(),
        **errors_context(faults, scene.names),
        "players": scene.named(scene.ready),
        "named": {role: str(uid or "") for role, uid in named.items()},
        "session": kind_of(scene.contest.kind).seats_change,
        "command": request.POST.get("command") or uuid4(),
    }
    return page(request, "desk/roles.html", context, scene.tournament, status=status)


def attempt_roles(sent: Sent, table: Table) -> Attempt:
    """Name those whom the form names, and nobody else anew."""
    typed = sent.typed()
    uid, named = table.stage.tournament.uid, _named(table, typed)
    return sent.attempt(actions.name_roles, uid, typed=typed, table=table.uid, **named)


def _named(table: Table, typed: Typed) -> dict[str, UUID | None]:
    """Who has each role by the form, else as it is."""
    before = {role: getattr(table, role) for role in Table.ROLES}
    return {
        role: typed.uid(role, f"/{role}") if role in typed.data else entry.uid if entry else None
        for role, entry in before.items()
    }
