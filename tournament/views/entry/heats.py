"""A heat: order of going out, until enough are through."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse

from tournament import actions
from tournament.forms.plays import HeatForm
from tournament.pages.components import Heat, HeatPlayer
from tournament.pages.desk.plays import entered, finished_lists
from tournament.pages.desk.table import duties_at
from tournament.results import Fault, number_or_none
from tournament.views import OK, page
from tournament.views.desk._page import receipt_context
from tournament.views.entry._entering import Entering
from tournament.words.kinds import OUT_KINDS

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
