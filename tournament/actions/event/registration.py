"""Registration for an event: its settings, new entries, and the organiser's answers to those who ask or wait."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from functools import partial
from uuid import UUID, uuid5

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from tournament.actions.event.questions import answers_given
from tournament.actions.kernel import (
    UNCHANGED,
    Unchanged,
    Work,
    action,
    check,
    check_public,
    chosen,
    entries_named,
    entry_fault,
    entry_named,
    faults_of,
    fit,
    last_start_number,
    move_up,
    move_up_before_play,
    planned_for,
    refuse,
    refuse_if,
    state_at_first,
)
from tournament.models import ENTRY, Entry, Player, Tournament, can, leads_to
from tournament.queries.questions import questions_of
from tournament.queries.registration import hide_minor, is_full_of_unseen, is_minor, is_open, registration_of
from tournament.results import Fault, Refused, ids, whole
from tournament.words.text import as_read, clean, clean_lines, public_text

__all__ = [
    "approve_entries",
    "decline_entry",
    "register",
    "renew_link",
    "set_registration",
    "take_from_waiting",
]

State = Entry.State
MOST_PLACES = 10_000
LONGEST_TEXT = 5000  # characters; Django enforces a text field's limit in forms only
EARLIEST = date(1900, 1, 1)  # plausible birth date


@action(least="organiser", says=_("set how players register"), undo="again")
def set_registration(
    work: Work,
    *,
    opened: bool | Unchanged = UNCHANGED,
    closes_at: datetime | Unchanged | None = UNCHANGED,
    approval: bool | Unchanged = UNCHANGED,
    most: int | Unchanged | None = UNCHANGED,
    check_in_from: datetime | Unchanged | None = UNCHANGED,
    check_in_until: datetime | Unchanged | None = UNCHANGED,
    terms: str | Unchanged = UNCHANGED,
    safer_space: str | Unchanged = UNCHANGED,
    contact_person: str | Unchanged = UNCHANGED,
) -> None:
    """Set how players register: open or not, until when, with approval or not, how many places (None: no limit), when
    players may check themselves in, and what they accept by registering.

    If places become free, the first players on the waiting list move up. A lower limit takes nobody's place away.
    Raises Refused `not_a_number` for an invalid limit, `ends_before_it_begins` at `/check_in_until`, and faults of
    single fields.
    """
    row = registration_of(work.tournament)
    row.opened, row.approval = chosen(opened, row.opened), chosen(approval, row.approval)
    row.most = chosen(most, row.most)
    if row.most is not None and not 1 <= whole(row.most, "/most") <= MOST_PLACES:
        raise Refused(Fault("not_a_number", "/most", {"least": 1, "most": MOST_PLACES}))
    times = {"closes_at": closes_at, "check_in_from": check_in_from, "check_in_until": check_in_until}
    for name, at in times.items():
        setattr(row, name, chosen(at, getattr(row, name)))
        planned_for(getattr(row, name), f"/{name}")
    if row.check_in_from and row.check_in_until and row.check_in_until <= row.check_in_from:
        raise Refused(Fault("ends_before_it_begins", "/check_in_until"))
    row.terms = fit(chosen(terms, row.terms), "/terms", LONGEST_TEXT, clean_lines)
    row.safer_space = fit(chosen(safer_space, row.safer_space), "/safer_space", LONGEST_TEXT, clean_lines)
    row.contact_person = clean(chosen(contact_person, row.contact_person))
    check(row)
    work.save(row)
    if work.tournament.state != Tournament.State.FINISHED:
        move_up(work)


@action(by_link=True, says=pgettext_lazy("did", "registered"), undo="come_back")
def register(
    work: Work,
    *,
    entry: UUID,
    public_name: str,
    club: str = "",
    real_name: str = "",
    birth_date: date | None = None,
    contact: str = "",
    minor: bool = False,
    guardian: bool = False,
    terms: bool = False,
    answers: Mapping[str, object] | None = None,
    public_name_is_right: bool = False,
) -> None:
    """Register oneself; `entry` is the new entry's uid. `minor`: they say that they are under 18 on the event's day;
    then, or if the birth date says so, a `guardian` must agree, and a nickname that is the real name is replaced by a
    number. `terms`: they accept the event's. `answers` to the organisers' questions, by the question's id.
    `public_name_is_right`: everyone may see the nickname and the club, although they look private.

    Without a free place they wait, with approval they apply, else they are registered. Raises Refused
    `registration_closed`, `too_many_unseen`, `terms_not_accepted`, `guardian_missing`, `name_taken`,
    `not_a_birth_date`, those of `answers_given` and faults of single fields, all at once.
    """
    tournament = work.tournament
    refuse_if(not is_open(registration_of(tournament), work.at), Fault("registration_closed"))
    refuse_if(is_full_of_unseen(tournament), Fault("too_many_unseen"))
    name = public_text(public_name)
    player = Player(
        uid=uuid5(work.command.id, "player"),
        organiser=tournament.organiser,
        name=clean(real_name) or name,
        birth_date=birth_date,
        contact=clean(contact),
    )
    under_age = minor or is_minor(birth_date, tournament.starts_on)
    row = Entry(
        uid=entry,
        tournament=tournament,
        player=player,
        public_name=name,
        club=public_text(club),
        start_number=last_start_number(tournament) + 1,
        state=state_at_first(work),
        guardian=under_age and guardian,
        accepted_at=work.at,
    )
    hide_minor(row, clean(real_name))
    row.answers, wrong = answers_given(questions_of(tournament), answers or {}, {})
    faults = [*unfit_details(row, real_name=real_name, right=public_name_is_right), *wrong]
    if under_age and not guardian:
        faults.append(Fault("guardian_missing", "/guardian"))
    if not terms:
        faults.append(Fault("terms_not_accepted", "/terms"))
    refuse(faults)
    player.save(force_insert=True)
    row.player = player  # once saved: an entry takes the key that the player has at this moment
    check(row)
    work.add(row)


@action(least="head_referee", says=_("accepted players"), undo="ledger", bulk=True)
def approve_entries(work: Work, *, entries: Sequence[UUID]) -> None:
    """Accept players who ask to take part. They already hold places, so all of them take part, even beyond a limit that
    was lowered since. Raises Refused `unknown_player`, `not_asking`, `nobody_chosen`."""
    rows = entries_named(work, ids(entries, "/entries"))
    refuse_if(not rows, Fault("nobody_chosen", "/entries"))
    for row in rows:
        refuse_if(not can(ENTRY, row.state, "approve"), entry_fault("not_asking", row.uid))
    work.update_all((row, {"state": leads_to(ENTRY, row.state, "approve")}) for row in rows)


@action(least="organiser", says=_("declined a player"), undo="ledger")
def decline_entry(work: Work, *, entry: UUID, reason: str = "") -> None:
    """Decline a player who asks or waits; the place goes to the first player on the waiting list. Raises Refused
    `unknown_player`, `not_asking`."""
    row = entry_named(work, entry)
    refuse_if(not can(ENTRY, row.state, "decline"), entry_fault("not_asking", entry))
    work.note = reason
    work.update(row, state=leads_to(ENTRY, row.state, "decline"))
    move_up_before_play(work)


@action(least="organiser", says=_("took a player from the waiting list"), undo="ledger")
def take_from_waiting(work: Work, *, entry: UUID) -> None:
    """Let a player take part who is on the waiting list, has cancelled or was declined: before their turn and beyond
    the limit if necessary. Raises Refused `unknown_player`, `not_waiting`, and `name_taken` for a player who
    cancelled."""
    row = entry_named(work, entry)
    refuse_if(not can(ENTRY, row.state, "give_place"), entry_fault("not_waiting", entry))
    refuse_if(is_taken(row), Fault("name_taken", "/public_name", {"player": row.public_name}))
    work.update(row, state=leads_to(ENTRY, row.state, "give_place"))


@action(least="organiser", says=_("gave a player a new link"), undo="links")
def renew_link(work: Work, *, entry: UUID) -> None:
    """End every own link that this player was given, and create a new one. Raises Refused `unknown_player`."""
    row = entry_named(work, entry)
    row.link_number += 1
    check(row)
    work.save(row, "link_number")


def unfit_details(
    row: Entry, *, real_name: str, right: bool = False, was: Sequence[str] = ("", "")
) -> list[Fault]:
    """List the faults in the details that a player gave, each at its field. `was` are the present public name and club,
    which stay allowed; `right` as in `check_public`. The entry's player need not be stored yet."""
    faults = []
    if row.public_name != was[0] and is_taken(row):  # namesakes whom an organiser entered may change the rest
        faults.append(Fault("name_taken", "/public_name", {"player": row.public_name}))
    born = row.player.birth_date
    if born and not EARLIEST <= born <= row.tournament.starts_on:
        faults.append(Fault("not_a_birth_date", "/birth_date"))
    try:
        row.player.clean_fields(exclude=["name"] if not clean(real_name) else [])
    except ValidationError as error:
        faults += [
            Fault(fault.code, "/real_name" if fault.path == "/name" else fault.path, fault.parameters)
            for fault in faults_of(error)
        ]
    for check_row in (
        partial(row.clean_fields, ["player"]),
        partial(check_public, row, right=right, was=was),
    ):
        try:
            check_row()
        except ValidationError as error:
            faults += faults_of(error)
    return faults


def is_taken(row: Entry) -> bool:
    """Tell whether somebody else who takes part, asks or waits has that name, however it is written."""
    others = Entry.objects.filter(tournament=row.tournament).exclude(state=State.CANCELLED)
    wanted = as_read(row.public_name)
    names = others.exclude(uid=row.uid).values_list("public_name", flat=True)
    return bool(wanted) and any(as_read(name) == wanted for name in names)
