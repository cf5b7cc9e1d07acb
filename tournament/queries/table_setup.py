"""The setup of a table before the first card: decks, cards to take out, and who starts by its ruleset, or who is oldest
and youngest there by birth dates that nobody sees; and the texts of this, and of a draw's seats, in the reader's
language."""

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

# The rule on who starts, by the ruleset's wording (rules of each: Roles, first player, Start).
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
    """A table of so many players. `crowded`: the decks do not hold the deal. `by_age`: the oldest deals and the
    youngest opens; else a card draw says who starts."""

    players: int
    decks: int
    crowded: bool
    by_age: bool


def needs_of(stage: Stage, players: int) -> Needs:
    """Compute the needs of a table with so many players in this stage. Reads the stage's tournament."""
    ruleset = RULESETS[stage.tournament.ruleset]
    decks = stage.settings.get("decks") or decks_for(ruleset, players)
    return Needs(
        players=players,
        decks=decks,
        crowded=not deal_fits(ruleset, players, decks, stage.settings.get("custom_cards", 3)),
        by_age=kind_of(stage.kind).seats_change,
    )


def start_text(ruleset: str) -> str:
    """Give the text on who starts at a table of this ruleset; "" where it does not say."""
    return str(STARTS.get(RULESETS[ruleset].wording, ""))


def players_text(players: int) -> str:
    """Word the number of players at a table."""
    return ngettext("%(n)d player", "%(n)d players", players) % {"n": players}


def decks_text(needs: Needs) -> str:
    """Word the number of decks at a table, with a warning if they do not hold the deal."""
    decks = ngettext("%(n)d deck", "%(n)d decks", needs.decks) % {"n": needs.decks}
    return (
        _("%(decks)s: not enough cards for this many players") % {"decks": decks} if needs.crowded else decks
    )


def line_text(needs: Needs) -> str:
    """Describe a table in one line: how many sit there and what they need."""
    return f"{players_text(needs.players)} · {decks_text(needs)}" if needs.players else players_text(0)


def taken_out_text(stage: Stage) -> str:
    """Name the cards to take out of each deck before play; "" if none are. Reads the stage's tournament."""
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
    """Name the players who do not sit where the draw put them; `names` are public names by uid."""
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
    """Sort these players, the oldest first; none if a birth date is not known.

    Reads each entry's player. Those born on the same day are ordered by their ids, so that the answer is always the
    same and the oldest and the youngest are two people.
    """
    born: list[tuple[date, str, Entry]] = [
        (entry.player.birth_date, str(entry.uid), entry) for entry in entries if entry.player.birth_date
    ]
    known = len(born) == len(entries)
    return [entry for _day, _uid, entry in sorted(born, key=lambda one: one[:2])] if known else []


def oldest_and_youngest(entries: Collection[Entry]) -> tuple[Entry, Entry] | None:
    """Find the oldest and the youngest of two players or more; None if a birth date is not known."""
    ordered = by_age(entries)
    return (ordered[0], ordered[-1]) if len(ordered) > 1 else None


def known_by_age(table: Table, players: Collection[Entry]) -> tuple[Entry | None, Entry | None]:
    """Find the oldest and the youngest of those who still sit at a table: by birth dates, else as stated there; None if
    nobody knows, or the player no longer sits there."""
    said = [entry if entry in players else None for entry in (table.oldest, table.youngest)]
    return oldest_and_youngest(players) or (said[0], said[1])
