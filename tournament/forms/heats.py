"""A heat as a form: `order-<entry>` is the player's number in the order of going out, `advance` how many go through,
`out-<entry>` says who was removed or left."""

from typing import Any
from uuid import UUID

from tournament.forms.departures import read_departures
from tournament.forms.reading import Typed
from tournament.models import Result
from tournament.results.bridge import Contest
from tournament.results.facts import PlayFacts
from tournament.results.faults import Fault


def seated_at(contest: Contest, table: UUID) -> list[UUID]:
    """Everybody with a seat at this table."""
    number = contest.table_numbers[table]
    return [seat.entry for seat in contest.seats if seat.table == number]


def read_heat(typed: Typed, contest: Contest, table: UUID) -> dict[str, Any]:
    """The arguments of `record_heat` that the form holds. Faults: `duplicate_order` for a number given twice."""
    players = seated_at(contest, table)
    order: dict[int, UUID] = {}
    for entry in players:
        number = typed.whole(f"order-{entry}", f"/finish_order/{entry}", least=1, most=len(players))
        if number is None:
            continue
        if number in order:
            typed.faults.append(Fault("duplicate_order", f"/finish_order/{entry}", {"number": number}))
        order[number] = entry
    out = read_departures(typed, players)
    advance = typed.whole("advance", "/advance", least=1, most=len(players))
    return {
        "finish_order": [order[number] for number in sorted(order)],
        "advance": None if advance == contest.settings.get("advance", 1) else advance,
        **out,
    }


def typed_heat(play: PlayFacts, contest: Contest) -> dict[str, str]:
    """A stored heat as the form that enters it would send it."""
    data = {f"order-{row.entry}": str(row.finish) for row in play.with_outcome(Result.Outcome.FINISHED)}
    data["advance"] = str(play.advance or contest.settings.get("advance", 1))
    table = contest.table_numbers[play.table]
    for seat in contest.seats:
        if seat.table == table and (seat.out_from or play.number + 1) <= play.number:
            data[f"out-{seat.entry}"] = seat.out_as
    return data
