"""Players' actions by their own link. Each raises Forbidden unless `token` (links.py) is valid; `renew_link` revokes
it."""

from collections.abc import Mapping
from datetime import date

from django.utils.translation import gettext_lazy as _, pgettext_lazy

from tournament.actions.event.events import all_readers
from tournament.actions.event.registration import answers_given, is_taken, unfit_details
from tournament.actions.kernel import (
    UNCHANGED,
    Unchanged,
    Work,
    action,
    check,
    chosen,
    entry_fault,
    last_start_number,
    move_up_before_play,
    refuse,
    refuse_if,
    row_of_link,
    state_at_first,
)
from tournament.actions.people.attendance import check_in_entry, comes_late_entry, take_out
from tournament.models import ENTRY, Entry, Tournament, can, leads_to
from tournament.queries.people import stays_for
from tournament.queries.registration import check_in_now, is_minor, questions_of, registration_of
from tournament.results import Fault, Refused
from tournament.words.text import clean, public_text

__all__ = ["cancel_self", "change_own_entry", "check_in_self", "come_back_self", "come_late", "leave_self"]

State = Entry.State
NOT_NOW = Fault("not_now")


@action(by_link=True, says=pgettext_lazy("did", "checked in"), undo="come_back")
def check_in_self(work: Work, *, token: str) -> None:
    """Check in; idempotent. Refused `not_expected`, `check_in_closed` (outside the set time)."""
    row = own_entry(work, token)
    if row.state == State.CHECKED_IN:
        return
    refuse_if(not can(ENTRY, row.state, "check_in"), entry_fault("not_expected", row.uid))
    refuse_if(
        check_in_now(registration_of(work.tournament), work.at).state != "open", Fault("check_in_closed")
    )
    check_in_entry(work, row)


@action(by_link=True, says=_("said they will be late"), undo="come_back")
def come_late(work: Work, *, token: str) -> None:
    """Announce that a registered player comes late. Refused `not_expected`, `event_over`."""
    row = own_entry(work, token)
    _refuse_when_over(work)
    comes_late_entry(work, row)


@action(by_link=True, says=_("said they cannot come"), undo="come_back")
def cancel_self(work: Work, *, token: str) -> None:
    """Cancel an application, or before play a player not yet seen. Refused `not_now`, `play_has_begun` (use
    `leave_self`)."""
    row = own_entry(work, token)
    if can(ENTRY, row.state, "withdraw"):
        work.update(row, state=leads_to(ENTRY, row.state, "withdraw"))
        move_up_before_play(work)
    elif not can(ENTRY, row.state, "cancel"):
        raise Refused(NOT_NOW)
    elif work.tournament.state != Tournament.State.PLANNED:
        raise Refused(Fault("play_has_begun"))
    else:
        take_out(work, [row], "cancel")


@action(by_link=True, says=pgettext_lazy("did", "left"), undo="come_back")
def leave_self(work: Work, *, token: str) -> None:
    """Leave as in `player_leaves`; before play the waiting list moves up. Refused `not_now`, `already_out`,
    `in_running_game`, `event_over`."""
    row = own_entry(work, token)
    _refuse_when_over(work)
    refuse_if(not row.is_in, NOT_NOW)
    take_out(work, [row], "leave")


@action(by_link=True, says=_("decided to play after all"), undo="come_back")
def come_back_self(work: Work, *, token: str) -> None:
    """Return before play begins: to a free place, else last on the waiting list. Cancelled players apply again if
    approval is needed or registration closed. Refused `not_now` (also once merged), `name_taken`, `play_has_begun`."""
    row = own_entry(work, token)
    refuse_if(not can(ENTRY, row.state, "come_back") or bool(stays_for(row)), NOT_NOW)
    refuse_if(work.tournament.state != Tournament.State.PLANNED, Fault("play_has_begun"))
    refuse_if(is_taken(row), Fault("name_taken", "/public_name", {"player": row.public_name}))
    state = state_at_first(work, known=row.state != State.CANCELLED)
    if state == State.WAITING:
        row.start_number = last_start_number(work.tournament) + 1
        row.save(update_fields=["start_number"])
    work.update(row, state=state)


@action(by_link=True, says=_("changed their own details"), undo="come_back")
def change_own_entry(
    work: Work,
    *,
    token: str,
    public_name: str | Unchanged = UNCHANGED,
    club: str | Unchanged = UNCHANGED,
    real_name: str | Unchanged = UNCHANGED,
    birth_date: date | Unchanged | None = UNCHANGED,
    contact: str | Unchanged = UNCHANGED,
    guardian: bool = False,
    answers: Mapping[str, object] | Unchanged = UNCHANGED,
    public_name_is_right: bool = False,
) -> None:
    """Change one's own details; nickname and `answers` only before play. `public_name_is_right` confirms names that
    look private. Refused `name_locked`, `answers_locked`, `name_taken`, `not_a_birth_date`, `guardian_missing` (now a
    minor), as `answers_given`."""
    row = own_entry(work, token)
    player, was = row.player, (row.public_name, row.club)
    row.public_name, row.club = public_text(chosen(public_name, was[0])), public_text(chosen(club, was[1]))
    player.birth_date = chosen(birth_date, player.birth_date)
    player.contact = clean(chosen(contact, player.contact))
    real = chosen(real_name, player.name)
    player.name = clean(real) or row.public_name
    under_age = is_minor(player.birth_date, work.tournament.starts_on)
    faults, begun = work.faults, work.tournament.state != Tournament.State.PLANNED
    faults += unfit_details(row, real_name=real, right=public_name_is_right, was=was)
    faults.add_if(row.public_name != was[0] and begun, Fault("name_locked", "/public_name"))
    if answers is not UNCHANGED:
        given, wrong = answers_given(questions_of(work.tournament), answers, row.answers)
        if given != row.answers and begun:
            wrong = [Fault("answers_locked", f"/answers/{uid}") for uid in given.keys() | row.answers.keys()]
        row.answers = given
        faults += wrong
    faults.add_if(under_age and not (guardian or row.guardian), Fault("guardian_missing", "/guardian"))
    refuse(faults)
    row.guardian = row.guardian or (under_age and guardian)
    check(row)
    check(player)
    player.save()
    work.save(row)
    all_readers(work)


def own_entry(work: Work, token: str) -> Entry:
    """Entry of a link's token; Forbidden if invalid."""
    entries = Entry.objects.select_related("player__organiser").filter(tournament=work.tournament)
    row = row_of_link(work, entries, token, "player")
    row.tournament = work.tournament
    return row


def _refuse_when_over(work: Work) -> None:
    refuse_if(work.tournament.state == Tournament.State.FINISHED, Fault("event_over"))
