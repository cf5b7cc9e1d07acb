"""Taps of a running KPGUT game."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from tournament import actions
from tournament.forms.fields import RIGHT
from tournament.models import Play, Result
from tournament.pages.desk.table import Scene
from tournament.queries.incidents import needs_warning, warned
from tournament.results import Fault, PlayFacts, Typed, starts_of, uuid_or_none
from tournament.views import Attempt, Sent, attempt_action, page, play_at, reason_of, refused, signed_in_desk
from tournament.views.desk._page import confirm_page
from tournament.views.entry.games import WHY, running, seconds_since, show_clock
from tournament.views.entry.rounds import answer_at_table
from tournament.words.penalties import ejection_reasons
from tournament.words.text import reason_in

UNEXPLAINED_S = 60  # longest delay of a tap without a reason
LAG_S = 15  # network delay of a tap


@signed_in_desk
def out(request: HttpRequest, play: UUID) -> HttpResponse:
    """Take out a player who has played every card."""
    scene, row, game = play_at(request, play)
    if request.method == "GET":
        return HttpResponseRedirect(scene.url)
    attempt = attempt_out(Sent.by(request), row)
    return _tapped(
        request, scene, game, attempt, partial(show_clock, request, scene, attempt.faults, attempt.status)
    )


@signed_in_desk
def take_back(request: HttpRequest, play: UUID) -> HttpResponse:
    """Undo an out."""
    scene, row, _game = play_at(request, play)
    if request.method == "GET":
        return HttpResponseRedirect(scene.url)
    attempt = attempt_take_back(Sent.by(request), row)
    return attempt.answer(scene.url, lambda: show_clock(request, scene, attempt.faults, attempt.status))


@signed_in_desk
def give_up(request: HttpRequest, play: UUID) -> HttpResponse:
    """Choose who gives up."""
    scene, row, game = play_at(request, play)
    return _choose(
        request,
        scene,
        game,
        lambda sent: attempt_give_up(sent, row),
        question=_("Who gives up?"),
        follows=[_("They share last place with everyone who gives up, and their hand is shown to everyone.")],
        action=_("Gives up"),
    )


@signed_in_desk
def eject(request: HttpRequest, play: UUID) -> HttpResponse:
    """Choose who is ejected and why."""
    scene, row, game = play_at(request, play)
    return _choose(
        request,
        scene,
        game,
        lambda sent: attempt_ejection(sent, row),
        notes=warned(scene.tournament, [row.entry for row in game.results]),
        question=_("Who is ejected?"),
        follows=[
            _("Warn first. A player is ejected only for unsportsmanlike conduct after a warning."),
            _("They get no place and no points in this game, and are out for the rest of the session."),
            _("Their games so far stay. They are listed as disqualified, without a place."),
            _("Their hand is shown to everyone."),
        ],
        # penalty's code, from the incident page
        hidden=[("code", request.POST.get("code", request.GET.get("code", "")))],
        action=_("Eject"),
        danger=True,
        reason_wanted=True,
        quick_reasons=True,
        reasons=ejection_reasons(scene.tournament.ruleset),
    )


@signed_in_desk
def join(request: HttpRequest, play: UUID) -> HttpResponse:
    """Choose a latecomer or a new name."""
    scene, row, game = play_at(request, play)
    here = running(scene, game) if game.state == Play.State.RUNNING else {}
    players = here["latecomers"] if here.get("may_join") else []
    asked = request.POST or request.GET
    chosen = asked.get("entry", "")
    newcomer = chosen if chosen and chosen not in dict(players) else str(uuid4())
    return _choose(
        request,
        scene,
        game,
        lambda sent: attempt_join(sent, row),
        question=_("Who joins mid-game?"),
        follows=[
            *([] if here.get("may_join") else [_("Nobody can join this game now.")]),
            _("If the oldest player agrees and nobody has gone out yet."),
            _("They sit opposite the player they helped and draw eleven cards: nine, and two for helping.")
            if "helped" in asked
            else _("They draw nine cards, and their minutes count from the start of the game."),
        ],
        hidden=[("helped", asked["helped"])] if "helped" in asked else [],
        action=_("Add to the game"),
        players=[*players, (newcomer, _("Someone not in the event yet"))] if here.get("may_join") else [],
        chosen=chosen or newcomer,
        newcomer=asked.get("name", ""),
    )


@signed_in_desk
def start_time(request: HttpRequest, play: UUID) -> HttpResponse:
    """Correct the running game's start."""
    scene, row, game = play_at(request, play)
    if game != scene.running:
        return HttpResponseRedirect(scene.url)
    attempt = attempt_start_time(Sent.by(request), row) if request.method == "POST" else Attempt()
    errors = attempt.context(scene.names)
    return attempt.answer(
        scene.url,
        lambda: page(
            request,
            "desk/start_time.html",
            scene.tournament,
            status=attempt.status,
            **scene.context(),
            **errors,
            clock=running(scene, game)["clock"],
            way=request.POST.get("way", ""),
            by=request.POST.get("by", ""),
            by_error=errors["wrong"].get("/elapsed_s", ""),
            reason=reason_of(request),
            command=request.POST.get("command") or uuid4(),
        ),
    )


@signed_in_desk
def choose_start(request: HttpRequest, play: UUID) -> HttpResponse:
    """Choose between possible starts; return to board or table."""
    scene, row, _game = play_at(request, play)
    board = request.POST.get("back") == "board"
    url = reverse("organise-board", args=[scene.tournament.slug]) if board else scene.url
    at = datetime.fromtimestamp((Typed(request.POST.dict()).moment("started_at") or 0) / 1000, UTC)
    attempt = attempt_action(request, actions.choose_start, scene.tournament.uid, play=row.uid, started_at=at)
    return attempt.answer_button(
        request, url, partial(show_clock, request, scene, attempt.faults, attempt.status)
    )


def attempt_start_time(sent: Sent, play: Play) -> Attempt:
    """Move the start as the form says."""
    typed = sent.typed()
    by = typed.seconds("by", "/elapsed_s")
    if by is None and not typed.faults:
        typed.faults.append(Fault("not_a_time", "/elapsed_s"))
    return sent.attempt(
        actions.set_game_start,
        play.table.stage.tournament.uid,
        typed=typed,
        play=play.uid,
        earlier_s=(by or 0) * (-1 if typed.text("way") == "later" else 1),
        reason=reason_in(sent.data),
    )


def _choose(
    request: HttpRequest,
    scene: Scene,
    game: PlayFacts,
    attempted: Callable[[Sent], Attempt],
    *,
    notes: Mapping[str, str] | None = None,
    players: Sequence[tuple[str, str]] | None = None,
    **words: Any,
) -> HttpResponse:
    """Choose among `players` (default: still in), then act. `words`: for `confirm_page`."""
    if request.method != "POST" and game.state != Play.State.RUNNING:
        return HttpResponseRedirect(scene.url)
    attempt = attempted(Sent.by(request)) if request.method == "POST" else Attempt()
    if players is None:
        players = scene.named([row.entry for row in game.with_outcome(Result.Outcome.PLAYING)])
    asked = {
        "players": [(uid, name, (notes or {}).get(uid, "")) for uid, name in players],
        "chosen": request.POST.get("entry", request.GET.get("entry", "")),
    }
    return _tapped(
        request, scene, game, attempt, partial(confirm_page, request, scene, attempt, **asked | words)
    )


def attempt_tap(sent: Sent, play: Play, action: Callable[..., actions.Receipt], **more: Any) -> Attempt:
    """Take a player out, at the phone's seconds if plausible."""
    typed = sent.typed()
    if play.started_at:
        more = _moment(typed, play, sent) | more
    return _attempt(sent, play, action, typed, **more)


def _moment(typed: Typed, play: Play, sent: Sent) -> dict[str, Any]:
    """Arguments `elapsed_s` and, if over a minute late, the reason.

    `since`: the phone's start in milliseconds; a corrected start shifts the seconds. They may not exceed those since
    the earliest start; an outbox's must match a possible tap.
    """
    shown = typed.whole("elapsed_s", "/elapsed_s", most=10**6)
    since = typed.moment("since")
    began, *others = starts_of(play)
    moved = 0 if since is None else round(since / 1000 - began.timestamp())
    tapped = max(0, seconds_since(began) - sent.late_s)
    if shown is not None and shown + moved <= seconds_since(began, *others):
        readings = [late_s for late_s in (sent.late_s, sent.other_late_s) if late_s is not None]
        possible = [seconds_since(each) - late_s for each in (began, *others) for late_s in readings]
        as_it_plays = not sent.by_outbox or play.table.stage.tournament.rehearsal  # an evening in minutes
        if as_it_plays or any(abs(shown + moved - each) <= LAG_S for each in possible):
            tapped = shown + moved
    at, ago = typed.seconds("at", "/at"), typed.whole("ago", "/ago", most=60)
    elapsed = at + moved if at is not None else tapped - (ago or 0) * 60
    why = WHY.get(typed.text("why"), "")
    if tapped - elapsed > UNEXPLAINED_S and not why:
        typed.faults.append(Fault("missing_reason", "/why"))
    if at is None and not ago:
        return {"elapsed_s": elapsed} if shown is not None or sent.late_s else {}
    return {"elapsed_s": elapsed, "reason": str(why)}


def attempt_ejection(sent: Sent, play: Play) -> Attempt:
    """As `attempt_tap`, for an ejection with a reason."""
    reason, entry = reason_in(sent.data), uuid_or_none(sent.data.get("entry", ""))
    faults = [] if reason else [Fault("missing_reason", "/reason")]
    if entry and "warned" not in sent.data and needs_warning(play.table.stage.tournament, entry):
        faults.append(Fault("not_warned", "/entry", {"player": str(entry)}))
    if entry and faults:
        return refused(*faults)
    code = sent.typed().text("code")
    return attempt_tap(sent, play, actions.eject_player, reason=reason, **({"code": code} if code else {}))


def attempt_join(sent: Sent, play: Play) -> Attempt:
    """Let an entry, or a new player, join."""
    right = {RIGHT: True} if RIGHT in sent.data else {}
    return _attempt(sent, play, actions.join_game, None, name=sent.data.get("name"), **right)


def _attempt(
    sent: Sent, play: Play, action: Callable[..., actions.Receipt], typed: Typed | None = None, **more: Any
) -> Attempt:
    typed = typed or sent.typed()
    entry = typed.uid("entry", "/entry")
    if entry is None and not typed.faults:
        typed.faults.append(Fault("nobody_chosen", "/entry"))
    return sent.attempt(
        action, play.table.stage.tournament.uid, typed=typed, play=play.uid, entry=entry, **more
    )


def _tapped(
    request: HttpRequest, scene: Scene, game: PlayFacts, attempt: Attempt, again: Callable[[], HttpResponse]
) -> HttpResponse:
    return answer_at_table(
        request, scene, attempt, again, play=str(game.uid), undo=request.POST.get("entry", "")
    )


attempt_out = partial(attempt_tap, action=actions.record_out)
attempt_give_up = partial(attempt_tap, action=actions.record_give_up)
attempt_take_back = partial(_attempt, action=actions.take_back)
