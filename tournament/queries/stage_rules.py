"""Translated stage settings left open by the ruleset, with author and times from the ledger. It lacks Customizable
card texts: with texts, the last row that could set them counts."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext, gettext_lazy, gettext_lazy as _, ngettext, pgettext_lazy

from rulesets import DECK_108, DECK_112, OWN_HAND, RULESETS, WINNER_TAKES, Ruleset
from scoring import deal_fits, decks_for
from tournament.models import Entry, LedgerRow, Play, Stage, Table, Tournament, User
from tournament.permissions import ACTIONS, Role
from tournament.results import kind_of, kinds_in
from tournament.seating import Moved
from tournament.words.faults import card_name
from tournament.words.kinds import DECIDING

SETS_TEXTS = frozenset({"plan_stage", "set_stage_settings"})

SETTING_WORDS: dict[str, str | Promise] = {
    "target": _("Target"),
    "scoring": _("Scoring method"),
    "rank": _("What decides"),
    "best": _("How many games count"),
    "custom_cards": _("Customizable cards in each deck"),
    "decks": _("Decks per table"),
    "min_games": _("Games needed to be ranked"),
    "max_games": _("Most games of a player"),
    "advance": _("Through from each heat"),
}
COUNTS: dict[str, str | Promise] = {WINNER_TAKES: _("standard scoring"), OWN_HAND: _("alternative scoring")}
RACE_COUNTS: dict[str, str | Promise] = {
    WINNER_TAKES: _("winner takes"),
    OWN_HAND: _("own hand"),
    "placing": _("placing"),
}


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting, translated."""

    name: str | Promise
    value: str | Promise


@dataclass(frozen=True, slots=True)
class RulesSet:
    """A stage's settings, set `by` and `at`, locked since `locked_at` (None if unknown, and where the first round
    locks the target)."""

    settings: Sequence[Setting]
    card_texts: Sequence[str]
    by: str
    at: datetime | None
    locked_at: datetime | None

    def __bool__(self) -> bool:
        return bool(self.settings or self.card_texts)


@dataclass(slots=True)
class _Seen:
    settings: Mapping[str, Any] | None = None
    state: str = Stage.State.PLANNED
    changed: tuple[int, datetime] | None = None
    texts: tuple[int, datetime] | None = None
    locked_at: datetime | None = None

    def take(self, facts: Mapping[str, Any], action: str, who: tuple[int, datetime]) -> None:
        if facts["settings"] != self.settings:
            self.settings, self.changed = facts["settings"], who
        planned = facts["state"] == Stage.State.PLANNED
        if planned and action in SETS_TEXTS:
            self.texts = who
        if planned:
            self.locked_at = None
        elif self.state == Stage.State.PLANNED:
            self.locked_at = who[1]
        self.state = facts["state"]


def kinds_with_target(ruleset: str) -> list[str]:
    """Kinds of stage whose target referees choose: matches, if the ruleset fixes none."""
    fixed = RULESETS[ruleset].default_target is not None
    return [] if fixed else [kind for kind in kinds_in(ruleset) if kind_of(kind).to_target]


def chooses_target(stage: Stage) -> bool:
    """Whether referees choose the target."""
    return stage.kind in kinds_with_target(stage.tournament.ruleset)


def target_open(stage: Stage) -> bool:
    """Whether the target can still change: no play yet, even void."""
    return (
        chooses_target(stage)
        and stage.state != Stage.State.FINISHED
        and not Play.objects.filter(table__stage=stage).exists()
    )


def settings_in_words(stage: Stage) -> list[Setting]:
    """Translated settings in form order, with a match's default target."""
    values = dict(stage.settings)
    if kind_of(stage.kind).to_target:
        values.setdefault("target", RULESETS[stage.tournament.ruleset].default_target)
    if "rank" in kind_of(stage.kind).settings:
        values["rank"] = ", ".join(str(DECIDING[word].unit) for word in values.get("rank", ["average"]))
    words = COUNTS if kind_of(stage.kind).to_target else RACE_COUNTS
    return [
        Setting(word, words.get(value, str(value)) if isinstance(value, str) else str(value))
        for name, word in SETTING_WORDS.items()
        for value in [values.get(name)]
        if value is not None
    ]


def rules_set(tournament: Tournament, stages: Sequence[Stage]) -> dict[UUID, RulesSet]:
    """Settings by stage uid, in two queries."""
    seen = {str(stage.uid): _Seen() for stage in stages}
    at_a_table = [name for name, declared in ACTIONS.items() if declared.least == Role.TABLE_REFEREE]
    rows = (
        LedgerRow.objects.filter(tournament=tournament)
        .exclude(action__in=at_a_table)  # most rows; never set rules
        .filter(payload__has_key="stage")  # last: reads the payload
        .order_by("sequence")
    )
    for at, actor, action, written in rows.values_list("at", "actor", "action", "payload__stage"):
        for uid, facts in written.items():
            if facts and uid in seen:
                seen[uid].take(facts, action, (actor, at))
    last = {
        stage.uid: (said.texts or said.changed) if stage.card_texts else said.changed
        for stage in stages
        for said in [seen[str(stage.uid)]]
    }
    users = User.objects.in_bulk({actor for actor, _at in filter(None, last.values())})
    return {
        stage.uid: RulesSet(
            settings=settings_in_words(stage),
            card_texts=stage.card_texts,
            by=users[found[0]].display_name() if found else "",
            at=found[1] if found else None,
            locked_at=None if chooses_target(stage) else seen[str(stage.uid)].locked_at,
        )
        for stage in stages
        for found in [last[stage.uid]]
    }


# ---- Table setup, in translated texts ----

# Who starts, by ruleset wording.
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
    """Needs of a table. `crowded`: too few cards for the deal; `by_age`: oldest deals, youngest starts, else card
    draw."""

    players: int
    decks: int
    crowded: bool
    by_age: bool


def needs_of(stage: Stage, players: int) -> Needs:
    """Needs of a table with `players`."""
    ruleset = RULESETS[stage.tournament.ruleset]
    decks = stage.settings.get("decks") or decks_for(ruleset, players)
    return Needs(
        players=players,
        decks=decks,
        crowded=not deal_fits(
            ruleset, players, decks=decks, custom_cards=stage.settings.get("custom_cards", 3)
        ),
        by_age=kind_of(stage.kind).timed,
    )


def start_text(ruleset: str) -> str:
    """Starting rule of the ruleset, or ""."""
    return str(STARTS.get(RULESETS[ruleset].wording, ""))


def players_text(players: int) -> str:
    """Number of players as text."""
    return ngettext("%(n)d player", "%(n)d players", players) % {"n": players}


def decks_text(needs: Needs) -> str:
    """Number of decks as text; warns if too few."""
    decks = ngettext("%(n)d deck", "%(n)d decks", needs.decks) % {"n": needs.decks}
    return (
        gettext("%(decks)s: not enough cards for this many players") % {"decks": decks}
        if needs.crowded
        else decks
    )


def line_text(needs: Needs) -> str:
    """Players and decks in one line."""
    return f"{players_text(needs.players)} · {decks_text(needs)}" if needs.players else players_text(0)


def taken_out_text(stage: Stage) -> str:
    """Cards to remove from each deck, or ""."""
    ruleset = RULESETS[stage.tournament.ruleset]
    kept = dict(ruleset.deck)
    if "custom" in kept:
        kept["custom"] = min(kept["custom"], stage.settings.get("custom_cards", kept["custom"]))
    out = {card: many for card, count in DECK_112.items() if (many := count - kept.get(card, 0)) > 0}
    always = {card: many for card, many in out.items() if card in DECK_108}
    of_112 = {card: many for card, many in out.items() if card not in DECK_108}
    said = []
    if always:
        said.append(gettext("Take out of each deck: %(cards)s.") % {"cards": _cards(always, ruleset)})
    if of_112:
        words = (
            gettext("From a box of 112 also take out: %(cards)s.")
            if always
            else gettext("From a box of 112 take out: %(cards)s.")
        )
        said.append(words % {"cards": _cards(of_112, ruleset)})
    return " ".join(said)


def moved_texts(moved: Iterable[Moved], names: Mapping[str, str]) -> list[str]:
    """Text per player not seated as drawn; `names` by uid."""
    return [_moved_text(one, names[one.player]) for one in moved if one.player in names]


def _moved_text(moved: Moved, name: str) -> str:
    values = {"player": name, "origin": moved.origin, "goal": moved.goal}
    if moved.origin is None:
        return gettext("%(player)s was not drawn but sits at table %(goal)s") % values
    if moved.goal is None:
        return gettext("%(player)s was drawn to table %(origin)s but has no seat") % values
    if moved.origin == moved.goal:
        return gettext("%(player)s has another seat at table %(goal)s") % values
    return gettext("%(player)s moved from table %(origin)s to table %(goal)s") % values


def _cards(cards: Mapping[str, int], ruleset: Ruleset) -> str:
    return get_text_list(
        [
            gettext("%(n)d × %(card)s") % {"n": count, "card": card_name(card, ruleset)}
            for card, count in cards.items()
        ],
        gettext("and"),
    )


def by_age(entries: Collection[Entry]) -> list[Entry]:
    """Entries, oldest first, ties by uid; empty if a birth date is unknown. Reads players."""
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
    """Oldest and youngest still seated, by birth dates, else as stated at the table; None: unknown."""
    said = [entry if entry in players else None for entry in (table.oldest, table.youngest)]
    return oldest_and_youngest(players) or (said[0], said[1])
