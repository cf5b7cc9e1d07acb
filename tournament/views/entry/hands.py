"""The end of a KPGUT game with several players left: the hands of those who remain, at the hour or when it is stopped
early."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_http_methods

from rulesets import RULESETS, Ruleset
from tournament import actions
from tournament.forms.plays import cards_in_play
from tournament.models import LedgerRow, Play, Result
from tournament.pages.components import CardPad, card_pad
from tournament.pages.desk.table import Scene
from tournament.pages.errors import errors_context
from tournament.results.facts import PlayFacts, plays_in
from tournament.results.faults import Conflict
from tournament.results.given import GameEntry
from tournament.results.typed import Typed, read_hands, typed_game, uuid_or_none
from tournament.server.clock import now
from tournament.views._access import get_play, get_scene, get_table, play_in, signed_in
from tournament.views._answer import OK, Attempt, Sent, page, saved
from tournament.views.entry._conflict import conflict_page
from tournament.views.entry.rounds import hand_errors

Outcome = Result.Outcome


def pad_of_remaining(
    scene: Scene, game: PlayFacts, typed: Mapping[str, str], wrong: Mapping[str, str]
) -> CardPad:
    """The card pad for those who are still in the game."""
    return card_pad(
        scene.named([row.entry for row in game.with_outcome(Outcome.PLAYING)]),
        copies=cards_in_play(scene.contest, len(game.results), game.decks),
        points=scene.ruleset.points,
        typed=dict(typed),
        errors=hand_errors(wrong),
        by_number=True,
    )


def hands_key(scene: Scene, game: PlayFacts) -> str:
    """Under what a browser keeps the hands that somebody is counting, whatever else happens in the game."""
    return f"{scene.table.uid}:{game.uid}"


@signed_in
@require_http_methods(["GET", "POST"])
def end(request: HttpRequest, play: UUID) -> HttpResponse:
    """Count the hands of those who remain: the hour is up (`how=time`) or the game is stopped early (`early`)."""
    row = get_play(request, play)
    scene = get_scene(get_table(request, row.table.uid))
    game = play_in(scene, row.uid)
    how = _how(request.POST if request.method == "POST" else request.GET)
    if request.method == "GET":
        if game.state != Play.State.RUNNING:
            return HttpResponseRedirect(scene.url)
        return _show(request, scene, game, how=how)
    attempt = attempt_end(Sent.by(request), row)
    if attempt.receipt:
        return saved(scene.url, attempt.receipt)
    if attempt.conflict and attempt.conflict.current.play.state != Play.State.RUNNING:
        mine = _as_offered(scene, game, request.POST.dict())
        offered = replace(attempt.conflict.offered, play=mine)
        both = Conflict(current=attempt.conflict.current, offered=offered)
        return conflict_page(request, scene, both, typed_game(GameEntry.stored(mine, scene.contest)))
    scene = get_scene(get_table(request, row.table.uid))
    return _show(request, scene, scene.running or game, how=how, attempt=attempt)


def attempt_end(sent: Sent, play: Play) -> Attempt:
    """End the game with these hands.

    They were counted for the players whom the page showed as still in. Where the server has just those still in too, it
    does not matter that taps came after the page was made: a phone without network cannot know their version.
    """
    typed = sent.typed()
    game = plays_in(Play.objects.filter(pk=play.pk))[0]
    arguments = _ending(typed, game, RULESETS[play.table.stage.tournament.ruleset])
    seen = [uuid_or_none(uid) for uid in sent.data.getlist("remaining")]
    if seen and None not in seen:
        arguments["remaining"] = seen
    if arguments["ended"] == Play.Ended.EARLY and play.started_at and "elapsed_s" not in arguments:
        elapsed = max(0, int((now() - play.started_at).total_seconds()) - sent.late_s)
        shown = typed.whole("elapsed_s", "/elapsed_s", most=10**6)
        arguments["elapsed_s"] = elapsed if shown is None else min(shown, elapsed + sent.late_s)
    return sent.attempt(
        actions.end_game, play.table.stage.tournament.uid, typed=typed, play=play.uid, **arguments
    )


def _ending(typed: Typed, game: PlayFacts, ruleset: Ruleset) -> dict[str, Any]:
    """The arguments of `end_game` that the form holds."""
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


def _as_offered(scene: Scene, game: PlayFacts, data: Mapping[str, str]) -> PlayFacts:
    """The game as whoever counted the hands saw it, with those hands: somebody else has ended it since."""
    arguments = _ending(Typed(data), game, scene.ruleset)
    row = LedgerRow.objects.filter(tournament=scene.tournament, sequence=arguments["version"]).first()
    facts = row.payload.get("play", {}).get(str(game.uid)) if row else None
    seen = PlayFacts.from_json(str(game.uid), facts) if facts else game
    results = tuple(
        replace(result, outcome=Outcome.REMAINING, hand=arguments["hands"].get(str(result.entry), {}))
        if result.outcome == Outcome.PLAYING
        else result
        for result in seen.results
    )
    how = arguments["ended"]
    duration = arguments.get("elapsed_s", game.duration_s) if how == Play.Ended.EARLY else None
    return replace(seen, state=Play.State.ENTERED, ended=how, duration_s=duration, results=results)


def _show(
    request: HttpRequest, scene: Scene, game: PlayFacts, *, how: str, attempt: Attempt | None = None
) -> HttpResponse:
    typed = request.POST.dict() if request.method == "POST" else {}
    errors = errors_context(attempt.faults if attempt else (), scene.names)
    context = {
        **scene.context(),
        **errors,
        "game": game,
        "how": how,
        "pad": pad_of_remaining(scene, game, typed, errors["wrong"]),
        "alone": len(game.with_outcome(Outcome.PLAYING)) == 1,
        "ended_at": typed.get("ended_at", ""),
        "ended_at_error": errors["wrong"].get("/ended_at", ""),
        "command": typed.get("command") or uuid4(),
        "hands_key": hands_key(scene, game),
        "kept": not typed,
    }
    return page(
        request, "desk/hands.html", context, scene.tournament, status=attempt.status if attempt else OK
    )
