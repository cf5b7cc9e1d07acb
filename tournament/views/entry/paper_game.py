"""A whole KPGUT game, from paper or corrected: how each player ended it, and the hands of those who remained."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse

from tournament import actions
from tournament.forms.plays import GameForm, by_text, cards_in_play
from tournament.models import Play
from tournament.pages.components import CardPad, card_pad
from tournament.pages.desk.play import ENDINGS
from tournament.pages.public.stage import how_text
from tournament.results.faults import Fault
from tournament.results.typed import OUTCOMES, number_or_none, remaining_in
from tournament.views._answer import OK, page
from tournament.views.entry._entering import Entering
from tournament.views.entry.rounds import hand_errors


@dataclass(frozen=True, slots=True)
class PaperRow:
    """One player on the sheet of paper."""

    entry: str
    name: str
    outcome: str
    time: str
    error: str


@dataclass
class EnteringGame(Entering, GameForm):
    """The sheet of paper. Without script those who remained have their cards counted on a second page."""

    template = "desk/paper.html"
    fields_template = "desk/_paper_fields.html"
    record = staticmethod(actions.record_game)
    correct = staticmethod(actions.correct_game)

    @property
    def shown(self) -> list[UUID]:
        """The players without whom an earlier game ejected, where a new form does not name them."""
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
            "decks": decks,
            "decks_error": wrong.get("/decks", ""),
            "pad": card_pad(
                self.scene.named(remaining),
                copies=in_play,
                points=self.scene.ruleset.points,
                typed=dict(self.data),
                errors=hand_errors(wrong),
                by_number=True,
            )
            if remaining
            else None,
            "every_hand": None if self.current else self._every_hand(wrong),
            "usual_decks": self.scene.contest.settings.get("decks") or "",
            "reason": self.typed.text("reason"),
            "reason_error": wrong.get("/reason", ""),
        }

    def _every_hand(self, wrong: Mapping[str, str]) -> CardPad:
        """A pad for everybody with the cards of one deck: the page itself opens the hands of those who remained, and
        knows how many decks are in play."""
        return card_pad(
            self.scene.named(self.shown),
            copies=cards_in_play(self.scene.contest, 2, 1),
            points=self.scene.ruleset.points,
            typed=dict(self.data),
            errors=hand_errors(wrong),
            by_number=True,
        )


def _row_error(wrong: Mapping[str, str], uid: str) -> str:
    for path, words in wrong.items():
        match path.split("/")[1:]:
            case ["results", entry, *rest] if entry == uid and rest[:1] != ["hand"]:
                return words
    return ""


def show_game(
    request: HttpRequest, entering: EnteringGame, faults: tuple[Fault, ...] = (), status: int = OK
) -> HttpResponse:
    """The sheet of paper as a form."""
    return page(request, entering.template, entering.form(faults), entering.scene.tournament, status=status)
