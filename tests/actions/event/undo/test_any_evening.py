"""An evening on which anything is pressed and undone ends as if it had not been."""

import random
from typing import Any
from uuid import uuid4

import pytest

from tests.depth import deep
from tests.support.factories import event
from tests.support.undoing import facts, last_row, tournament_of
from tournament import actions
from tournament.ledger.past import Facts
from tournament.ledger.undoing import can_be_undone
from tournament.ledger.verify import verify
from tournament.models import Entry, Stage, Table
from tournament.results.faults import Refused

pytestmark = pytest.mark.django_db

STEPS = 14


class Evening:
    """An organiser who presses everything that can be pressed; a refused press changes nothing."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # the same evening at every run
        self.made = event("tite-2022", players=6)
        self.bulk: list[tuple[int, Facts]] = []  # what may be undone, and the facts before it

    def press(self) -> None:
        name, arguments = self.chance.choice(self.buttons())
        before = facts(self.made)
        try:
            row = self.made.act(getattr(actions, name), **arguments).sequence
        except Refused:
            return
        if can_be_undone(name):
            self.bulk.append((row, before))
        else:
            self.bulk.clear()  # facts from before it are not had again

    def undo_the_last(self) -> None:
        row, before = self.bulk.pop()
        now = facts(self.made)
        try:
            back = self.made.act(actions.undo, row=row).sequence
        except Refused:
            assert facts(self.made) == now
            self.bulk.clear()
            return
        assert facts(self.made) == before
        assert verify(tournament_of(self.made)) == []
        if self.chance.random() < 0.3:
            self.redo(back, now)
            self.bulk.append((row, before))

    def redo(self, back: int, after: Facts) -> None:
        try:
            self.made.act(actions.undo, row=back)
        except Refused:  # players entered by mistake: their names are gone
            self.bulk.clear()
        else:
            assert facts(self.made) == after

    def undo_any(self) -> None:
        """Undo some row of the ledger: refused or not, the ledger agrees."""
        row = self.chance.randint(1, last_row(self.made))
        try:
            self.made.act(actions.undo, row=row)
        except Refused:
            return
        self.bulk.clear()
        assert verify(tournament_of(self.made)) == []

    def buttons(self) -> list[tuple[str, dict[str, Any]]]:
        made, chance = self.made, self.chance
        entries = list(Entry.objects.filter(tournament=made.tournament).values_list("uid", flat=True))
        new = [{"entry": uuid4(), "name": f"New {number}"} for number in range(2)]
        if len(entries) < 2:
            return [("enter_players", {"players": new})]
        some = chance.sample(entries, k=min(3, len(entries)))
        buttons: list[tuple[str, dict[str, Any]]] = [
            ("enter_players", {"players": new}),
            ("check_in", {"entries": entries}),
            ("no_show", {"entries": some}),
            ("plan_stage", {"stage": uuid4(), "kind": "heats", "settings": {"advance": 1}}),
            ("plan_stage", {"stage": uuid4(), "kind": "final", "settings": {"target": 300}}),
            ("keep_apart", {"first": some[0], "second": some[1]}),
            ("player_leaves", {"entry": some[0]}),
            ("readmit_player", {"entry": some[0]}),
        ]
        for stage in Stage.objects.filter(tournament=made.tournament):
            tables = chance.randint(1, 2)
            order = chance.sample(entries, k=len(entries))
            dealt = [{"number": n, "entries": order[n - 1 :: tables]} for n in range(1, tables + 1)]
            buttons += [("seat_stage", {"stage": stage.uid, "tables": dealt})] * 2
            buttons += [("start_stage", {"stage": stage.uid}), ("finish_stage", {"stage": stage.uid})]
            buttons += [
                ("reopen_stage", {"stage": stage.uid, "reason": "again"}),
                ("fill_stage", {"stage": stage.uid}),
            ]
        for table in Table.objects.filter(stage__tournament=made.tournament).select_related("stage"):
            if table.stage.kind == "heats":
                order = made.at(table)
                play = {"table": table.uid, "play": uuid4(), "number": table.plays.count() + 1}
                buttons.append(("record_heat", {**play, "finish_order": order[:1]}))
        return buttons


@pytest.mark.sweep
@pytest.mark.hypothesis  # one of the properties, with chances of its own: `make properties` tries all of them
@pytest.mark.parametrize("seed", range(deep(12)))
def test_any_evening_with_undos_is_what_it_would_have_been_without(seed: int) -> None:
    evening = Evening(seed)
    for _step in range(STEPS):
        chosen = evening.chance.random()
        if chosen < 0.15:
            evening.undo_any()
        elif chosen < 0.4 and evening.bulk:
            evening.undo_the_last()
        else:
            evening.press()
    while evening.bulk:
        evening.undo_the_last()
    assert verify(tournament_of(evening.made)) == []
