"""Rehearsals are put away when they are over, and brought back if that was too soon.

A rehearsal that was put away is hidden everywhere and its address is free for others; nothing of it is lost until
`manage.py purge` deletes it (tournament/ledger/purge.py).
"""

from django.utils.translation import gettext_lazy as _

from tournament.actions.event.events import free_slug
from tournament.actions.kernel import Work, action, refuse_if
from tournament.models import Stage, Tournament
from tournament.results import Fault

__all__ = ["bring_back", "put_away"]


@action(least="organiser", says=_("put the rehearsal away"), undo="whole_event")
def put_away(work: Work) -> None:
    """Hide a rehearsal from everybody but its organisers' list, and free its address. Raises Refused
    `not_a_rehearsal`; what is put away already refuses everything but `bring_back` (Forbidden)."""
    row = work.tournament
    refuse_if(not row.rehearsal, Fault("not_a_rehearsal"))
    row.put_away, row.slug = True, free_slug(f"put-away-{row.uid.hex}", row.starts_on)
    _save(work, row)


@action(least="organiser", says=_("brought the rehearsal back"), undo="whole_event")
def bring_back(work: Work) -> None:
    """Show a rehearsal again that was put away, at an address that is free now. Raises Refused `not_put_away`."""
    row = work.tournament
    refuse_if(not row.put_away, Fault("not_put_away"))
    row.put_away, row.slug = False, free_slug(row.name, row.starts_on, rehearsal=True)
    _save(work, row)


def _save(work: Work, row: Tournament) -> None:
    work.save(row, "put_away", "slug")
    work.readers_of(*Stage.objects.filter(tournament=row))
