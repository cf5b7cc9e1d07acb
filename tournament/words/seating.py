"""Impossible seatings (tournament.seating.Impossible) in words."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.text import get_text_list
from django.utils.translation import get_language, gettext as _, ngettext, ngettext_lazy

from tournament.models import LedgerRow
from tournament.seating import Impossible
from tournament.words.faults import action_name
from tournament.words.text import in_alphabet, listed


def impossible_text(impossible: Impossible, names: Mapping[str, str] | None = None) -> str:
    """Why it is impossible, and what is possible. `names` by id."""
    asked = impossible.parameters
    pairs = [
        " – ".join(
            sorted(
                ((names or {}).get(str(player), str(player)) for player in pair),
                key=lambda name: in_alphabet(name, get_language()),
            )
        )
        for pair in impossible.pairs
    ]
    said = [_WHY[impossible.code]({**asked, "pairs": listed(pairs)})]
    ways = [way_text(asked, name) for name in ("fewer", "more") if name in asked]
    if ways:
        possible = (
            _("Possible for these players: %(ways)s.") if "begun" in asked else _("Possible: %(ways)s.")
        )
        said.append(possible % {"ways": get_text_list(ways, _("or"))})
    return " ".join(said)


def way_text(asked: Mapping[str, Any], name: str) -> str:
    """An alternative (`fewer` or `more`) in words."""
    return tables_text(
        int(asked[name]), smallest=int(asked[f"{name}_smallest"]), largest=int(asked[f"{name}_largest"])
    )


def tables_text(tables: int, *, smallest: int, largest: int) -> str:
    """Tables in words: "10 tables of 6", "7 tables of 8 or 9"."""
    values = {"tables": tables, "smallest": smallest, "largest": largest}
    if smallest == largest:
        return (
            ngettext("%(tables)s table of %(largest)s", "%(tables)s tables of %(largest)s", tables) % values
        )
    return (
        ngettext(
            "%(tables)s table of %(smallest)s or %(largest)s",
            "%(tables)s tables of %(smallest)s or %(largest)s",
            tables,
        )
        % values
    )


def _too_few_tables(asked: Mapping[str, Any]) -> str:
    if "begun" in asked:
        return _(
            "The other %(players)s players, at most %(most)s at a table, need more than %(have)s "
            "tables. Play has begun at %(begun)s of them."
        ) % dict(asked)
    return ngettext(
        "%(players)s players with at most %(most)s at a table need more than %(have)s table.",
        "%(players)s players with at most %(most)s at a table need more than %(have)s tables.",
        asked["have"],
    ) % dict(asked)


_WHY: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "too_few_players": lambda asked: (
        ngettext(
            "%(players)s player is too few. At least %(least)s are needed.",
            "%(players)s players are too few. At least %(least)s are needed.",
            asked["players"],
        )
        % dict(asked)
    ),
    "bounds_crossed": lambda asked: (
        _("The minimum at a table, %(least)s, is more than the maximum, %(most)s.") % dict(asked)
    ),
    "no_tables": lambda _asked: _(
        "No table is left for anyone to sit at. If there are enough tables, leave the number of tables empty."
    ),
    "too_few_tables": _too_few_tables,
    "too_many_tables": lambda asked: (
        ngettext(
            "%(have)s table is too many for %(players)s players with at least %(least)s at each.",
            "%(have)s tables are too many for %(players)s players with at least %(least)s at each.",
            asked["have"],
        )
        % dict(asked)
    ),
    "sizes_do_not_fit": lambda asked: (
        _("%(players)s players cannot be divided into tables of %(least)s to %(most)s.") % dict(asked)
    ),
    "cannot_keep_apart": lambda asked: (
        _("These pairs cannot all be kept apart: %(pairs)s. Use more tables, or leave out one of them.")
        % dict(asked)
    ),
    "cannot_keep_together": lambda asked: (
        _("These pairs cannot all sit together in every game: %(pairs)s. Leave out one of them.")
        % dict(asked)
    ),
    "advance_too_large": lambda asked: (
        _("Stage %(level)s: fewer than %(size)s can go through from a table of %(size)s, not %(advance)s.")
        % dict(asked)
    ),
    "final_too_small": lambda asked: (
        _("The final has %(most)s places, but it needs at least %(least)s.") % dict(asked)
    ),
}

# ---- Receipts for stored ledger rows ----


# Actions whose receipt counts a kind of fact
COUNTED: Mapping[str, tuple[str, object]] = {
    "enter_players": ("entry", ngettext_lazy("%(n)d player entered", "%(n)d players entered", "n")),
    "approve_entries": ("entry", ngettext_lazy("%(n)d player accepted", "%(n)d players accepted", "n")),
    "check_in": ("entry", ngettext_lazy("%(n)d player checked in", "%(n)d players checked in", "n")),
    "no_show": ("entry", ngettext_lazy("%(n)d no-show", "%(n)d no-shows", "n")),
    "accept_plays": ("play", ngettext_lazy("%(n)d result confirmed", "%(n)d results confirmed", "n")),
    "seat_stage": ("table", ngettext_lazy("Seats saved at %(n)d table", "Seats saved at %(n)d tables", "n")),
}


def saved_text(row: LedgerRow) -> str:
    """What the row stored: a count where many are possible, else who did what."""
    kind, words = COUNTED.get(row.action, ("", ""))
    count = sum(facts is not None for facts in row.payload.get(kind, {}).values())
    if count:
        return str(words % {"n": count})  # type: ignore[operator] # a lazy plural
    return f"{row.actor.display_name()} {action_name(row.action)}"
