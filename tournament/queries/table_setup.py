"""Table setup, in translated texts: decks, cards to remove, who starts.

Birth dates, which tell oldest and youngest, stay private.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from rulesets import RULESETS, Ruleset
from rulesets.ruleset import DECK_108, DECK_112
from scoring import deal_fits, decks_for
from tournament.models import Entry, Stage, Table
from tournament.results.kinds import kind_of
from tournament.seating import Moved
from tournament.words.faults import card_name

# Who starts, by ruleset wording (in the rules: Roles, first player, Start).
STARTS: dict[str, str | Promise] = {
    "kpgut": gettext_lazy(
        "The oldest player deals and keeps the time, even after going out. The youngest starts."
    ),
    "mattel": gettext_lazy(
        "Everyone draws a card. The highest number deals, and the player to the dealer’s left "
        "starts. Special cards count 0. Tied players draw again."
    ),
    "mattel-108": pgettext_lazy(
        "mattel-108",
        "Everyone draws a card. The highest number deals, and the player to the dealer’s left "
        "starts. Action cards count 0. Tied players draw again.",
    ),
    "tite": gettext_lazy(
        "Everyone draws a card. The highest number starts. Special cards count 0. Tied players draw again."
    ),
}


@dataclass(frozen=True, slots=True)
class Needs:
    """Needs of a table.

    `crowded`: too few cards for the deal; `by_age`: oldest deals, youngest starts, else card draw.
    """

    players: int
    decks: int
    crowded: bool
    by_age: bool


def needs_of(stage: Stage, players: int) -> Needs:
    """Needs of a table with `players`. Reads the stage's tournament."""
    ruleset = RULESETS[stage.tournament.ruleset]
    decks = stage.settings.get("decks") or decks_for(ruleset, players)
    return Needs(
        players=players,
        decks=decks,
        crowded=not deal_fits(ruleset, players, decks, stage.settings.get("custom_cards", 3)),
        by_age=kind_of(stage.kind).seats_change,
    )


def start_text(ruleset: str) -> str:
    """Starting rule of the ruleset; "" if unspecified."""
    return str(STARTS.get(RULESETS[ruleset].wording, ""))


def players_text(players: int) -> str:
    """Number of players as text."""
    return ngettext("%(n)d player", "%(n)d players", players) % {"n": players}


def decks_text(needs: Needs) -> str:
    """Number of decks as text; warns if too few."""
    decks = ngettext("%(n)d deck", "%(n)d decks", needs.decks) % {"n": needs.decks}
    return (
        _("%(decks)s: not enough cards for this many players") % {"decks": decks} if needs.crowded else decks
    )


def line_text(needs: Needs) -> str:
    """One-line summary: players and decks."""
    return f"{players_text(needs.players)} · {decks_text(needs)}" if needs.players else players_text(0)


def taken_out_text(stage: Stage) -> str:
    """Cards to remove from each deck; "" if none. Reads the stage's tournament."""
    ruleset = RULESETS[stage.tournament.ruleset]
    kept = dict(ruleset.deck)
    if "custom" in kept:
        kept["custom"] = min(kept["custom"], stage.settings.get("custom_cards", kept["custom"]))
    out = {card: many for card, count in DECK_112.items() if (many := count - kept.get(card, 0)) > 0}
    always = {card: many for card, many in out.items() if card in DECK_108}
    of_112 = {card: many for card, many in out.items() if card not in DECK_108}
    said = []
    if always:
        said.append(_("Take out of each deck: %(cards)s.") % {"cards": _cards(always, ruleset)})
    if of_112:
        words = (
            _("From a box of 112 also take out: %(cards)s.")
            if always
            else _("From a box of 112 take out: %(cards)s.")
        )
        said.append(words % {"cards": _cards(of_112, ruleset)})
    return " ".join(said)


def moved_texts(moved: Iterable[Moved], names: Mapping[str, str]) -> list[str]:
    """Text per player not seated as drawn; `names` by uid."""
    return [_moved_text(one, names[one.player]) for one in moved if one.player in names]


def _moved_text(moved: Moved, name: str) -> str:
    values = {"player": name, "origin": moved.origin, "goal": moved.goal}
    if moved.origin is None:
        return _("%(player)s was not drawn but sits at table %(goal)s") % values
    if moved.goal is None:
        return _("%(player)s was drawn to table %(origin)s but has no seat") % values
    if moved.origin == moved.goal:
        return _("%(player)s has another seat at table %(goal)s") % values
    return _("%(player)s moved from table %(origin)s to table %(goal)s") % values


def _cards(cards: Mapping[str, int], ruleset: Ruleset) -> str:
    return get_text_list(
        [
            _("%(n)d × %(card)s") % {"n": count, "card": card_name(card, ruleset)}
            for card, count in cards.items()
        ],
        _("and"),
    )


def by_age(entries: Collection[Entry]) -> list[Entry]:
    """Entries, oldest first; empty if a birth date is unknown.

    Reads each entry's player. Ties by uid, so deterministic.
    """
    born: list[tuple[date, str, Entry]] = [
        (entry.player.birth_date, str(entry.uid), entry) for entry in entries if entry.player.birth_date
    ]
    known = len(born) == len(entries)
    return [entry for _day, _uid, entry in sorted(born, key=lambda one: one[:2])] if known else []


def oldest_and_youngest(entries: Collection[Entry]) -> tuple[Entry, Entry] | None:
    """Oldest and youngest of at least two; None if a birth date is unknown."""
    ordered = by_age(entries)
    return (ordered[0], ordered[-1]) if len(ordered) > 1 else None


def known_by_age(table: Table, players: Collection[Entry]) -> tuple[Entry | None, Entry | None]:
    """Oldest and youngest still seated, by birth dates, else as stated at the table; None where unknown."""
    said = [entry if entry in players else None for entry in (table.oldest, table.youngest)]
    return oldest_and_youngest(players) or (said[0], said[1])
