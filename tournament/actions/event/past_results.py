"""Results of an event that was played elsewhere."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from tournament.actions.event.planning import replan_event
from tournament.actions.kernel import Faults, Work, action, do_within, refuse, refuse_if
from tournament.actions.people.players import enter_players
from tournament.models import Entry, PastResult, Tournament
from tournament.results import Fault

__all__ = ["bring_in_results"]

AS_READ = ("place", "points", "average", "games", "wins", "note")


@action(least="organiser", says=_("brought in results from a file"), undo="ledger", bulk=True, account=True)
def bring_in_results(work: Work, *, players: Sequence[Mapping[str, Any]]) -> None:
    """Store results in an unplayed event and finish it; planned stages go.

    `players`: as in `enter_players`, plus `PastResult` fields; `entry`: an existing or new uid. Refused
    `played_already`, `brought_in_twice`, field faults.
    """
    event = work.tournament
    refuse_if(event.state == Tournament.State.RUNNING, Fault("played_already"))
    do_within(work, replan_event, ruleset=event.ruleset, stages=[])
    here = {*Entry.objects.filter(tournament=event).values_list("uid", flat=True)}
    if new := [given for given in players if given["entry"] not in here]:
        do_within(work, enter_players, players=new)
    entries = {entry.uid: entry for entry in Entry.objects.filter(tournament=event)}
    work.update_all((entries[uid], {"state": Entry.State.CHECKED_IN}) for uid in entries.keys() - here)
    brought_in = PastResult.objects.filter(entry__tournament=event).values_list("entry__uid", flat=True)
    taken = [*brought_in, *(given["entry"] for given in players)]
    rows, faults = [], Faults()
    for index, given in enumerate(players):
        row = PastResult(
            entry=entries[given["entry"]], **{name: given[name] for name in AS_READ if name in given}
        )
        with faults.at(f"/players/{index}"):
            row.clean_fields(exclude=["entry"])
        faults.add_if(taken.count(row.entry.uid) > 1, Fault("brought_in_twice", "/entry"))
        rows.append(row)
    refuse(faults)
    PastResult.objects.bulk_create(rows)
    work.changed(*rows)
    work.update(event, state=Tournament.State.FINISHED)
