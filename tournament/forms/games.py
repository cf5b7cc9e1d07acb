"""A KPGUT game as a form, as from paper: `outcome-<entry>`, `time-<entry>` (m:ss), `hand-<entry>-<card>` of those who
remained, `ended`, `duration` (m:ss), `decks`."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from rulesets import RULESETS, Ruleset
from scoring import cards_available, decks_for
from tournament.forms.hands import read_hands, typed_hands
from tournament.forms.reading import Typed, time_text
from tournament.models import Play, Result
from tournament.results.bridge import Contest
from tournament.results.facts import PlayFacts
from tournament.results.faults import Fault

Outcome = Result.Outcome
Ended = Play.Ended
OUTCOMES = (Outcome.OUT, Outcome.LAST, Outcome.REMAINING, Outcome.GAVE_UP, Outcome.EJECTED)
LEFT = (Outcome.GAVE_UP, Outcome.EJECTED)
MOST_DECKS = 20


def cards_in_play(contest: Contest, players: int, decks: int | None = None) -> dict[str, int]:
    """How many of each card are on a table of so many players, all decks together."""
    ruleset = RULESETS[contest.ruleset]
    return cards_available(ruleset, decks or contest.settings.get("decks") or decks_for(ruleset, players))


def remaining_in(typed: Typed, players: Sequence[UUID]) -> list[UUID]:
    """Those whose outcome is `remaining`: their hands are asked for."""
    return [entry for entry in players if typed.text(f"outcome-{entry}") == Outcome.REMAINING]


def read_game(typed: Typed, players: Sequence[UUID], ruleset: Ruleset) -> dict[str, Any]:
    """The arguments of `record_game` that the form holds; who has no outcome did not play.

    Faults: `missing_time` for who went out without a time, `malformed`, `not_a_time`, and those of hands.
    """
    hands = read_hands(typed, players, ruleset, of=remaining_in(typed, players))
    results: list[dict[str, Any]] = []
    for entry in players:
        outcome = typed.text(f"outcome-{entry}")
        if not outcome:
            continue
        if outcome not in OUTCOMES:
            typed.faults.append(Fault("malformed", f"/results/{entry}"))
            continue
        result: dict[str, Any] = {"entry": entry, "outcome": outcome}
        if outcome == Outcome.OUT:
            result["elapsed_s"] = typed.seconds(f"time-{entry}", f"/results/{entry}/elapsed_s")
            if not typed.text(f"time-{entry}"):
                typed.faults.append(Fault("missing_time", f"/results/{entry}/elapsed_s"))
        if outcome == Outcome.REMAINING:
            result["hand"] = hands.get(str(entry), {})
            if str(entry) not in hands:
                typed.faults.append(Fault("missing_hand", f"/results/{entry}/hand"))
        results.append(result)
    ended = typed.text("ended")
    if ended not in Ended.values:
        typed.faults.append(Fault("missing_ending", "/ended"))
    return {
        "ended": ended,
        "results": results,
        "duration_s": _read_duration(typed, ended, results),
        "decks": typed.whole("decks", "/decks", least=1, most=MOST_DECKS),
    }


def _read_duration(typed: Typed, ended: str, results: Sequence[dict[str, Any]]) -> int | None:
    """When the game ended, where the outcomes do not say it themselves."""
    said = ended == Ended.EARLY or (
        ended == Ended.LAST and any(result["outcome"] in LEFT for result in results)
    )
    return typed.seconds("duration", "/duration_s") if said else None


def typed_game(play: PlayFacts) -> dict[str, str]:
    """A stored game as the form that enters it would send it."""
    data = typed_hands({row.entry: row.hand for row in play.with_outcome(Outcome.REMAINING)})
    for row in play.results:
        data[f"outcome-{row.entry}"] = str(row.outcome) if row.outcome in OUTCOMES else ""
        if row.outcome == Outcome.OUT:
            data[f"time-{row.entry}"] = time_text(row.elapsed_s)
    data |= {"ended": str(play.ended), "duration": time_text(play.duration_s)}
    if play.decks:
        data["decks"] = str(play.decks)
    return data
