"""A KPGUT game entered at one go, as from paper: from what was given to the facts of the play."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID, uuid4

from tournament.actions.kernel import given
from tournament.models import Play, Result
from tournament.results.facts import PlayFacts, ResultFacts
from tournament.results.faults import Fault, Refused

Outcome = Result.Outcome
HOUR_S = 3600  # seconds; no row of the database holds more


def whole_game(
    play: PlayFacts, ended: str, results: Sequence[Mapping[str, object]], duration_s: int | None
) -> PlayFacts:
    """The play with these results, `{"entry", "outcome", "elapsed_s", "hand"}` each; rows that were there keep their
    uid.

    Raises Refused with what no score sheet could say: `malformed`, `duplicate_player`, `elapsed_over_limit`.
    """
    if not isinstance(results, list | tuple) or not all(isinstance(row, Mapping) for row in results):
        raise Refused(Fault("malformed", "/results"))
    rows: dict[UUID, ResultFacts] = {}
    faults: list[Fault] = []
    for index, row in enumerate(results):
        entry, outcome = row.get("entry"), row.get("outcome")
        if not isinstance(entry, UUID):
            faults.append(Fault("malformed", f"/results/{index}"))
        elif entry in rows:
            faults.append(Fault("duplicate_player", f"/results/{entry}", {"player": str(entry)}))
        elif outcome not in Outcome.values:
            faults.append(Fault("malformed", f"/results/{entry}"))
        else:
            rows[entry] = _result(play, entry, str(outcome), row)
    if ended not in Play.Ended.values:
        faults.append(Fault("malformed", "/ended"))
    faults += [
        Fault("elapsed_over_limit", f"/results/{row.entry}/elapsed_s", {"limit_s": HOUR_S})
        for row in rows.values()
        if row.elapsed_s is not None and not 0 <= row.elapsed_s <= HOUR_S
    ]
    if faults:
        raise Refused(*faults)
    return replace(play, results=tuple(rows.values()), ended=ended, duration_s=duration_s)


def _result(play: PlayFacts, entry: UUID, outcome: str, row: Mapping[str, object]) -> ResultFacts:
    before = play.result_of(entry)
    elapsed_s, hand = row.get("elapsed_s"), row.get("hand")
    remaining = outcome == Outcome.REMAINING and hand is not None
    return ResultFacts(
        before.uid if before else uuid4(),
        entry,
        outcome,
        elapsed_s=elapsed_s if type(elapsed_s) is int else None,
        hand=given.cards(hand, f"/results/{entry}/hand") if remaining else {},
    )
