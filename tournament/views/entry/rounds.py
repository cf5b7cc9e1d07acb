"""A match or race: card pad, corrections, stop and resume. A heat: order of going out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from rulesets import WINNER_TAKES
from scoring import deal_fits, decks_for
from tournament import actions
from tournament.forms.plays import HeatForm, RoundForm
from tournament.pages.components import Heat, HeatPlayer, card_pad
from tournament.pages.desk.table import Scene, duties_at, entered, finished_lists
from tournament.queries.stage_rules import target_open
from tournament.results import ABSENT, Fault, kind_of, lowest_wins, number_or_none, target_of
from tournament.seating import proposed_target, target_minutes
from tournament.views import (
    OK,
    Role,
    attempt_action,
    get_scene,
    get_table,
    page,
    reason_of,
    scene_at,
    signed_in_desk,
)
from tournament.views.desk._page import confirm_page, receipt_context
from tournament.views.entry._entering import Entering
from tournament.words.kinds import GAME_KINDS, OUT_KINDS


@dataclass(frozen=True, slots=True)
class OutChoice:
    """Whether a player is out from this round, or emptied the hand by a card's text."""

    entry: str
    name: str
    out: str
    emptied: bool


@dataclass
class EnteringRound(Entering, RoundForm):
    """The form of a round or a race's game, the card pad."""

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


def hand_errors(wrong: Mapping[str, str]) -> dict[str, str]:
    """Errors per hand: {entry uid: text}."""
    errors: dict[str, list[str]] = {}
    for path, words in wrong.items():
        match path.split("/")[1:]:
            case ["hands", entry, *_] | ["results", entry, "hand", *_]:
                errors.setdefault(entry, []).append(words)
    return {entry: " ".join(dict.fromkeys(words)) for entry, words in errors.items()}


def show_round(
    request: HttpRequest, entering: EnteringRound, faults: tuple[Fault, ...] = (), status: int = OK
) -> HttpResponse:
    """The next or corrected round of a match, or game of a race."""
    scene = entering.scene
    complete = scene.complete and not faults  # a late entry stays readable
    last = scene.counting[0] if complete and scene.counting and not scene.table.stopped else None
    settings, players = scene.contest.settings, len(scene.seated)
    fits = deal_fits(
        scene.ruleset,
        players,
        decks=settings.get("decks") or decks_for(scene.ruleset, players),
        custom_cards=settings.get("custom_cards", 3),
    )
    return page(
        request,
        entering.template,
        scene.tournament,
        status=status,
        **entering.form(faults),
        **receipt_context(request, scene),
        **finished_lists(scene),
        duties=duties_at(scene),
        so_far=_so_far(scene),
        complete=complete,
        entered=entered(scene, last) if last else None,
        crowded=not entering.current and not scene.plays and not fits,
        stoppable=bool(scene.counting) and not scene.complete,
        winner_takes=settings.get("scoring", WINNER_TAKES) == WINNER_TAKES,
    )


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

LONGEST_ORDER = 3  # digits: number to advance, place in the order


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


def show_heat(
    request: HttpRequest, entering: EnteringHeat, faults: tuple[Fault, ...] = (), status: int = OK
) -> HttpResponse:
    """The form or the result."""
    scene = entering.scene
    complete = bool(scene.counting) and not faults  # late entries stay readable
    return page(
        request,
        entering.template,
        scene.tournament,
        status=status,
        **entering.form(faults),
        **receipt_context(request, scene),
        **finished_lists(scene),
        duties=duties_at(scene),
        complete=complete,
        entered=entered(scene, scene.counting[0]) if complete else None,
    )
