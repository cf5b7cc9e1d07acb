"""Hide, restore and delete events.

A hidden event retains its public address. `manage.py purge` deletes hidden rehearsals (tournament/ledger/purge.py).
"""

import logging

from django.utils.translation import gettext_lazy as _

from tournament.actions.kernel import Command, Work, action, refuse_if, writing
from tournament.backup import before as back_up_before
from tournament.ledger.purge import take_back
from tournament.models import Tournament
from tournament.permissions import may, run_by_account
from tournament.results import Fault, Forbidden

__all__ = ["bring_back", "delete_event", "put_away"]

logger = logging.getLogger(__name__)


@action(least="organiser", says=_("hid the event"), undo="whole_event")
def put_away(work: Work) -> None:
    """Hide an event everywhere except in its organisers' list. All actions but `bring_back` then raise Forbidden."""
    work.tournament.put_away = True
    work.save(work.tournament, "put_away")


@action(least="organiser", says=_("showed the event again"), undo="whole_event")
def bring_back(work: Work) -> None:
    """Restore a hidden event. Refused `not_put_away`."""
    refuse_if(not work.tournament.put_away, Fault("not_put_away"))
    work.tournament.put_away = False
    work.save(work.tournament, "put_away")


def delete_event(command: Command, tournament: Tournament) -> None:
    """Delete a never played event with its ledger, players of no other event and referees without account, after a
    backup. Idempotent.

    Raises Forbidden for non-organisers, Refused `already_played`.
    """
    if may(command.actor, "put_away", tournament) and run_by_account(tournament):
        back_up_before("delete_event")
    with writing():
        row = Tournament.objects.select_for_update().filter(pk=tournament.pk).first()
        if row is None:
            return
        if not may(command.actor, "put_away", row):
            raise Forbidden("delete_event")
        refuse_if(row.was_played(), Fault("already_played"))
        take_back(row.uid, keep=command.actor)
    logger.info("User %s deleted event %s, in which nothing was played.", command.actor.uid, tournament.uid)
