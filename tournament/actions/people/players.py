"""Players in a tournament: enter them, let one in at the door, change one, remove one who was entered by mistake."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.actions.event.events import all_readers
from tournament.actions.event.questions import answers_given, answers_listed
from tournament.actions.event.seats import seat_at
from tournament.actions.kernel import (
    UNCHANGED,
    Unchanged,
    Work,
    action,
    check,
    check_public,
    chosen,
    entry_fault,
    entry_named,
    faults_of,
    last_start_number,
    move_up_before_play,
    refuse,
    refuse_if,
    table_named,
)
from tournament.models import Apart, Different, Entry, Player, Seat, Tournament
from tournament.queries.duplicates import between, pair_of, person_of, told_apart
from tournament.queries.questions import questions_of
from tournament.queries.registration import hide_minor, is_minor, show_again
from tournament.results.faults import Fault, Refused
from tournament.words.text import clean, public_text

__all__ = ["edit_entry", "enter_players", "walk_in", "withdraw_entry"]

DETAILS = [line.name for line in Player.FIELDS.fields if line.merge == "fill"]  # known to organisers only
MOST_AT_ONCE = 1000  # players in one command, as in a file
MOST_START_NUMBER = 100_000  # leaves room for those that follow on


def _checked(tournament: Tournament, *, players: Sequence[Mapping[str, Any]]) -> "_Door":
    """Check everybody; see `enter_players`."""
    refuse_if(not players, Fault("nobody_chosen", "/players"))
    refuse_if(len(players) > MOST_AT_ONCE, Fault("too_many_at_once", "/players", {"most": MOST_AT_ONCE}))
    door = _Door(tournament, players)
    faults: list[Fault] = []
    for index, given in enumerate(players):
        try:
            door.check(given)
        except ValidationError as error:
            faults += faults_of(error, f"/players/{index}")
    refuse(faults)
    return door


@action(least="organiser", says=_("added players"), undo="ledger", bulk=True, ahead=_checked)
def enter_players(work: Work, *, players: Sequence[Mapping[str, Any]]) -> None:
    """Enter players: `{"entry", "name"}` for each, and if known `real_name`, `club`, `start_number`, `birth_date`,
    `contact`, `guardian`, `paid`, `answers` by the question's id and `player` (an existing one of the same organiser,
    whose empty details are filled in). `entry` is the new entry's uid, `name` the public name; a minor without a
    nickname is shown as a number. Missing start numbers continue the sequence. `another`: the player is confirmed to be
    different from those here with similar names; `public_name_is_right`: everyone may see the name and the club,
    although they look private (`field_private`).

    Raises Refused with the fault of each player at `/players/<index>/...`, `nobody_chosen` and `too_many_at_once`.
    """
    door: _Door | None = work.ready
    if door is None or door.filled:  # players of earlier events change without this ledger
        door = _checked(work.tournament, players=players)
    door.store(work)


@action(least="head_referee", says=_("added a walk-in"), undo="ledger")
def walk_in(
    work: Work,
    *,
    entry: UUID,
    name: str,
    club: str = "",
    table: UUID | None = None,
    another: bool = False,
    public_name_is_right: bool = False,
) -> None:
    """Enter a player at the door, check them in and, if a `table` is named, seat them last there, in one step. `entry`
    is the new entry's uid; `another` and `public_name_is_right` as in `enter_players`. The limits of registration do
    not apply.

    Raises Refused with faults of single fields, `unknown_table`, `table_has_begun`.
    """
    given = {"entry": entry, "name": name, "club": club, "another": another}
    given["public_name_is_right"] = public_name_is_right
    try:
        door = _Door(work.tournament, [given])
        door.check(given, Entry.State.CHECKED_IN)
    except ValidationError as error:
        raise Refused(*faults_of(error)) from None
    door.store(work)
    if table:
        row = table_named(work, table)
        seated = Seat.objects.filter(table=row, out_as="").order_by("position")
        seat_at(work, row.stage, row.uid, row.number, [*seated.values_list("entry__uid", flat=True), entry])


@action(least="organiser", says=_("changed a player’s details"), undo="again")
def edit_entry(
    work: Work,
    *,
    entry: UUID,
    public_name: str | Unchanged = UNCHANGED,
    start_number: int | Unchanged = UNCHANGED,
    club: str | Unchanged = UNCHANGED,
    birth_date: date | Unchanged | None = UNCHANGED,
    contact: str | Unchanged = UNCHANGED,
    real_name: str | Unchanged = UNCHANGED,
    guardian: bool | Unchanged = UNCHANGED,
    answers: Mapping[str, object] | Unchanged = UNCHANGED,
    public_name_is_right: bool = False,
) -> None:
    """Change an entry and its player; the new public name is shown everywhere, also if it looks private where
    `public_name_is_right`. A `real_name` of "" means the same as the public one. A player who turns out to be a minor
    is shown as a number from then on unless a nickname is given, and by name again once the birth date says that they
    are none. Raises Refused with faults of single fields, and of
    `answers_given`."""
    row = entry_named(work, entry)
    player, was = row.player, (row.public_name, row.club)
    under_age = row.guardian or is_minor(player.birth_date, work.tournament.starts_on)
    number = chosen(start_number, row.start_number)
    if isinstance(number, int) and number > MOST_START_NUMBER:
        raise Refused(Fault("field_max_value", "/start_number", {"limit_value": MOST_START_NUMBER}))
    row.public_name, row.club = public_text(chosen(public_name, was[0])), public_text(chosen(club, was[1]))
    row.start_number, row.guardian = number, chosen(guardian, row.guardian)
    player.name = clean(chosen(real_name, player.name)) or row.public_name
    player.birth_date = chosen(birth_date, player.birth_date)
    player.contact = clean(chosen(contact, player.contact))
    if row.public_name == was[0]:  # retyping the name of a minor is deliberate
        (show_again if under_age else hide_minor)(row, player.name)
    if answers is not UNCHANGED:
        row.answers, faults = answers_given(questions_of(work.tournament), answers, row.answers, asked=False)
        refuse(faults)
    check(row)
    check(player)
    try:
        check_public(row, right=public_name_is_right, was=was)
    except ValidationError as error:
        raise Refused(*faults_of(error)) from None
    player.save()
    work.save(row)
    all_readers(work)


@action(least="organiser", says=_("removed a player added by mistake"), undo="names_gone")
def withdraw_entry(work: Work, *, entry: UUID) -> None:
    """Remove an entry made by mistake, and its player if no other entry has the same one. Raises Refused `entry_in_use`
    once the player has a seat, has played or was let through by a decision."""
    row = entry_named(work, entry)
    if any(
        rows.exists() for rows in (row.seats, row.results, row.past_results, row.decisions, row.incidents)
    ):
        raise Refused(entry_fault("entry_in_use", entry))
    for pair in Apart.objects.filter(Q(first=row) | Q(second=row)):
        work.delete(pair)
    player = row.player
    work.delete(row)
    if not player.entries.exists():
        player.delete()
    move_up_before_play(work)


def tell_apart(work: Work, pairs: Iterable[tuple[UUID, UUID]]) -> None:
    """Keep that the two players (uids) of each pair are different people, unless it is known."""
    known = told_apart(work.tournament)
    for one, other in pairs:
        pair = pair_of(one, other)
        if one != other and pair not in known:
            known.add(pair)
            work.add(Different(tournament=work.tournament, players=list(pair)))


class _Door:
    """Everybody who comes in by one command: checked one after the other, then stored together."""

    def __init__(self, tournament: Tournament, players: Sequence[Mapping[str, Any]]) -> None:
        self._tournament, self._entries, self.filled = tournament, list[Entry](), dict[UUID, Player]()
        named = [uid for each in players if isinstance(uid := each.get("player"), UUID)]
        known = Player.objects.filter(organiser=tournament.organiser, uid__in=named)
        self._known = {player.uid: player for player in known}
        uids = Entry.objects.filter(
            uid__in=[uid for each in players if isinstance(uid := each["entry"], UUID)]
        )
        here = Entry.objects.filter(tournament=tournament)
        if not any(each.get("start_number") or each.get("player") for each in players):
            here = here.none()  # all are new, and their numbers follow on
        self._taken: dict[tuple[str, ...], set[object]] = {
            ("uid",): set(uids.values_list("uid", flat=True)),
            ("tournament", "player"): set(here.values_list("player__uid", flat=True)),
            ("tournament", "start_number"): set(here.values_list("start_number", flat=True)),
        }
        self._following = last_start_number(tournament) + 1
        self._questions = questions_of(tournament) if any(each.get("answers") for each in players) else []
        self._others: list[Entry] = []  # who is somebody else than those of the same name

    def check(self, given: Mapping[str, Any], state: Entry.State = Entry.State.REGISTERED) -> None:
        """Check one player; see `enter_players`. Raises ValidationError, also for an invalid start number."""
        number = given.get("start_number") or self._following
        if isinstance(number, int) and number > MOST_START_NUMBER:
            raise ValidationError(
                {"start_number": ValidationError("", "max_value", {"limit_value": MOST_START_NUMBER})}
            )
        name = public_text(str(given.get("name", "")))
        player = self._player_of(given, name)
        entry = Entry(
            uid=given["entry"],
            tournament=self._tournament,
            player=player,
            public_name=name,
            club=public_text(str(given.get("club", ""))),
            start_number=number,
            state=state,
            guardian=bool(given.get("guardian")),
            paid=bool(given.get("paid")),
            answers=answers_listed(self._questions, given.get("answers") or {}),
        )
        player.clean_fields(exclude=["organiser"])
        hide_minor(entry, player.name)
        entry.clean_fields(exclude=["tournament", "player"])
        check_public(entry, right=bool(given.get("public_name_is_right")))
        # The database would refuse a second one; this finds it without a query for each player.
        has = dict(zip(self._taken, (entry.uid, player.uid, entry.start_number), strict=True))
        if twice := [fields for fields, value in has.items() if value in self._taken[fields]]:
            raise ValidationError({fields[-1]: entry.unique_error_message(Entry, fields) for fields in twice})
        for fields, value in has.items():
            self._taken[fields].add(value)
        self._following = max(self._following, entry.start_number + 1)
        self._entries.append(entry)
        if given.get("another"):
            self._others.append(entry)

    def store(self, work: Work) -> None:
        """Store everybody who was checked, and what became known of players of earlier events."""
        Player.objects.bulk_create([entry.player for entry in self._entries if entry.player.pk is None])
        Player.objects.bulk_update(self.filled.values(), DETAILS)
        Entry.objects.bulk_create(self._entries)
        work.changed(*self._entries)
        if self._others:
            rows = Entry.objects.filter(tournament=work.tournament).select_related("player")
            found = between([person_of(row) for row in self._others], [person_of(row) for row in rows])
            players = {str(row.uid): row.player.uid for row in rows}
            tell_apart(work, [(players[str(one.first)], players[str(one.second)]) for one in found])

    def _player_of(self, given: Mapping[str, Any], name: str) -> Player:
        """Give the player of an entry: the one `given`, with empty details filled in, or a new one."""
        found = self._known.get(given["player"]) if given.get("player") else None
        player = found or Player(
            organiser=self._tournament.organiser, name=clean(str(given.get("real_name") or "")) or name
        )
        for detail in DETAILS:
            value = given.get(detail)
            if value and not getattr(player, detail):
                setattr(player, detail, clean(value) if isinstance(value, str) else value)
                if found:
                    self.filled[found.uid] = found
        return player
