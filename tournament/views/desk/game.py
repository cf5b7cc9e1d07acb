"""The KPGUT clock at a table: start a game, tap who is out, take a tap back, count the hands at the hour.

The game runs on the server and each tap is a command of its own. A tap carries no version, so that two players tapped
in the same second both arrive; it may carry the seconds that the phone's clock showed, so that slow wifi costs nobody
a minute.
"""

from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring import decks_for
from tournament import actions
from tournament.facts import PlayFacts
from tournament.faults import Fault
from tournament.forms.reading import Typed, uuid_or_none
from tournament.models import Play, Result, Table
from tournament.views._access import get_table, signed_in
from tournament.views._answer import (
    OK,
    UNPROCESSABLE,
    Attempt,
    errors_context,
    page,
    saved,
)
from tournament.views.components import Clock
from tournament.views.desk._conflict import conflict_page
from tournament.views.desk._page import finished_lists, receipt_context
from tournament.views.desk._roles import roles_at
from tournament.views.desk._scene import Scene, scene_of
from tournament.views.desk._sent import Sent
from tournament.views.desk.hands import pad_of_remaining
from tournament.views.public.stage_boards import how_text

Outcome = Result.Outcome
LATEST_START = 59  # minutes ago


def show_clock(
    request: HttpRequest, scene: Scene, faults: tuple[Fault, ...] = (), status: int = OK
) -> HttpResponse:
    """The page of a KPGUT table: the running game, or the start of the next."""
    context = {
        **scene.context(),
        **receipt_context(request, scene),
        **finished_lists(scene),
        **errors_context(faults, scene.names),
        "roles": roles_at(scene),
        "undo": _undo(request, scene),
        "new_command": uuid4,
    }
    game = scene.running
    context |= _running(scene, game) if game else _start(request, scene)
    return page(request, "desk/game.html", context, scene.tournament, status=status)


def elapsed_of(game: PlayFacts) -> int:
    """Full seconds since the game began, by the server's clock."""
    assert game.started_at is not None
    return seconds_since(game.started_at)


def seconds_since(moment: datetime) -> int:
    """Full seconds since then, by the server's clock."""
    return max(0, int((timezone.now() - moment).total_seconds()))


def _running(scene: Scene, game: PlayFacts) -> dict[str, Any]:
    limit = scene.ruleset.hour_s
    elapsed = elapsed_of(game)
    playing = [row.entry for row in game.with_outcome(Outcome.PLAYING)]
    gone = sorted(
        (row for row in game.results if row.outcome != Outcome.PLAYING), key=lambda row: -(row.elapsed_s or 0)
    )
    over = elapsed >= limit
    return {
        "game": game,
        "clock": Clock(
            elapsed_s=elapsed,
            state="limit" if over else "running",
            limit_s=limit,
            label=scene.label(game),
            note=_("The hour is up") if over else "",
        ),
        "over": over,
        "playing": scene.named(playing),
        "gone": [
            {
                "uid": str(row.entry),
                "name": scene.names[str(row.entry)],
                "how": how_text(row.outcome, row.elapsed_s),
            }
            for row in gone
        ],
        "may_join": not game.with_outcome(Outcome.OUT) and not over,
        "pad": pad_of_remaining(scene, game, {}, {}),
        "hands_key": f"{scene.table.uid}:{game.uid}:{game.version}",
    }


def _start(request: HttpRequest, scene: Scene) -> dict[str, Any]:
    sent = request.POST if request.method == "POST" else request.GET
    chosen = set(sent.getlist("player")) if "number" in sent else {str(entry) for entry in scene.ready}
    busy = {
        row.entry for play in scene.contest.plays if play.state == Play.State.RUNNING for row in play.results
    }
    seated = [(uid, name, uid in chosen, UUID(uid) in busy) for uid, name in scene.named(scene.ready)]
    decks = scene.contest.settings.get("decks") or decks_for(scene.ruleset, max(2, len(chosen)))
    return {
        "game": None,
        "number": scene.next_number,
        "players": seated,
        "decks": decks,
        "per_deck": scene.ruleset.players_per_deck,
        "command": request.POST.get("command") or uuid4(),
        "play": request.POST.get("play") or uuid4(),
        "ago": request.POST.get("ago", ""),
    }


def _undo(request: HttpRequest, scene: Scene) -> dict[str, str] | None:
    """The tap that was just sent, offered to be taken back: named by the address that the tap led to."""
    entry, uid = uuid_or_none(request.GET.get("undo", "")), uuid_or_none(request.GET.get("play", ""))
    game = next((play for play in scene.plays if play.uid == uid), None)
    row = game.result_of(entry) if game and entry else None
    if game is None or row is None or row.outcome not in {Outcome.OUT, Outcome.GAVE_UP, Outcome.EJECTED}:
        return None
    return {
        "play": str(game.uid),
        "entry": str(entry),
        "name": scene.names.get(str(entry), ""),
        "how": how_text(row.outcome, row.elapsed_s),
    }


@signed_in
@require_http_methods(["GET", "POST"])
def start(request: HttpRequest, table: UUID) -> HttpResponse:
    """Start a game with those who are ticked; the clock may have begun some minutes ago."""
    scene = scene_of(get_table(request, table))
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
def roles(request: HttpRequest, table: UUID) -> HttpResponse:
    """Two taps say who is oldest and youngest; in a match one says whom the card draw made the starter."""
    scene = scene_of(get_table(request, table))
    faults: tuple[Fault, ...] = ()
    status = OK
    if request.method == "POST":
        attempt = attempt_roles(Sent.by(request), scene.table)
        if attempt.receipt:
            return saved(scene.url, attempt.receipt)
        faults, status = attempt.faults, attempt.status or UNPROCESSABLE
    named = _named(scene.table, Typed(request.POST.dict()))
    context = {
        **scene.context(),
        **errors_context(faults, scene.names),
        "players": scene.named(scene.ready),
        "named": {role: str(uid or "") for role, uid in named.items()},
        "session": scene.contest.kind == "session",
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
