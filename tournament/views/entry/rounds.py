"""Whole plays: form, preview, conflicts; rounds, with stop; heats."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _, ngettext

from rulesets import WINNER_TAKES
from scoring import deal_fits, decks_for
from tournament import actions
from tournament.forms.plays import HeatForm, PlayForm, RoundForm
from tournament.models import Play
from tournament.pages.components import ComparisonRow, Heat, HeatPlayer, card_pad, errors_context
from tournament.pages.desk.play import comparison, notes_of
from tournament.pages.desk.standings_changes import as_change, following, in_all, in_play
from tournament.pages.desk.table import Scene, duties_at, entered, finished_lists
from tournament.pages.public.standings import Board
from tournament.queries.stage_rules import target_open
from tournament.results import (
    ABSENT,
    Agreed,
    Conflict,
    Fault,
    PlayFacts,
    Refused,
    Settled,
    kind_of,
    lowest_wins,
    number_or_none,
    target_of,
    uuid_or_none,
)
from tournament.seating import proposed_target, target_minutes
from tournament.views import (
    CONFLICT,
    LONGEST_SEQUENCE,
    OK,
    Attempt,
    Role,
    attempt_action,
    get_scene,
    get_table,
    page,
    reason_of,
    scene_at,
    see_other,
    signed_in_desk,
)
from tournament.views.desk._page import confirm_page, receipt_context
from tournament.words.formats import to_the_second
from tournament.words.kinds import GAME_KINDS, OUT_KINDS
from tournament.words.text import inside, listed, points_text


@dataclass
class Entering(PlayForm):
    """A kind of play form. `record`, `correct`: actions; `fields_template`: the part that players fill too."""

    scene: Scene

    template: ClassVar[str]
    fields_template: ClassVar[str]
    record: ClassVar[Callable[..., actions.Receipt]]
    correct: ClassVar[Callable[..., actions.Receipt]]

    @abstractmethod
    def fields(self, wrong: Mapping[str, str]) -> dict[str, Any]:
        """Context of the form's template; `wrong`: error texts by path."""

    def form(self, faults: tuple[Fault, ...] = ()) -> dict[str, Any]:
        """The whole form's context, with `faults` in words."""
        context = errors_context(faults, self.scene.names)
        return {
            **self.scene.context(),
            **context,
            **self.fields(context["wrong"]),
            "entering": self,
            "typed": self.data,
            "kept": "play" not in self.data,
            "command": self.data.get("command") or uuid4(),
            "keep_key": f"{self.scene.table.uid}:{self.number}:{self.version}",
        }

    def show(
        self, request: HttpRequest, faults: tuple[Fault, ...] = (), status: int = OK, **more: Any
    ) -> HttpResponse:
        """The form's page."""
        return page(request, self.template, self.scene.tournament, status=status, **self.form(faults), **more)

    @property
    def url(self) -> str:
        if self.current:
            return reverse("play-correct", args=[self.current.uid])
        return reverse("table-record", args=[self.scene.table.uid])

    @property
    def version(self) -> int:
        """The version that the editor saw; 0 if new."""
        if self.current is None:
            return 0
        seen = number_or_none(self.typed.text("version"), longest=LONGEST_SEQUENCE)
        return self.current.version if seen is None else seen

    def title(self) -> str:
        """The play being entered, such as "Round 3"."""
        label = self.scene.label(
            self.current or PlayFacts(self.play, self.scene.table.uid, self.number, "entered")
        )
        return _("Correct %(what)s") % {"what": inside(label)} if self.current else label


def look(
    request: HttpRequest, entering: Entering, settled: Settled, hidden: list[tuple[str, str]]
) -> HttpResponse:
    """Preview page, which saves."""
    scene, after = entering.scene, _after(entering, settled)
    context, change = _follows(entering, settled), None
    if entering.current:
        change = replace(
            comparison(entering.current, after, scene, yours_by="", theirs_by=""),
            points=as_change(in_play(scene, after.uid, settled)),
            totals=as_change(in_all(scene, settled)),
        )
        if not any(row.differs for row in change.rows) and settled.contest.seats == scene.contest.seats:
            context["follows"] = [_("Nothing changed.")]
    context |= {
        "entering": entering,
        "title": entering.title(),
        "lines": scene.lines(after, settled),
        "notes": notes_of(after, scene),
        "change": change,
        "reason": entering.reason,
        "hidden": hidden,
    }
    return page(request, "desk/look.html", scene.tournament, **context)


def preview(request: HttpRequest, entering: Entering) -> HttpResponse:
    """Preview fragment: standings or faults."""
    in_full = kind_of(entering.scene.contest.kind).seats_change  # only the server knows the order
    return page(
        request, "desk/_preview.html", entering.scene.tournament, **previewed(entering, in_full=in_full)
    )


def previewed(entering: Entering, *, in_full: bool) -> dict[str, Any]:
    """The fragment's context; `in_full`: each player's line. `taken`: the number has another play; saving would
    conflict."""
    scene = entering.scene
    entry = entering.read()
    faults: tuple[Fault, ...] = tuple(entering.typed.faults)
    taken = [play for play in scene.plays if play.number == entering.number and play.uid != entering.play]
    context: dict[str, Any] = {
        **scene.context(),
        "taken": scene.label(taken[0]) if taken else "",
        "taken_by": entered(scene, taken[0]) if taken else None,
        "taken_play": taken[0].uid if taken else None,
        "taken_lines": scene.lines(taken[0]) if taken else [],
    }
    if not taken and not faults:
        try:
            settled = entering.settled(entry)
            context |= _follows(entering, settled)
            context["ends"] = _ends(context["board"]) if kind_of(scene.contest.kind).to_target else ""
            if in_full:
                context["lines"] = scene.lines(_after(entering, settled), settled)
        except Refused as refusal:
            faults = refusal.faults
    return context | errors_context(() if taken else faults, scene.names)


def _ends(board: Board | None) -> str:
    if not board or board.state != "finished" or not board.leader:
        return ""
    names = board.leader.names
    return ngettext("%(who)s wins with %(points)s", "%(who)s share the win with %(points)s", len(names)) % {
        "who": listed(names),
        "points": points_text(int(board.leader.value)),
    }


def _after(entering: Entering, settled: Settled) -> PlayFacts:
    after = settled.contest.play(entering.play)
    assert after is not None
    return after


def _follows(entering: Entering, settled: Settled) -> dict[str, Any]:
    scene = entering.scene
    words = {"removed": _("removed"), "withdrawn": _("left")}
    return {
        **scene.context(),
        "out": [
            (scene.names.get(str(seat.entry), ""), words[seat.out_as])
            for seat in settled.contest.seats
            if seat.out_from == entering.number and seat.table == scene.table.number
        ],
        "board": scene.board(settled),
        "moved": []
        if entering.current
        else [(scene.label(play), play.state) for play in settled.moved if play.uid != entering.play],
        "follows": following(scene, settled, entering.play) if entering.current else [],
    }


# ---- Conflicts ----


def conflict_page(
    request: HttpRequest,
    scene: Scene,
    conflict: Conflict,
    mine: Mapping[str, str] | None = None,
    settled: Settled | None = None,
) -> HttpResponse:
    """Both versions, differences first. `mine`: fields that correct the stored version; `settled`: the contest with
    them. Equal versions redirect."""
    scene = get_scene(scene.table)  # current, with the other entry
    zone = scene.tournament.zone
    current = conflict.current
    versions = comparison(
        conflict.offered.play,
        current.play,
        scene,
        yours_by=_("you, not saved"),
        theirs_by=(
            _("%(who)s, %(time)s") % {"who": current.by, "time": to_the_second(current.at.astimezone(zone))}
            if current.at
            else current.by
        ),
    )
    running = current.play.state == Play.State.RUNNING
    if isinstance(conflict, Agreed) or not any(row.differs for row in versions.rows):
        said = isinstance(conflict, Agreed) or not running
        return see_other(f"{scene.url}?same={current.play.uid}" if said else scene.url)
    hidden = {} if mine is None else dict(mine) | {"version": str(current.play.version)}
    points = in_play(scene, current.play.uid, settled) if settled else []
    return page(
        request,
        "desk/conflict.html",
        scene.tournament,
        status=CONFLICT,
        **scene.context(),
        conflict=replace(
            versions,
            rows=sorted(versions.rows, key=lambda row: not row.differs),
            points=[ComparisonRow(what=name, yours=yours, theirs=theirs) for name, theirs, yours in points],
        ),
        label=scene.label(current.play),
        by=current.by,
        current=current.play,
        correct=None if mine is None or running else reverse("play-correct", args=[current.play.uid]),
        hidden=[(name, value) for name, value in hidden.items() if name != "reason"],
        follows=following(scene, settled, current.play.uid) if settled else [],
        settles=uuid_or_none(request.POST.get("command", "")) or "",
        command=uuid4(),
    )


def answer_at_table(
    request: HttpRequest,
    scene: Scene,
    attempt: Attempt,
    again: Callable[[], HttpResponse],
    url: str = "",
    **more: str,
) -> HttpResponse:
    """As `Attempt.answer`, or the conflict."""
    if attempt.conflict:
        return conflict_page(request, scene, attempt.conflict)
    return attempt.answer(url or scene.url, again, **more)


# ---- A match or race: card pad, stop and resume ----


@dataclass(frozen=True, slots=True)
class OutChoice:
    """Whether a player is out from this round, or emptied the hand by a text."""

    entry: str
    name: str
    out: str
    emptied: bool


@dataclass
class EnteringRound(Entering, RoundForm):
    """The form of a round or a race's game."""

    template = "desk/round.html"
    fields_template = "desk/_round_fields.html"
    record = staticmethod(actions.record_round)
    correct = staticmethod(actions.correct_round)

    def fields(self, wrong: Mapping[str, str]) -> dict[str, Any]:
        players = self.scene.named(self.players)
        return {
            "pad": card_pad(
                players,
                ruleset=self.ruleset,
                copies=self.rules.available,
                typed=dict(self.data),
                errors=hand_errors(wrong),
                winners=True,
                winner=self.typed.text("winner"),
                winner_error=wrong.get("/winner", ""),
                by_time=self.rules.race,
            ),
            "players": players,
            "rules": self.rules,
            "outs": [
                OutChoice(
                    entry=uid,
                    name=name,
                    out=self.typed.text(f"out-{uid}"),
                    emptied=bool(self.typed.text(f"emptied-{uid}")),
                )
                for uid, name in players
            ],
            "out_kinds": [*OUT_KINDS.items(), *([(ABSENT, GAME_KINDS[ABSENT])] if self.rules.race else [])],
            "somebody_out": any(self.typed.text(f"out-{uid}") for uid, _name in players),
            "somebody_emptied": any(self.typed.text(f"emptied-{uid}") for uid, _name in players),
            "last": self.typed.text("last"),
            "last_count": self.typed.text("last_count") or "1",
            "drew": self.typed.text("drew"),
            "last_error": wrong.get("/last_cards", "")
            or next((words for path, words in wrong.items() if path.startswith("/last_cards/")), ""),
            "drew_error": wrong.get("/drew", ""),
            "reason": self.typed.text("reason"),
            "reason_error": wrong.get("/reason", ""),
        }

    def show(
        self, request: HttpRequest, faults: tuple[Fault, ...] = (), status: int = OK, **more: Any
    ) -> HttpResponse:
        """The next or corrected play."""
        scene = self.scene
        complete = scene.complete and not faults  # a late entry stays readable
        last = scene.counting[0] if complete and scene.counting and not scene.table.stopped else None
        settings, players = scene.contest.settings, len(scene.seated)
        fits = deal_fits(
            scene.ruleset,
            players,
            decks=settings.get("decks") or decks_for(scene.ruleset, players),
            custom_cards=settings.get("custom_cards", 3),
        )
        return super().show(
            request,
            faults,
            status,
            **receipt_context(request, scene),
            **finished_lists(scene),
            duties=duties_at(scene),
            so_far=_so_far(scene),
            complete=complete,
            entered=entered(scene, last) if last else None,
            crowded=not self.current and not scene.plays and not fits,
            stoppable=bool(scene.counting) and not scene.complete,
            winner_takes=settings.get("scoring", WINNER_TAKES) == WINNER_TAKES,
            **more,
        )


def hand_errors(wrong: Mapping[str, str]) -> dict[str, str]:
    """Errors per hand: {entry uid: text}."""
    errors: dict[str, list[str]] = {}
    for path, words in wrong.items():
        match path.split("/")[1:]:
            case ["hands", entry, *_] | ["results", entry, "hand", *_]:
                errors.setdefault(entry, []).append(words)
    return {entry: " ".join(dict.fromkeys(words)) for entry, words in errors.items()}


def _so_far(scene: Scene) -> dict[str, Any]:
    """A match's standings, for js/entry/entry_notes.js."""
    if scene.results is None or not kind_of(scene.contest.kind).to_target:
        return {}
    sheet, answer = scene.results.sheet.data, scene.results.answer
    return {
        "target": target_of(sheet),
        "own_hand": lowest_wins(sheet),
        "next": scene.next_number,
        "totals": {row.player: row.points for row in answer.standings},
    }


@signed_in_desk
def target(request: HttpRequest, table: UUID) -> HttpResponse:
    """Choose the target before the first round."""
    scene = get_scene(get_table(request, table, Role.HEAD_REFEREE))
    attempt = attempt_action(
        request,
        actions.choose_target,
        scene.tournament.uid,
        stage=scene.stage.uid,
        target=number_or_none(request.POST.get("target", "").strip()) or 0,  # invalid in every ruleset
    )
    minutes = target_minutes(len(scene.seated), scene.ruleset.least_target, scene.ruleset.most_target)
    return attempt.answer(
        scene.url,
        lambda: page(
            request,
            "desk/target.html",
            scene.tournament,
            status=attempt.status,
            **scene.context(),
            **attempt.context(),
            error=attempt.context()["wrong"].get("/target", ""),
            minutes=minutes.items(),
            proposed=proposed_target(minutes),
            open=target_open(scene.stage),
        ),
    )


@signed_in_desk
def stop(request: HttpRequest, table: UUID, *, go_on: bool = False) -> HttpResponse:
    """Stop a match early, or resume it."""
    scene = scene_at(request, table)
    if not kind_of(scene.stage.kind).to_target:
        return HttpResponseRedirect(scene.url)
    attempt = attempt_action(
        request,
        actions.resume_match if go_on else actions.stop_match,
        scene.tournament.uid,
        table=scene.table.uid,
        reason=reason_of(request),
    )
    return attempt.answer(
        scene.url,
        lambda: confirm_page(
            request,
            scene,
            attempt,
            question=_("Resume the match?") if go_on else _("Stop the match here?"),
            follows=[
                _("The rounds played so far stay, and more can be entered until someone reaches the target.")
            ]
            if go_on
            else [
                _("The totals stay as they are, and the leader wins."),
                _("No more rounds can be entered unless you resume the match."),
            ],
            action=_("Resume the match") if go_on else _("Stop the match"),
            danger=not go_on,
            reason_wanted=True,
            reason_optional=True,
        ),
    )


# ---- A heat: order of going out, until enough are through ----

LONGEST_ORDER = 3  # digits


@dataclass
class EnteringHeat(Entering, HeatForm):
    """A heat's form: the order of going out."""

    template = "desk/heat.html"
    fields_template = "desk/_heat_fields.html"
    record = staticmethod(actions.record_heat)
    correct = staticmethod(actions.correct_heat)

    def form(self, faults: tuple[Fault, ...] = ()) -> dict[str, Any]:
        too_few = any(fault.code == "incomplete_order" for fault in faults)
        return {**super().form(faults), "nobody_finished": too_few and not self.current}

    def fields(self, wrong: Mapping[str, str]) -> dict[str, Any]:
        table = self.scene.table
        players = self.scene.named(self.players)
        advance = self.typed.text("advance")
        through = number_or_none(advance, longest=LONGEST_ORDER)
        out = {
            str(seat.entry) for seat in self.scene.contest.seats if seat.table == table.number and seat.out_as
        }
        new = not self.current
        return {
            "heat": Heat(
                players=[
                    HeatPlayer(
                        key=uid,
                        name=name,
                        order=number_or_none(self.typed.text(f"order-{uid}"), longest=LONGEST_ORDER),
                    )
                    for uid, name in players
                    if not (new and uid in out)
                ],
                advance=max(1, self.usual if through is None else through),
                error=" ".join(
                    dict.fromkeys(words for path, words in wrong.items() if path.startswith("/finish_order"))
                ),
            ),
            "advance": advance or str(self.usual),
            "advance_error": wrong.get("/advance", ""),
            "usual": self.usual,
            "players": players,
            "outs": [
                (uid, name, self.typed.text(f"out-{uid}"))
                for uid, name in players
                if not (new and uid in out)
            ],
            "somebody_out": any(self.typed.text(f"out-{uid}") for uid, _name in players),
            "out_kinds": OUT_KINDS.items(),
            "reason": self.typed.text("reason"),
            "reason_error": wrong.get("/reason", ""),
        }

    def show(
        self, request: HttpRequest, faults: tuple[Fault, ...] = (), status: int = OK, **more: Any
    ) -> HttpResponse:
        """The form or the result."""
        scene = self.scene
        complete = bool(scene.counting) and not faults  # late entries stay readable
        return super().show(
            request,
            faults,
            status,
            **receipt_context(request, scene),
            **finished_lists(scene),
            duties=duties_at(scene),
            complete=complete,
            entered=entered(scene, scene.counting[0]) if complete else None,
            **more,
        )
