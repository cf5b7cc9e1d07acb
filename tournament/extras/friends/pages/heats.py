"""A heat as friends enter it."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from scoring import Answer
from tournament.extras.friends.pages.sheets import (
    OUT_AS,
    PlayerFields,
    Row,
    RowRules,
    Sheet,
    names_of,
    options_of,
    rows_of,
)
from tournament.results import Typed, read_heat
from tournament.words.text import listed


def summary(sheet: Sheet, row: Row, _answer: Answer | None, _index: int) -> str:
    """Names of the players out, in order."""
    names = names_of(sheet)
    return listed([names.get(player, player) for player in row["finish_order"]])


def entry(
    sheet: Sheet,
    rules: RowRules,
    typed: Mapping[str, str],
    errors: Mapping[str, str],
    _counting: Sequence[str],
) -> dict[str, Any]:
    """Form fields of a heat."""
    mine = {name.removeprefix("sat-") for name, value in typed.items() if name.startswith("sat-") and value}
    elsewhere = {player for row in rows_of(sheet) for player in row["players"]} - mine
    words = (
        {"": _("not in this heat"), "sat": _("played")}
        | {
            str(n): _("went out as number %(n)s") % {"n": n}
            for n in range(1, min(len(rules.players), 30) + 1)
        }
        | {"removed": _("removed by the referees")}
    )
    return {
        "players": [
            PlayerFields(
                key=player,
                name=name,
                options=options_of(words, typed.get(f"sat-{player}", "")),
                error=errors.get(f"sat-{player}", ""),
            )
            for player, name in rules.players.items()
            if player not in elsewhere
        ],
        "advance": typed.get("advance", str(sheet["settings"].get("advance", 1))),
    }


def read(rules: RowRules, typed: Typed) -> Row:
    """Row of the typed heat."""
    sat = {player: choice for player in rules.players if (choice := typed.text(f"sat-{player}"))}
    asked = {f"out-{player}": choice for player, choice in sat.items() if choice in OUT_AS}
    asked |= {f"order-{player}": choice for player, choice in sat.items() if choice not in {"sat", *OUT_AS}}
    asked["advance"] = typed.text("advance")
    entry = read_heat(Typed(asked, typed.faults), {player: player for player in rules.players})
    row: Row = {
        "players": list(sat),
        "finish_order": entry.finish_order,
        "removed": entry.removed,
        "advance": entry.advance,
    }
    return {key: value for key, value in row.items() if value or key in {"players", "finish_order"}}


def typed_again(row: Row) -> dict[str, str]:
    """Form values of a heat."""
    return (
        {f"sat-{player}": "sat" for player in row["players"]}
        | {f"sat-{player}": str(number) for number, player in enumerate(row["finish_order"], 1)}
        | {f"sat-{player}": "removed" for player in row.get("removed", ())}
        | {"advance": str(row["advance"])}
    )
