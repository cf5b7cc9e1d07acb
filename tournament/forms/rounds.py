"""A match's round as a form: who won, the hands of the others, the last card, who is out from this round on.

Fields: `winner`; `hand-<entry>-<card>`; `last` (the kind of the last card where it makes the next player draw), with
`last_count` where several may be played; `drew`; `out-<entry>` (removed or withdrawn); `emptied-<entry>`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulesets import RULESETS, Ruleset
from scoring import cards_available, decks_for
from tournament.forms.departures import read_departures
from tournament.forms.hands import read_hands, typed_hands
from tournament.forms.reading import Typed
from tournament.models import Result
from tournament.results.bridge import Contest, SeatFacts
from tournament.results.facts import PlayFacts
from tournament.results.faults import Fault

Outcome = Result.Outcome


@dataclass(frozen=True, slots=True)
class RoundRules:
    """What of a round the ruleset and the match's settings leave to be asked."""

    ruleset: Ruleset
    available: Mapping[str, int]  # cards, all decks together
    last_kinds: tuple[str, ...]
    several: bool
    emptying: bool

    @classmethod
    def of(cls, contest: Contest) -> "RoundRules":
        ruleset = RULESETS[contest.ruleset]
        decks = contest.settings.get("decks") or decks_for(ruleset, len(contest.players))
        available = cards_available(ruleset, decks, contest.settings.get("custom_cards", 3))
        return cls(
            ruleset=ruleset,
            available=available,
            last_kinds=tuple(
                card for card in ruleset.last_card_draws if card not in ruleset.forbidden_last_cards
            ),
            several=ruleset.several_last_cards,
            emptying=bool(available.get("custom")),
        )


def in_round(contest: Contest, number: int) -> list[SeatFacts]:
    """The seats of those who were in when the round of this number began; who is out from it on still is one."""
    return [seat for seat in contest.seats if seat.out_from is None or seat.out_from >= number]


def read_round(typed: Typed, contest: Contest, number: int) -> dict[str, Any]:
    """The arguments of `record_round` that the form holds."""
    rules = RoundRules.of(contest)
    players = [seat.entry for seat in in_round(contest, number)]
    out = read_departures(typed, players)
    gone = {entry for entries in out.values() for entry in entries}
    emptied = [entry for entry in players if typed.text(f"emptied-{entry}") and entry not in gone]
    winner = typed.uid("winner", "/winner")
    holders = [entry for entry in players if entry not in gone and entry not in emptied]
    hands = read_hands(typed, players, rules.ruleset, of=holders)
    last_cards, drew = _read_last(typed, rules)
    return {
        "winner": winner,
        "hands": hands,
        "last_cards": last_cards,
        "drew": drew,
        "emptied": emptied,
        **out,
    }


def _read_last(typed: Typed, rules: RoundRules) -> tuple[dict[str, int], Any]:
    last = typed.text("last")
    if not last:
        return {}, None
    if last not in rules.last_kinds:
        typed.faults.append(Fault("malformed", "/last_cards"))
        return {}, None
    count = typed.whole("last_count", "/last_cards", least=1, most=99) if rules.several else None
    return {last: count or 1}, typed.uid("drew", "/drew")


def typed_round(play: PlayFacts, contest: Contest) -> dict[str, str]:
    """A stored round as the form that enters it would send it."""
    data = typed_hands({row.entry: row.hand for row in play.results if row.outcome == Outcome.HOLDS})
    for row in play.with_outcome(Outcome.WON):
        data["winner"] = str(row.entry)
    for row in play.with_outcome(Outcome.EMPTIED):
        data[f"emptied-{row.entry}"] = "1"
    for card, count in play.last_cards.items():
        data |= {"last": card, "last_count": str(count)}
    if play.drew:
        data["drew"] = str(play.drew)
    for seat in contest.seats:
        if seat.out_from == play.number:
            data[f"out-{seat.entry}"] = seat.out_as
    return data
