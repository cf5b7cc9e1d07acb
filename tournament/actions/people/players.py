"""Players: enter, walk-in, edit, remove."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.actions.event.events import all_readers
from tournament.actions.event.registration import answers_given, answers_listed
from tournament.actions.event.seats import seat_at
from tournament.actions.kernel import (
    UNCHANGED,
    Faults,
    Unchanged,
    Work,
    action,
    check,
    check_public,
    chosen,
    entry_fault,
    entry_named,
    last_start_number,
    move_up_before_play,
    or_refuse,
    refuse,
    refuse_if,
    store_moved,
    table_named,
)
from tournament.models import (
    LEDGER_KINDS,
    Apart,
    Different,
    Entry,
    Organiser,
    Play,
    Player,
    PublicModel,
    Result,
    Seat,
    Stage,
    Table,
    Tournament,
)
from tournament.queries.people import between, in_the_way, pair_of, person_of, told_apart
from tournament.queries.registration import hide_minor, is_minor, questions_of, show_again
from tournament.results import Fault, contests_now, kind_of, plays_in, refs_of, settle
from tournament.words.text import clean, public_text

__all__ = [
    "different_people",
    "edit_entry",
    "enter_players",
    "merge_entries",
    "remember_columns",
    "same_person",
    "walk_in",
    "withdraw_entry",
]


DETAILS = [line.name for line in Player.FIELDS.fields if line.merge == "fill"]  # for organisers only
MOST_AT_ONCE = 1000  # players per command
MOST_START_NUMBER = 100_000  # leaves room for later numbers


def _checked(tournament: Tournament, *, players: Sequence[Mapping[str, Any]]) -> "_Door":
    refuse_if(not players, Fault("nobody_chosen", "/players"))
    refuse_if(len(players) > MOST_AT_ONCE, Fault("too_many_at_once", "/players", {"most": MOST_AT_ONCE}))
    door = _Door(tournament, players)
    faults = Faults()
    for index, given in enumerate(players):
        with faults.at(f"/players/{index}"):
            door.check(given, Entry.State.CHECKED_IN if given.get("here") else Entry.State.REGISTERED)
    refuse(faults)
    return door


@action(least="organiser", says=_("added players"), undo="ledger", bulk=True, ahead=_checked)
def enter_players(work: Work, *, players: Sequence[Mapping[str, Any]]) -> None:
    """Enter players: `{"entry", "name"}` each, optionally `real_name`, `club`, `division`, `start_number`,
    `birth_date`, `contact`, `guardian`, `paid`, `answers` (by question id), `player` (of the same organiser; empty
    details are filled), `here` (check in).

    `entry` is a new uid, `name` public; minors without nickname appear as numbers. `another` confirms similar names,
    `public_name_is_right` text that looks private. Refused `nobody_chosen`, `too_many_at_once`.
    """
    door: _Door | None = work.ready
    if door is None or door.filled:  # earlier players change outside this ledger
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
    player: UUID | None = None,
    another: bool = False,
    public_name_is_right: bool = False,
) -> None:
    """Enter and check in a player, seated last at `table`, if any. Arguments as in `enter_players`; registration's
    limits do not apply. Refused `table_has_begun`."""
    given = {"entry": entry, "name": name, "club": club, "player": player, "another": another}
    given["public_name_is_right"] = public_name_is_right
    door, row = _Door(work.tournament, [given]), None
    with work.faults:
        row = table_named(work, table) if table else None
    door.check(given, Entry.State.CHECKED_IN)
    refuse(work.faults)
    door.store(work)
    if row:
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
    division: str | Unchanged = UNCHANGED,
    birth_date: date | Unchanged | None = UNCHANGED,
    contact: str | Unchanged = UNCHANGED,
    real_name: str | Unchanged = UNCHANGED,
    guardian: bool | Unchanged = UNCHANGED,
    answers: Mapping[str, object] | Unchanged = UNCHANGED,
    public_name_is_right: bool = False,
) -> None:
    """Edit an entry and its player. `public_name_is_right` allows text that looks private; `real_name` "" means the
    public name. New minors become numbers unless given a nickname, and are named again if the birth date is corrected.
    Refused as `answers_given`."""
    row, faults = entry_named(work, entry), Faults()
    player, was = row.player, (row.public_name, row.club)
    under_age = row.guardian or is_minor(player.birth_date, work.tournament.starts_on)
    number = chosen(start_number, row.start_number)
    refuse_large(number, faults)
    row.public_name, row.club = public_text(chosen(public_name, was[0])), public_text(chosen(club, was[1]))
    row.division = clean(chosen(division, row.division))
    row.start_number, row.guardian = number, chosen(guardian, row.guardian)
    player.name = clean(chosen(real_name, player.name)) or row.public_name
    player.birth_date = chosen(birth_date, player.birth_date)
    player.contact = clean(chosen(contact, player.contact))
    if row.public_name == was[0]:
        (show_again if under_age else hide_minor)(row, player.name)
    if answers is not UNCHANGED:
        row.answers, wrong = answers_given(questions_of(work.tournament), answers, row.answers, asked=False)
        faults += wrong
    with faults:
        check(row)
    with faults:
        if player.name:
            check(player)
    check_public(row, faults, right=public_name_is_right, was=was)
    refuse(replace(fault, path="/real_name") if fault.path == "/name" else fault for fault in faults)
    player.save()
    work.save(row)
    all_readers(work)


@action(least="organiser", says=_("removed a player added by mistake"), undo="names_gone")
def withdraw_entry(work: Work, *, entry: UUID) -> None:
    """Delete an entry made by mistake, and its player if unused. Refused `entry_in_use` (seat, play or decision)."""
    row = entry_named(work, entry)
    refuse_if(
        any(
            rows.exists() for rows in (row.seats, row.results, row.past_results, row.decisions, row.incidents)
        ),
        entry_fault("entry_in_use", entry),
    )
    for pair in Apart.objects.filter(Q(first=row) | Q(second=row)):
        work.delete(pair)
    player = row.player
    work.delete(row)
    if not player.entries.exists():
        player.delete()
    move_up_before_play(work)


def refuse_large(number: object, faults: Faults) -> None:
    """Add `field_max_value` if the start number leaves no room for later ones."""
    most = Fault("field_max_value", "/start_number", {"limit_value": MOST_START_NUMBER})
    faults.add_if(isinstance(number, int) and number > MOST_START_NUMBER, most)


def tell_apart(work: Work, pairs: Iterable[tuple[UUID, UUID]]) -> None:
    """Record that the players (uids) of each pair differ."""
    known = told_apart(work.tournament)
    for one, other in pairs:
        pair = pair_of(one, other)
        if one != other and pair not in known:
            known.add(pair)
            work.add(Different(tournament=work.tournament, players=list(pair)))


class _Door:
    """Entries are checked one by one, stored in bulk."""

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
            here = here.none()  # new, with the next numbers
        self._taken: dict[tuple[str, ...], set[object]] = {
            ("uid",): set(uids.values_list("uid", flat=True)),
            ("tournament", "player"): set(here.values_list("player__uid", flat=True)),
            ("tournament", "start_number"): set(here.values_list("start_number", flat=True)),
        }
        self._following = last_start_number(tournament) + 1
        self._questions = questions_of(tournament) if any(each.get("answers") for each in players) else []
        self._others: list[Entry] = []  # confirmed namesakes

    def check(self, given: Mapping[str, Any], state: Entry.State) -> None:
        number = given.get("start_number") or self._following
        faults = Faults()
        refuse_large(number, faults)
        name = public_text(str(given.get("name", "")))
        player = self._player_of(given, name)
        entry = Entry(
            uid=given["entry"],
            tournament=self._tournament,
            player=player,
            public_name=name,
            club=public_text(str(given.get("club", ""))),
            division=clean(str(given.get("division", ""))),
            start_number=number,
            state=state,
            guardian=bool(given.get("guardian")),
            paid=bool(given.get("paid")),
            answers=answers_listed(self._questions, given.get("answers") or {}),
        )
        with faults:
            player.clean_fields(exclude=["organiser"])
        hide_minor(entry, player.name)
        once = ["public_name"] if player.name == name and "/name" in {fault.path for fault in faults} else []
        with faults:
            entry.clean_fields(exclude=["tournament", "player", *once])
        check_public(entry, faults, right=bool(given.get("public_name_is_right")))
        refuse(faults)
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


MOST_HEADINGS_KEPT = 50  # sets of a list's headings, oldest dropped


@action(least="organiser", says=_("chose the columns of a list"), undo="again")
def remember_columns(work: Work, *, headings: str, columns: Mapping[str, object]) -> None:
    """Remember the meaning of a list's columns: no fact. `headings` and the keys of `columns` are digests
    (extras/imports/files/choosing.py)."""
    row = Organiser.objects.select_for_update().get(pk=work.tournament.organiser_id)
    others = [each for each in row.list_columns.get("sets", []) if each["headings"] != headings]
    row.list_columns = {
        "sets": [*others, {"headings": headings, "columns": dict(columns)}][-MOST_HEADINGS_KEPT:]
    }
    row.save(update_fields=["list_columns"])


# ---- Duplicate entries within an event or with earlier events ----

State = Entry.State

# States by evidence of presence, ascending
NEARER = (*Entry.ASKING[::-1], *Entry.OUT, *Entry.EXPECTED, State.CHECKED_IN)


@action(least="organiser", says=_("merged two players"), undo="ledger")
def merge_entries(work: Work, *, keep: UUID, other: UUID) -> None:
    """Merge two entries of one person: `keep` gets what it lacks (`merge` in the field tables) and all that refers to
    `other`, which is cancelled. Of two seats in a stage the played one stays, else that of `keep`.

    Refused `same_two`, `both_played` (results in one contest), `game_running`, `keep_removed` (only `other` was
    removed), `other_plays_on` (only `keep` is out).
    """
    kept, gone = entry_named(work, keep), entry_named(work, other)
    refuse_if(kept.pk == gone.pk, Fault("same_two", "/other"))
    refuse(filter(None, [in_the_way(kept, gone)]))
    refuse_if(gone.state == State.DISQUALIFIED != kept.state, entry_fault("keep_removed", gone.uid))
    refuse_if(
        kept.is_out and gone.seats.playing_on().filter(table__stage__state=Stage.State.RUNNING).exists(),
        entry_fault("other_plays_on", kept.uid),
    )
    before = {kept.player.uid, gone.player.uid}
    _exchange_players(kept, gone)
    fill_in(kept.player, gone.player)
    if kept.player.name == kept.public_name and gone.player.name != gone.public_name:
        kept.player.name = gone.player.name
    kept.player.save()
    fill_in(kept, gone)
    if not kept.is_out:
        kept.state = max(State(kept.state), State(gone.state), key=NEARER.index)
    gone.state = State.CANCELLED
    work.save(kept)
    work.save(gone)
    _tell_apart_too(work, kept.player, before)
    _leave_one_seat(work, kept, gone)
    _hand_over(work, kept, gone)
    for stage in work.tournament.stages.exclude(state=Stage.State.PLANNED):
        for contest in contests_now(stage):
            if str(kept.uid) in contest.names:
                store_moved(work, settle(contest))
    all_readers(work)


@action(least="organiser", says=_("recognised a player from earlier events"), undo="again")
def same_person(work: Work, *, entry: UUID, player: UUID) -> None:
    """Match an entry to a player of earlier events, whose empty details are filled. Refused `entered_twice`."""
    row = entry_named(work, entry)
    known = or_refuse(
        Player.objects.filter(organiser=work.tournament.organiser, uid=player).first(),
        Fault("unknown_player", "/player", {"player": str(player)}),
    )
    refuse_if(known.entries.filter(tournament=work.tournament).exists(), entry_fault("entered_twice", entry))
    before = row.player
    work.update(row, player=known)
    _tell_apart_too(work, known, {before.uid})
    join_player(known, before, left=before.entries.exists())


@action(least="organiser", says=_("marked two people as different"), undo="ledger")
def different_people(
    work: Work, *, entry: UUID, other: UUID | None = None, player: UUID | None = None
) -> None:
    """Record that an entry is another person than `other` (an entry) or `player` (of earlier events). Refused
    `same_two`."""
    row = entry_named(work, entry)
    known = Player.objects.filter(organiser=work.tournament.organiser)
    found = (
        entry_named(work, other).player
        if other
        else or_refuse(
            known.filter(uid=player).first() if player else None,
            Fault("unknown_player", "/player", {"player": str(player)}),
        )
    )
    refuse_if(found.pk == row.player.pk, Fault("same_two", "/other"))
    tell_apart(work, [(row.player.uid, found.uid)])


def _tell_apart_too(work: Work, player: Player, before: set[UUID]) -> None:
    gone = {str(uid) for uid in before}
    others = [
        other
        for pair in sorted(told_apart(work.tournament))
        if gone & set(pair)
        for other in pair
        if other not in gone | {str(player.uid)}
    ]
    tell_apart(work, [(player.uid, UUID(other)) for other in others])


def _leave_one_seat(work: Work, kept: Entry, gone: Entry) -> None:
    """Delete the unplayed of two seats in a stage, else that of `gone`; after matches at two tables none."""
    results = Result.objects.filter(entry__in=[kept, gone]).exclude(play__state=Play.State.VOID)
    for seat in gone.seats.select_related("table__stage"):
        stage = seat.table.stage
        own = list(kept.seats.filter(table__stage=stage))
        played = {*results.filter(play__table__stage=stage).values_list("entry", flat=True)}
        if own and (len(played) < 2 or kind_of(stage.kind).seats_change):
            for each in own if played == {gone.pk} else [seat]:
                work.delete(each)


def _hand_over(work: Work, kept: Entry, gone: Entry) -> None:
    """Redirect references; duplicates go: results of a void play, decisions on a stage, separated pairs."""
    aparts = Apart.objects.filter(Q(first=kept) | Q(second=kept)).values_list("first", "second")
    near = {kept.pk, *(key for pair in aparts for key in pair)}
    for row in (
        *gone.decisions.filter(stage__in=kept.decisions.values("stage")),
        *Apart.objects.filter(Q(first=gone, second__in=near) | Q(second=gone, first__in=near)),
    ):
        work.delete(row)
    plays = list(Play.objects.filter(Q(results__entry=gone) | Q(drew=gone)).values_list("pk", flat=True))
    Result.objects.filter(entry=gone, play__in=kept.results.values("play")).delete()
    Result.objects.filter(entry=gone).update(entry=kept)
    work.update_all(
        (row, {name: kept})
        for model in LEDGER_KINDS.values()
        for name, target in refs_of(model).items()
        if target is Entry
        for row in model._default_manager.filter(**{name: gone})
    )
    work.update_all(
        (table, {role: None})
        for role in Table.ROLES
        for table in Table.objects.filter(**{role: kept}).exclude(seats__entry=kept)
    )
    Play.objects.filter(pk__in=plays).update(version=work.sequence)
    for play in plays_in(Play.objects.filter(pk__in=plays)):
        work.wrote(play)


def join_player(player: Player, other: Player, *, left: bool = False) -> None:
    """Fill a player's empty details by those of `other`, whose entries it got; `left`: not all."""
    lent = [name for name in DETAILS if getattr(other, name) and not getattr(player, name)]
    fill_in(player, other)
    player.save()
    if not left:
        other.joined_to, other.lent = player.uid, [*other.lent, *lent]
        other.save(update_fields=["joined_to", "lent"])


def fill_in(row: PublicModel, other: PublicModel) -> None:
    """Fill `row` (unsaved) by `other` in the fields that a merge fills."""
    for line in row.FIELDS.fields:
        if line.merge == "fill":
            own, theirs = getattr(row, line.name), getattr(other, line.name)
            setattr(row, line.name, theirs | own if isinstance(own, dict) else own or theirs)


def _exchange_players(kept: Entry, gone: Entry) -> None:
    known, fresh = gone.player, kept.player
    if fresh.entries.count() > 1 or known.entries.count() == 1:
        return
    # (tournament, player) is unique at all times.
    placeholder = Player.objects.create(organiser=fresh.organiser, name=fresh.name)
    for entry, player in ((gone, placeholder), (kept, known), (gone, fresh)):
        entry.player = player
        entry.save(update_fields=["player"])
    placeholder.delete()
