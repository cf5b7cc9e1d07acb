"""A KPGUT game: clock, start, hands at the end; whole games from paper.

Taps (`taps`) carry no version, so that simultaneous ones all count. For offline use the page also has both parts as
templates, with `NO_GAME` and `NO_NUMBER` as placeholders.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, gettext_lazy

from rulesets import RULESETS, Ruleset
from scoring import decks_for
from tournament import actions
from tournament.forms.plays import GameForm, by_text, cards_in_play
from tournament.models import Entry, LedgerRow, Play, Result, Table
from tournament.pages.components import CardPad, Clock, card_pad, errors_context
from tournament.pages.desk.play import ENDINGS
from tournament.pages.desk.table import Scene, asked_starts, duties_at, finished_lists, roles_at
from tournament.pages.public.stage import how_text, void_before
from tournament.results import (
    OUTCOMES,
    Conflict,
    Fault,
    GameEntry,
    PlayFacts,
    ResultFacts,
    Typed,
    kind_of,
    number_or_none,
    plays_in,
    read_hands,
    remaining_in,
    starts_of,
    typed_game,
    uuid_or_none,
)
from tournament.server.clock import now
from tournament.views import OK, Attempt, Sent, page, play_at, saved, scene_at, signed_in_desk
from tournament.views.desk._page import receipt_context
from tournament.views.entry.rounds import Entering, answer_at_table, conflict_page, hand_errors

Outcome = Result.Outcome
NO_GAME = UUID("00000000-0000-4000-8000-000000000000")
NO_NUMBER = 9876
AGO = (1, 2, 3, 5, 10)
# Reasons for a late entry, by code.
WHY: Mapping[str, str | Promise] = {
    "late": gettext_lazy("Tapped late"),
    "told": gettext_lazy("The table said so afterwards"),
    "clock": gettext_lazy("By the clock at the table"),
}
LATEST_START = 59  # minutes ago


def show_clock(
    request: HttpRequest, scene: Scene, faults: tuple[Fault, ...] = (), status: int = OK
) -> HttpResponse:
    """The running game or the next start."""
    roles = roles_at(scene)
    last = next((play for play in scene.plays if play.state != Play.State.VOID), None)
    context = {
        **scene.context(),
        **receipt_context(request, scene),
        **finished_lists(scene),
        **errors_context(faults, scene.names),
        "roles": roles,
        "duties": duties_at(scene),
        "role_players": scene.named(scene.ready),
        "undo": _undo(request, scene),
        "asked": asked_starts((play, scene.label(play)) for play in scene.plays if scene.open),
        "result": {"label": scene.label(last), "lines": scene.lines(last), "notes": []}
        if last and last in scene.counting
        else None,
        "new_command": uuid4,
    }
    game = scene.running
    posted = request.POST if request.method == "POST" else request.GET
    context |= running(scene, game) if game else start_of(scene, posted, request.POST.dict())
    context |= parts(request, scene, context) | {
        "facts": facts(scene) | {"roles": asdict(roles)},
        "no_game": NO_GAME,
    }
    return page(request, "desk/game.html", scene.tournament, status=status, **context)


def _undo(request: HttpRequest, scene: Scene) -> dict[str, str] | None:
    """Undo of the tap that ended a game; running games have one per player."""
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


@signed_in_desk
def start(request: HttpRequest, table: UUID) -> HttpResponse:
    """Start a game with the ticked players."""
    scene = scene_at(request, table)
    if request.method == "GET":
        return HttpResponseRedirect(scene.url)
    attempt = attempt_start(Sent.by(request), scene.table)
    return answer_at_table(
        request, scene, attempt, partial(show_clock, request, scene, attempt.faults, attempt.status)
    )


def attempt_start(sent: Sent, table: Table) -> Attempt:
    """Start the game at the tap's time."""
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
        **sent.late,
    )


@signed_in_desk
def roles(request: HttpRequest, table: UUID) -> HttpResponse:
    """Name oldest and youngest; in a match the starter."""
    scene = scene_at(request, table)
    attempt = attempt_roles(Sent.by(request), scene.table) if request.method == "POST" else Attempt()
    named = _named(scene.table, Typed(request.POST.dict()))
    return attempt.answer(
        scene.url,
        lambda: page(
            request,
            "desk/roles.html",
            scene.tournament,
            status=attempt.status,
            **scene.context(),
            **attempt.context(scene.names),
            players=scene.named(scene.ready),
            named={role: str(uid or "") for role, uid in named.items()},
            session=kind_of(scene.contest.kind).timed,
            command=request.POST.get("command") or uuid4(),
        ),
    )


def attempt_roles(sent: Sent, table: Table) -> Attempt:
    """Set the form's roles; others stay."""
    typed = sent.typed()
    uid, named = table.stage.tournament.uid, _named(table, typed)
    return sent.attempt(actions.name_roles, uid, typed=typed, table=table.uid, **named)


def _named(table: Table, typed: Typed) -> dict[str, UUID | None]:
    before = {role: getattr(table, role) for role in Table.ROLES}
    return {
        role: typed.uid(role, f"/{role}") if role in typed.data else entry.uid if entry else None
        for role, entry in before.items()
    }


@signed_in_desk
def end(request: HttpRequest, play: UUID) -> HttpResponse:
    """Count hands: the hour is up (`how=time`) or the game stopped (`early`)."""
    scene, row, game = play_at(request, play)
    how = _how(request.POST if request.method == "POST" else request.GET)
    if request.method == "GET":
        if game.state != Play.State.RUNNING:
            return HttpResponseRedirect(scene.url)
        return _show_hands(request, scene, game, how, Attempt())
    attempt = attempt_end(Sent.by(request), row)
    if attempt.receipt:
        return saved(scene.url, attempt.receipt)
    if attempt.conflict and attempt.conflict.current.play.state != Play.State.RUNNING:
        mine = _as_offered(scene, game, request.POST.dict(), request.POST.getlist("remaining"))
        both = Conflict(
            current=attempt.conflict.current, offered=replace(attempt.conflict.offered, play=mine)
        )
        return conflict_page(request, scene, both, typed_game(GameEntry.stored(mine, scene.contest)))
    scene = scene_at(request, row.table.uid)
    return _show_hands(request, scene, scene.running or game, how, attempt)


def attempt_end(sent: Sent, play: Play) -> Attempt:
    """End the game. Hands are valid if the same players (`remaining`) are in."""
    typed = sent.typed()
    game = plays_in(Play.objects.filter(pk=play.pk))[0]
    arguments = _ending(typed, game, RULESETS[play.table.stage.tournament.ruleset])
    seen = [uuid_or_none(uid) for uid in sent.data.getlist("remaining")]
    if seen and None not in seen:
        arguments["remaining"] = seen
    if arguments["ended"] == Play.Ended.EARLY and play.started_at and "elapsed_s" not in arguments:
        elapsed = max(0, seconds_since(play.started_at) - sent.late_s)
        shown = typed.whole("elapsed_s", "/elapsed_s", most=10**6)
        arguments["elapsed_s"] = elapsed if shown is None else min(shown, seconds_since(*starts_of(play)))
    return sent.attempt(
        actions.end_game, play.table.stage.tournament.uid, typed=typed, play=play.uid, **arguments
    )


def _ending(typed: Typed, game: PlayFacts, ruleset: Ruleset) -> dict[str, Any]:
    how = _how(typed.data)
    arguments: dict[str, Any] = {
        "version": typed.sequence("version"),
        "ended": how,
        "hands": read_hands(typed, [str(result.entry) for result in game.results], ruleset),
    }
    if how == Play.Ended.EARLY and typed.text("ended_at"):
        arguments["elapsed_s"] = typed.seconds("ended_at", "/ended_at")
    return arguments


def _how(data: Mapping[str, str]) -> str:
    asked = data.get("how", "")
    return asked if asked in {Play.Ended.TIME, Play.Ended.EARLY} else Play.Ended.EARLY


def _as_offered(
    scene: Scene, game: PlayFacts, data: Mapping[str, str], remaining: Collection[str]
) -> PlayFacts:
    """The game when these hands were counted; offline forms give `remaining`, no version."""
    arguments = _ending(Typed(data), game, scene.ruleset)
    row = LedgerRow.objects.filter(tournament=scene.tournament, sequence=arguments["version"]).first()
    stored = row.payload.get("play", {}).get(str(game.uid)) if row else None
    seen = PlayFacts.from_json(str(game.uid), stored) if stored else game
    results = tuple(
        replace(
            result,
            outcome=Outcome.REMAINING,
            elapsed_s=None,
            hand=arguments["hands"].get(str(result.entry), {}),
        )
        if result.outcome == Outcome.PLAYING or str(result.entry) in remaining
        else result
        for result in seen.results
    )
    how = arguments["ended"]
    duration = arguments.get("elapsed_s", game.duration_s) if how == Play.Ended.EARLY else None
    return replace(seen, state=Play.State.ENTERED, ended=how, duration_s=duration, results=results)


def _show_hands(
    request: HttpRequest, scene: Scene, game: PlayFacts, how: str, attempt: Attempt
) -> HttpResponse:
    typed = request.POST.dict() if request.method == "POST" else {}
    errors = attempt.context(scene.names)
    return page(
        request,
        "desk/hands.html",
        scene.tournament,
        status=attempt.status,
        **scene.context(),
        **errors,
        game=game,
        how=how,
        pad=pad_of_remaining(scene, game, typed, errors["wrong"]),
        alone=len(game.with_outcome(Outcome.PLAYING)) == 1,
        ended_at=typed.get("ended_at", ""),
        ended_at_error=errors["wrong"].get("/ended_at", ""),
        command=typed.get("command") or uuid4(),
        hands_key=hands_key(scene, game),
        kept=not typed,
    )


@dataclass(frozen=True, slots=True)
class PaperRow:
    """A player's line on paper."""

    entry: str
    name: str
    outcome: str
    time: str
    error: str


@dataclass
class EnteringGame(Entering, GameForm):
    """A paper game's form; without script, hands have a second page."""

    template = "desk/paper.html"
    fields_template = "desk/_paper_fields.html"
    record = staticmethod(actions.record_game)
    correct = staticmethod(actions.correct_game)

    @property
    def shown(self) -> list[UUID]:
        """Players without those ejected earlier, unless the form names them."""
        ejected = () if self.current else self.scene.ejected
        return [
            entry for entry in self.players if entry not in ejected or self.typed.text(f"outcome-{entry}")
        ]

    def fields(self, wrong: Mapping[str, str]) -> dict[str, Any]:
        remaining = [UUID(entry) for entry in remaining_in(self.typed, by_text(self.players))]
        decks = self.typed.text("decks")
        playing = [entry for entry in self.players if self.typed.text(f"outcome-{entry}")]
        in_play = cards_in_play(self.scene.contest, max(2, len(playing)), number_or_none(decks))
        return {
            "rows": [
                PaperRow(
                    entry=uid,
                    name=name,
                    outcome=self.typed.text(f"outcome-{uid}"),
                    time=self.typed.text(f"time-{uid}"),
                    error=_row_error(wrong, uid),
                )
                for uid, name in self.scene.named(self.shown)
            ],
            "outcomes": [(str(outcome), how_text(outcome, None)) for outcome in OUTCOMES],
            "endings": [(value, str(ENDINGS[value])) for value in Play.Ended.values],
            "ended": self.typed.text("ended") or ("" if self.data else Play.Ended.LAST),
            "ended_error": wrong.get("/ended", ""),
            "duration": self.typed.text("duration"),
            "duration_error": wrong.get("/duration_s", ""),
            "began": self.typed.text("began"),
            "began_error": wrong.get("/started_at", ""),
            "began_readings": self.began_readings,
            "decks": decks,
            "decks_error": wrong.get("/decks", ""),
            "pad": card_pad(
                self.scene.named(remaining),
                ruleset=self.scene.ruleset,
                copies=in_play,
                typed=dict(self.data),
                errors=hand_errors(wrong),
                by_number=True,
            )
            if remaining
            else None,
            # the script knows how many decks there are
            "every_hand": None
            if self.current
            else card_pad(
                self.scene.named(self.shown),
                ruleset=self.scene.ruleset,
                copies=cards_in_play(self.scene.contest, 2, 1),
                typed=dict(self.data),
                errors=hand_errors(wrong),
                by_number=True,
            ),
            "usual_decks": self.scene.contest.settings.get("decks") or "",
            "reason": self.typed.text("reason"),
            "reason_error": wrong.get("/reason", ""),
        }


def _row_error(wrong: Mapping[str, str], uid: str) -> str:
    for path, words in wrong.items():
        match path.split("/")[1:]:
            case ["results", entry, *rest] if entry == uid and rest[:1] != ["hand"]:
                return words
    return ""


# ---- The parts of a game's page ----


def running(scene: Scene, game: PlayFacts) -> dict[str, Any]:
    """Context of desk/_game_running.html."""
    limit = scene.ruleset.hour_s
    assert game.started_at is not None
    elapsed = seconds_since(game.started_at)
    over = elapsed >= limit
    rows = sorted(game.results, key=lambda row: -(row.elapsed_s or 0))
    each = {
        str(row.entry): {
            "uid": str(row.entry),
            "name": scene.names.get(str(row.entry), ""),
            "how": ""
            if row.outcome == Outcome.PLAYING
            else how_text(row.outcome, row.elapsed_s, by_clock=True),
            "playing": row.outcome == Outcome.PLAYING,
        }
        for row in game.results
    }
    return {
        "game": game,
        "clock": Clock(
            elapsed_s=elapsed,
            state="limit" if over else "running",
            limit_s=limit,
            label=scene.label(game),
            note=_("The hour is up") if over else void_before(scene.contest, scene.table.uid, game.number),
            game="" if game.uid == NO_GAME else str(game.uid),
            counted_at=int(now().timestamp() * 1000),
        ),
        "since": int(game.started_at.timestamp() * 1000),
        "over": over,
        "everybody": [each[str(row.entry)] for row in game.results],
        "gone": [each[str(row.entry)] for row in rows],
        "anybody_gone": any(row.outcome != Outcome.PLAYING for row in rows),
        "may_join": not game.with_outcome(Outcome.OUT) and not over,
        "latecomers": latecomers(scene),
        "ago": AGO,
        "why": [(code, str(words)) for code, words in WHY.items()],
        "pad": pad_of_remaining(scene, game, {}, {}),
        "hands_key": hands_key(scene, game),
    }


def seconds_since(*moments: datetime) -> int:
    """Seconds since the earliest of these moments."""
    return max(0, int((now() - min(moments)).total_seconds()))


def start_of(scene: Scene, sent: Any = None, typed: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Context of desk/_game_start.html. `sent`: ticks; `typed`: the form to show again."""
    typed = typed or {}
    chosen = (
        set(sent.getlist("player")) if sent and "number" in sent else {str(entry) for entry in scene.ready}
    )
    busy = _busy(scene)
    return {
        "game": None,
        "number": scene.next_number,
        "players": [
            (uid, name, uid in chosen, uid in busy and scene.running is None)
            for uid, name in scene.named(scene.ready)
        ],
        "decks": (scene.contest.settings.get("decks") or decks_for(scene.ruleset, max(2, len(chosen)))),
        "per_deck": scene.ruleset.players_per_deck,
        "command": typed.get("command") or uuid4(),
        "play": typed.get("play") or uuid4(),
        "typed_ago": typed.get("ago", ""),
        "void": void_before(scene.contest, scene.table.uid),
        "new_seats": new_seats_come(scene),
    }


def new_seats_come(scene: Scene) -> bool:
    """Whether these seats were played and are drawn anew."""
    last = next((play for play in scene.plays if play.state != Play.State.VOID), None)
    return (
        last is not None
        and len(scene.contest.table_numbers) > 1
        and set(scene.ready) <= {row.entry for row in last.results}
        and bool(scene.stage.draw.get("past"))
    )


def parts(request: HttpRequest, scene: Scene, context: Mapping[str, Any]) -> dict[str, SafeString]:
    """Both parts as templates, to start and end games offline."""
    ready = tuple(ResultFacts(uuid4(), entry) for entry in scene.ready)
    blank = PlayFacts(NO_GAME, scene.table.uid, NO_NUMBER, Play.State.RUNNING, ready, started_at=now())
    shared = {**context, "errors": [], "wrong": {}, "template": True}
    return {
        "running_part": render_to_string(
            "desk/_game_running.html", {**shared, **running(scene, blank), "may_join": True}, request
        ),
        "start_part": render_to_string(
            "desk/_game_start.html",
            {**shared, **start_of(scene), "play": NO_GAME, "number": NO_NUMBER},
            request,
        ),
    }


def facts(scene: Scene) -> dict[str, Any]:
    """The table's ids, numbers and shown names, for the script."""
    game = scene.running
    return {
        "table": str(scene.table.uid),
        "version": scene.tournament.version,
        "number": scene.next_number,
        "seated": [str(entry) for entry in scene.ready],
        "names": dict([*scene.names.items(), *latecomers(scene)]),
        "game": game
        and {
            "uid": str(game.uid),
            "number": game.number,
            "players": [
                {"entry": str(row.entry), "outcome": str(row.outcome), "elapsed": row.elapsed_s}
                for row in game.results
            ],
        },
    }


def latecomers(scene: Scene) -> Sequence[tuple[str, str]]:
    """Players in no running game; this table's first."""
    away = _busy(scene) | {str(entry) for entry in scene.ejected}
    here = {str(entry) for entry in scene.seated}
    present = Entry.objects.filter(tournament=scene.tournament).to_seat()
    people = [(str(entry.uid), entry.shown_name) for entry in present if str(entry.uid) not in away]
    return sorted(people, key=lambda person: person[0] not in here)


def _busy(scene: Scene) -> set[str]:
    return {
        str(row.entry)
        for play in scene.contest.plays
        if play.state == Play.State.RUNNING
        for row in play.results
    }


def pad_of_remaining(
    scene: Scene, game: PlayFacts, typed: Mapping[str, str], wrong: Mapping[str, str]
) -> CardPad:
    """Card pad for the players still in the game."""
    return card_pad(
        scene.named([row.entry for row in game.with_outcome(Outcome.PLAYING)]),
        ruleset=scene.ruleset,
        copies=cards_in_play(scene.contest, len(game.results), game.decks),
        typed=dict(typed),
        errors=hand_errors(wrong),
        by_number=True,
    )


def hands_key(scene: Scene, game: PlayFacts) -> str:
    """Browser key of the hands being counted."""
    return f"{scene.table.uid}:{game.uid}"
