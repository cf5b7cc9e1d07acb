"""A KPGUT table's page: the running game or the start of the next. For offline use also the facts, and both parts as
templates with `NO_GAME` and `NO_NUMBER` as placeholders."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, gettext_lazy

from scoring import decks_for
from tournament.forms.plays import cards_in_play
from tournament.models import Entry, Play, Result
from tournament.pages.components import CardPad, Clock, card_pad
from tournament.pages.desk.table import Scene
from tournament.pages.public.stage import how_text, void_before
from tournament.results import PlayFacts, ResultFacts
from tournament.server.clock import now
from tournament.views.entry.rounds import hand_errors

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


def running(scene: Scene, game: PlayFacts) -> dict[str, Any]:
    """Context of desk/_game_running.html."""
    limit = scene.ruleset.hour_s
    at = now()
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
            counted_at=int(at.timestamp() * 1000),
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


def start(scene: Scene, sent: Any = None, typed: Mapping[str, str] | None = None) -> dict[str, Any]:
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
    if len(scene.contest.table_numbers) < 2:
        return False
    last = next((play for play in scene.plays if play.state != Play.State.VOID), None)
    if last is None or not set(scene.ready) <= {row.entry for row in last.results}:
        return False
    return bool(scene.stage.draw.get("past"))


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
            "desk/_game_start.html", {**shared, **start(scene), "play": NO_GAME, "number": NO_NUMBER}, request
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
