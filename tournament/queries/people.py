"""An organiser's people: a row for each `tournament.models.Player`, over all its events but rehearsals."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from tournament.models import Entry, Tournament
from tournament.queries.registration import numbered_name
from tournament.results import grouped
from tournament.words.text import as_read


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPerson:
    """An organiser's person. `public_name`, `club`: last entered; `names`: latest first; `keys`: by `unordered`;
    `clubs`: by `as_read`; `event`, `when`: last attended, else entered; `events`: number attended; `entry`: latest;
    `tournaments`: keys of events with an entry."""

    uid: UUID
    real_name: str
    public_name: str
    names: tuple[str, ...]
    keys: frozenset[str]
    club: str
    clubs: frozenset[str]
    born: date | None
    event: str
    when: date
    events: int
    entry: UUID
    tournaments: frozenset[int]
    left_out: bool

    @property
    def shown_name(self) -> str:
        """The public name, with the real one if it differs."""
        differs = as_read(self.public_name) != as_read(self.real_name)
        return f"{self.public_name} ({self.real_name})" if differs else self.public_name

    @property
    def last(self) -> str:
        """The event and club to know them by."""
        return ", ".join(filter(None, (self.event, self.club)))

    def is_of_club(self, club: str) -> bool:
        """Whether the person came for this club."""
        return as_read(club) in self.clubs

    def could_be(self, born: date | None) -> bool:
        """Whether no other birth date is known."""
        return None in {born, self.born} or born == self.born


def unordered(name: str) -> str:
    """Key of a name that ignores word order: "Mäkelä, Aino" equals "Aino Mäkelä"."""
    return " ".join(sorted(as_read(name.replace(",", " ")).split()))


def people_of(organiser: int) -> dict[UUID, KnownPerson]:
    """People of the organiser with this key, latest first, without erased ones. One query."""
    entries = (
        Entry.objects.filter(tournament__organiser=organiser, tournament__rehearsal=False)
        .exclude(state=Entry.State.CANCELLED)
        .select_related("player", "tournament")
        .order_by("-tournament__starts_on", "-pk")
    )
    of_player = grouped((entry.player.uid, entry) for entry in entries)
    return {
        uid: _person(rows)
        for uid, rows in of_player.items()
        # Erasure raises the link's number and leaves only the numbered name.
        if not any(
            row.link_number and row.player.name == row.public_name == numbered_name(row) for row in rows
        )
    }


def _person(entries: Sequence[Entry]) -> KnownPerson:
    """The person of these entries, latest first."""
    newest = entries[0]
    began = [entry for entry in entries if entry.tournament.state != Tournament.State.PLANNED]
    came = [entry for entry in began if entry.is_in and entry.state != Entry.State.NO_SHOW]
    last, player = (came or entries)[0], newest.player
    public = (entry.public_name for entry in entries if entry.public_name != numbered_name(entry))
    names = tuple(dict.fromkeys((*(entry.public_name for entry in entries), player.name)))
    return KnownPerson(
        uid=player.uid,
        real_name=player.name,
        public_name=next(public, player.name),
        names=names,
        keys=frozenset(map(unordered, names)),
        club=next((entry.club for entry in entries if entry.club), ""),
        clubs=frozenset(as_read(entry.club) for entry in entries if entry.club),
        born=player.birth_date,
        event=last.tournament.name,
        when=last.tournament.starts_on,
        events=len(came),
        entry=newest.uid,
        tournaments=frozenset(entry.tournament_id for entry in entries),
        left_out=player.left_out,
    )


def not_here(tournament: Tournament, apart: set[tuple[str, ...]]) -> list[KnownPerson]:
    """The organiser's people without an entry here; of `alike` ones the latest. Not who was left out. Empty for a
    rehearsal: its players are copies."""
    if tournament.rehearsal:
        return []
    known = people_of(tournament.organiser_id).values()
    people = [one for one in known if tournament.pk not in one.tournaments and not one.left_out]
    again = {one.uid for group in alike(people, apart) for one in group[1:]}
    return [one for one in people if one.uid not in again]


# ---- Who a typed name is ----

ByName = Mapping[str, Sequence[KnownPerson]]  # by each of their names


def by_name(people: Iterable[KnownPerson]) -> ByName:
    """People by `unordered` name."""
    return grouped((key, person) for person in people for key in person.keys)


def fitting(
    people: ByName, name: str, *, nickname: str = "", club: str = "", born: date | None = None
) -> tuple[list[KnownPerson], KnownPerson | None]:
    """People whom a typed name may mean, and the only one whom name and club fit exactly, or None. A first name alone
    fits only with its club; a birth date decides between namesakes.
    """
    found = {
        person.uid: person
        for each in (name, nickname)
        for person in people.get(unordered(each), ())
        if person.could_be(born)
    }
    key = unordered(name)
    same = [
        person
        for person in found.values()
        if key in person.keys and (not club or not person.clubs or person.is_of_club(club))
    ]
    same = [person for person in same if born and person.born == born] or same
    sure = len(same) == 1 and (
        " " in key or (club and same[0].is_of_club(club)) or (born and same[0].born == born)
    )
    return list(found.values()), same[0] if sure else None


def alike(people: Iterable[KnownPerson], apart: set[tuple[str, ...]]) -> list[list[KnownPerson]]:
    """Groups of people who seem to be one: of one name and club (with a whole name one may lack the club), never in
    one event, not marked different (`apart`: sorted pairs of uids)."""
    groups: list[list[KnownPerson]] = []
    for namesakes in grouped((unordered(one.real_name), one) for one in people).values():
        open_groups: list[list[KnownPerson]] = []
        for one in namesakes:
            group = next(
                (group for group in open_groups if all(_may_be_one(one, each, apart) for each in group)), None
            )
            if group is None:
                open_groups.append([one])
            else:
                group.append(one)
        groups += [group for group in open_groups if len(group) > 1]
    return groups


def _may_be_one(one: KnownPerson, other: KnownPerson, apart: set[tuple[str, ...]]) -> bool:
    return (
        one.could_be(other.born)
        and (bool(one.clubs & other.clubs) or (" " in one.real_name and not (one.clubs and other.clubs)))
        and not one.tournaments & other.tournaments
        and tuple(sorted((str(one.uid), str(other.uid)))) not in apart
    )
