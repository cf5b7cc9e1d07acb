"""Contexts of the pages of a friends' table."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from rulesets import RULESETS
from scoring import Answer
from tournament.pages.friends.kinds import KINDS, row_label
from tournament.pages.friends.rows import RowRules
from tournament.pages.friends.sheets import Sheet, as_text, choices, names_of, rows_of, scored, split
from tournament.pages.public.heats import HeatCard, heat_rows
from tournament.pages.public.standings import Board, Column, Person, board_of, isolated
from tournament.results import kind_of, places_gained
from tournament.words.faults import fault_text, ruleset_name
from tournament.words.text import inside


def choose_context() -> dict[str, Any]:
    """Games on offer (`play` as in addresses, `name`, `way`): rules in the box first, then round games, then timed
    ones. Heats need several tables: not offered, but addresses and sheets may ask for them."""
    offered = [choice for choice in choices() if not kind_of(choice[1]).one_play]
    offered.sort(
        key=lambda choice: (not RULESETS[choice[0]].wording.startswith("mattel"), choice[1] != "match")
    )
    return {
        "choices": [
            {"play": f"{ruleset}.{kind}", "name": name, "way": str(KINDS[kind].way)}
            for ruleset, kind, name in offered
        ]
    }


def score_context(
    sheet: Sheet, index: int, typed: Mapping[str, str], errors: Mapping[str, str], *, counting: Sequence[str]
) -> dict[str, Any]:
    """Context of the score page: standings, entries, row `index` as typed. A line's `errors` stop all scoring."""
    answer, faults = scored(sheet)
    names = names_of(sheet)
    people = {player: Person(name=name) for player, name in names.items()}
    rows = rows_of(sheet)
    wrong: dict[int, list[str]] = {}
    general: list[str] = []
    for error in faults:
        where, fault = split(sheet, error)
        (general if where is None else wrong.setdefault(where, [])).append(fault_text(fault, names))
    lines = [
        {
            "index": number,
            "label": row_label(sheet, number),
            "named": inside(row_label(sheet, number)),
            "summary": KINDS[sheet["kind"]].summary(sheet, row, answer, number),
            "errors": wrong.get(number, ()),
        }
        for number, row in enumerate(rows)
    ]
    over = answer is not None and answer.complete
    editing = index < len(rows)
    heats, through = _heats(answer, people)
    return {
        "sheet": as_text(sheet),
        "kind": sheet["kind"],
        "ruleset": ruleset_name(sheet["ruleset"]),
        "names": isolated([*names.values()]),
        "board": _board(answer, sheet, people),
        "heats": heats,
        "through": through,
        "wrong": general + [text for texts in wrong.values() for text in texts],
        "lines": lines[::-1],
        "over": over,
        "stopped": bool(sheet.get("stopped")),
        "editing": editing,
        "entry": None
        if over and not editing and not errors
        else _entry(sheet, index, typed, errors, counting),
    }


def _board(answer: Answer | None, sheet: Sheet, people: Mapping[str, Person]) -> Board | None:
    if answer is None or not answer.standings or not rows_of(sheet):
        return None
    columns = [Column(number=number) for number in range(1, len(rows_of(sheet)) + 1)]
    return board_of(answer, sheet, people, columns, finished=False, gained=places_gained(sheet, answer))


def _heats(answer: Answer | None, people: Mapping[str, Person]) -> tuple[list[HeatCard], list[Person]]:
    if answer is None or not kind_of(answer.kind).one_play:
        return [], []
    cards = [
        HeatCard(number=heat.number, state="finished", rows=heat_rows(heat, people)) for heat in answer.rounds
    ]
    return cards, [people[player] for player in answer.finalists]


def _entry(
    sheet: Sheet, index: int, typed: Mapping[str, str], errors: Mapping[str, str], counting: Sequence[str]
) -> dict[str, Any]:
    label = row_label(sheet, index)
    new = index >= len(rows_of(sheet))
    return {
        "index": index,
        "new": new,
        "asked": not new,  # asks for the last card
        "paper": bool(typed) or not new,  # form open, not folded below the clock
        "title": label if new else _("Change %(row)s") % {"row": inside(label)},
        "errors": [{"href": f"#{name}" if name else "", "text": text} for name, text in errors.items()],
        "error": errors,
        **KINDS[sheet["kind"]].entry(sheet, RowRules.of(sheet, index), typed, errors, counting),
    }
