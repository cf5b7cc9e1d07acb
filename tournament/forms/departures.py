"""Who is out from a round or heat on, as part of its form: `out-<entry>` is removed or withdrawn."""

from collections.abc import Sequence
from uuid import UUID

from tournament.forms.reading import Typed
from tournament.models import Seat
from tournament.results.faults import Fault


def read_departures(typed: Typed, players: Sequence[UUID]) -> dict[str, list[UUID]]:
    """`removed` and `withdrawn`, as `record_round` and `record_heat` are given them."""
    out: dict[str, list[UUID]] = {Seat.OutAs.REMOVED.value: [], Seat.OutAs.WITHDRAWN.value: []}
    for entry in players:
        choice = typed.text(f"out-{entry}")
        if choice in out:
            out[choice].append(entry)
        elif choice:
            typed.faults.append(Fault("malformed", f"/out/{entry}"))
    return out
