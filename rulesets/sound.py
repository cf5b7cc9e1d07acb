"""Validation of rulesets: whether their data can be played."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from .penalties import KPGUT, MATTEL, TITE, Penalty
from .ruleset import CARDS, DECK_112, KINDS, SCORINGS, Ruleset

_ROUNDS = ("match", "heats")
WORDINGS = {"": KINDS, "kpgut": ("session",), "mattel": _ROUNDS, "mattel-108": _ROUNDS, "tite": _ROUNDS}
CODES = frozenset(penalty.code for penalty in (*KPGUT, *MATTEL, *TITE))
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
HOUR_S = 3600
MOST_POINTS = 1000  # per card or setting
LONGEST_TEXTS = {"id": 30, "revision": 16, "name": 100, "source": 200}  # characters
LEAST_VALUES = {
    "dealt_cards": 1,
    "turned_up_cards": 0,
    "least_target": 1,
    "remaining_base": 0,
    "remaining_step": 0,
    "give_up_extra": 0,
    "give_up_least": 0,
}


def faults_of(ruleset: Ruleset) -> list[str]:
    """Faults of a ruleset as English sentences; empty if playable. Types too: nothing else checks custom files."""
    return [*_texts(ruleset), *_kinds(ruleset), *_cards(ruleset), *_numbers(ruleset), *_said(ruleset)]


def _whole(value: object, least: int, most: int = 10**6) -> bool:
    return type(value) is int and least <= value <= most


def _texts(ruleset: Ruleset) -> Iterator[str]:
    for name, most in LONGEST_TEXTS.items():
        value = getattr(ruleset, name)
        if not isinstance(value, str) or not value.strip() or len(value) > most:
            yield f"{name} must be a text of 1 to {most} characters."
    if isinstance(ruleset.id, str) and not ID.fullmatch(ruleset.id):
        yield "id must be of small letters, digits and single hyphens, as it stands in addresses."


def _kinds(ruleset: Ruleset) -> Iterator[str]:
    if not _some_of(ruleset.kinds, KINDS):
        yield f'kinds is to name some of {", ".join(KINDS)}, in brackets, as ("match",).'
    elif "session" in ruleset.kinds and len(ruleset.kinds) > 1:
        yield "kinds is to name session alone: what lasts by the clock has no rounds nor heats."
    elif "match" in ruleset.kinds and not _some_of(ruleset.scorings, SCORINGS):
        yield f"scorings is to name one or both of {', '.join(SCORINGS)}, in brackets, since matches are played."
    elif not all(kind in WORDINGS.get(ruleset.wording, ()) for kind in ruleset.kinds):
        yield 'wording must be "", or "kpgut" for sessions, or "mattel", "mattel-108" or "tite" for matches and heats.'


def _some_of(value: object, known: tuple[str, ...]) -> bool:
    return (
        isinstance(value, tuple)
        and bool(value)
        and len(set(value)) == len(value)
        and set(value) <= set(known)
    )


def _cards(ruleset: Ruleset) -> Iterator[str]:
    deck = ruleset.deck
    if not _table(deck, least=1) or not deck:
        yield "deck is to say of known cards how many there are, 1 or more."
    elif deck.get("custom", 0) > DECK_112["custom"] or ruleset.custom_cards is not ("custom" in deck):
        yield "custom_cards must be True exactly if the deck has Customizable cards, of which it holds 3 at most."
    if not _table(ruleset.points, least=0) or set(ruleset.points) != set(CARDS):
        yield f"points is to say of each card, also of those not in the deck, a number from 0 to {MOST_POINTS}."
    if not _table(ruleset.last_card_draws, least=1):
        yield "last_card_draws is to say of known cards how many are drawn for each."
    if not isinstance(ruleset.forbidden_last_cards, tuple) or not set(ruleset.forbidden_last_cards) <= set(
        CARDS
    ):
        yield "forbidden_last_cards is to name known cards, in brackets."


def _table(value: object, least: int) -> bool:
    return isinstance(value, Mapping) and all(
        card in CARDS and _whole(number, least, MOST_POINTS) for card, number in value.items()
    )


def _numbers(ruleset: Ruleset) -> Iterator[str]:
    for name, least in LEAST_VALUES.items():
        if not _whole(getattr(ruleset, name), least):
            yield f"{name} must be a whole number, at least {least}."
    if ruleset.hour_s != HOUR_S:
        yield f"hour_s must be {HOUR_S}: a game lasts an hour at most, on every page."
    timed = "session" in ruleset.kinds
    if timed and not _whole(ruleset.players_per_deck, 1):
        yield "players_per_deck must be a whole number, at least 1, where sessions are played."
    if not timed and ruleset.players_per_deck is not None:
        yield "players_per_deck must be None but for sessions: matches begin with one deck."
    least, most, usual = ruleset.least_target, ruleset.most_target, ruleset.default_target
    if not _whole(least, 1):
        return
    if most is not None and not _whole(most, least):
        yield "most_target must be None or a whole number, at least the least target."
    elif usual is not None and not _whole(usual, least, most or 10**6):
        yield "default_target must be None or a whole number, from the least to the most target."


def _said(ruleset: Ruleset) -> Iterator[str]:
    names, notes, card_names = ruleset.names, ruleset.notes, ruleset.card_names
    if not isinstance(names, Mapping) or not all(_is_text(name) for pair in names.items() for name in pair):
        yield 'names is to say a name for each language, as {"fi": "..."}.'
    if not isinstance(card_names, Mapping) or not all(
        isinstance(each, Mapping) and each.keys() <= set(CARDS) and all(map(_is_text, each.values()))
        for each in card_names.values()
    ):
        yield 'card_names is to say for each language what known cards are called, as {"fi": {"wild": "..."}}.'
    if not isinstance(notes, Mapping) or not all(
        isinstance(lines, tuple) and all(map(_is_text, lines)) for lines in notes.values()
    ):
        yield 'notes is to hold sentences for each language, in brackets, as {"en": ("...",)}.'
    if ruleset.sheets != () and not _some_of(ruleset.sheets, ("en", "fi", "sv")):
        yield 'sheets must be () or name some of en, fi, sv, in brackets, as ("en", "fi").'
    known = isinstance(ruleset.penalties, tuple) and all(
        isinstance(row, Penalty) and row.code in CODES for row in ruleset.penalties
    )
    if not known or len({row.code for row in ruleset.penalties}) < len(ruleset.penalties):
        yield (
            "penalties is to hold rows of penalties.py, in brackets, each code once: "
            + ", ".join(sorted(CODES))
            + "."
        )


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
