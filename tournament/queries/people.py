"""An organiser's people: a row for each `Player`, over all its events but rehearsals.

Duplicates are suggested: names match despite case, accents, word order, a missing word, an initial or a typo in a long
word. Equal birth dates raise the likeness; different ones rule out all but equal names. Numbers in names must be
equal.
"""

import re
import unicodedata
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from tournament.ledger.undoing import History
from tournament.models import (
    Different,
    Entry,
    Incident,
    LedgerNote,
    LedgerRow,
    Play,
    Player,
    Result,
    Seat,
    Stage,
    Tournament,
)
from tournament.queries.registration import answers_of, numbered_name, questions_of
from tournament.queries.visible import freezing
from tournament.results import Fault, grouped, json_of, kind_of
from tournament.words.text import PLAIN, as_read


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

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> "KnownPerson":
        """The person of these entries, latest first."""
        newest = entries[0]
        began = [entry for entry in entries if entry.tournament.state != Tournament.State.PLANNED]
        came = [entry for entry in began if entry.is_in and entry.state != Entry.State.NO_SHOW]
        last, player = (came or entries)[0], newest.player
        public = (entry.public_name for entry in entries if entry.public_name != numbered_name(entry))
        names = tuple(dict.fromkeys((*(entry.public_name for entry in entries), player.name)))
        return cls(
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

    @property
    def shown_name(self) -> str:
        """The public name, with the real one if it differs."""
        differs = as_read(self.public_name) != as_read(self.real_name)
        return f"{self.public_name} ({self.real_name})" if differs else self.public_name

    @property
    def last(self) -> str:
        return ", ".join(filter(None, (self.event, self.club)))

    def is_of_club(self, club: str) -> bool:
        return as_read(club) in self.clubs

    def could_be(self, born: date | None) -> bool:
        """Whether no other birth date is known."""
        return None in {born, self.born} or born == self.born

    def may_be(self, other: "KnownPerson", apart: set[tuple[str, ...]]) -> bool:
        """Whether both may be one; see `alike`."""
        return (
            self.could_be(other.born)
            and (
                bool(self.clubs & other.clubs) or (" " in self.real_name and not (self.clubs and other.clubs))
            )
            and not self.tournaments & other.tournaments
            and pair_of(self.uid, other.uid) not in apart
        )


def unordered(name: str) -> str:
    """Name key that ignores word order: "Mäkelä, Aino" equals "Aino Mäkelä"."""
    return " ".join(sorted(as_read(name.replace(",", " ")).split()))


def people_of(organiser: int) -> dict[UUID, KnownPerson]:
    """The organiser's people, latest first, without erased ones. One query."""
    entries = (
        Entry.objects.filter(tournament__organiser=organiser, tournament__rehearsal=False)
        .exclude(state=Entry.State.CANCELLED)
        .select_related("player", "tournament")
        .order_by("-tournament__starts_on", "-pk")
    )
    of_player = grouped((entry.player.uid, entry) for entry in entries)
    return {
        uid: KnownPerson.of(rows)
        for uid, rows in of_player.items()
        # Erasure raises the link's number and leaves only the numbered name.
        if not any(
            row.link_number and row.player.name == row.public_name == numbered_name(row) for row in rows
        )
    }


def not_here(tournament: Tournament, apart: set[tuple[str, ...]]) -> list[KnownPerson]:
    """The organiser's people without an entry here, of `alike` ones the latest; not those left out. Empty for a
    rehearsal, whose players are copies."""
    if tournament.rehearsal:
        return []
    people = [
        one
        for one in people_of(tournament.organiser_id).values()
        if tournament.pk not in one.tournaments and not one.left_out
    ]
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
    fits only with its club; a birth date decides between namesakes."""
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
                (group for group in open_groups if all(one.may_be(each, apart) for each in group)), None
            )
            if group is None:
                open_groups.append([one])
            else:
                group.append(one)
        groups += [group for group in open_groups if len(group) > 1]
    return groups


# ---- Suggestions of duplicate players ----


SAME = 100
LONG_WORD = 5  # letters; a typo in a shorter word gives another name (Anna, Anni)
ALIKE = 0.85  # least similarity, of 1
ALIKE_BY_BIRTH = 0.7  # the same with equal birth dates


@dataclass(frozen=True, slots=True)
class Somebody:
    """A person with all known names."""

    key: Hashable
    names: tuple[str, ...]
    born: date | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """Keys of two likely duplicates; `likeness` 100: equal names."""

    first: Hashable
    second: Hashable
    likeness: int


def person_of(entry: Entry) -> Somebody:
    """The entry's person, keyed by uid."""
    player = entry.player
    return Somebody(str(entry.uid), tuple(dict.fromkeys((entry.public_name, player.name))), player.birth_date)


def told_apart(tournament: Tournament) -> set[tuple[str, ...]]:
    """Sorted player uid pairs marked different at any event of the organiser."""
    pairs = Different.objects.filter(tournament__organiser=tournament.organiser_id)
    return {tuple(players) for players in pairs.values_list("players", flat=True)}


def pair_of(one: object, other: object) -> tuple[str, ...]:
    """Two player uids as a sorted pair."""
    return tuple(sorted((str(one), str(other))))


@lru_cache(maxsize=10_000)
def words_of(name: str) -> tuple[str, ...]:
    """Words of a name, casefolded, without accents."""
    letters = unicodedata.normalize("NFKD", name.casefold().translate(PLAIN))
    return tuple(re.findall(r"\w+", "".join(each for each in letters if not unicodedata.combining(each))))


def in_the_way(kept: Entry, gone: Entry) -> Fault | None:
    """Fault of the first play of `gone` that blocks the merge, or None: `game_running`; `both_played` in one contest
    (session: one game, since seats change); `both_brought_in` (results from a file). Void plays never block."""
    if kept.past_results.exists() and gone.past_results.exists():
        return Fault("both_brought_in", "/other")
    plays = Play.objects.exclude(state=Play.State.VOID)
    own = plays.filter(results__entry=kept)
    tables, whole = (
        [kind for kind in Stage.Kind if getattr(kind_of(kind), flag)] for flag in ("to_target", "one_play")
    )
    play = (
        plays.filter(results__entry=gone)
        .filter(
            Q(state=Play.State.RUNNING)
            | Q(pk__in=own.values("pk"))
            | Q(table__stage__kind__in=tables, table__in=own.values("table"))
            | Q(table__stage__kind__in=whole, table__stage__in=own.values("table__stage"))
        )
        .select_related("table__stage")
        .order_by("table__stage__number", "table__number", "number")
        .first()
    )
    return (
        None
        if play is None
        else Fault(
            "game_running" if play.state == Play.State.RUNNING else "both_played",
            f"/plays/{play.uid}",
            {
                "stage": str(play.table.stage),
                "contest": kind_of(play.table.stage.kind).sheet,
                "table": play.table.number,
                "number": play.number,
            },
        )
    )


def among(people: Sequence[Somebody]) -> list[Pair]:
    """Likely duplicates within `people`, best first."""
    order = {one.key: index for index, one in enumerate(people)}
    near = _near(people)
    return _likest(
        (one, people[index])
        for one in people
        for index in sorted({index for bucket in _buckets(one) for index in near[bucket]})
        if order[one.key] < index
    )


def between(people: Sequence[Somebody], others: Sequence[Somebody]) -> list[Pair]:
    """Likely duplicates across both groups, best first."""
    near = _near(others)
    return _likest(
        (one, others[index])
        for one in people
        for index in sorted({index for bucket in _buckets(one) for index in near.get(bucket, ())})
    )


def likeness(one: Somebody, other: Somebody) -> int:
    """Likeness of two people, 0 to 100 (equal names)."""
    same_birth = one.born is not None and one.born == other.born
    found = max(_names_alike(a, b, same_birth) for a in one.names for b in other.names)
    if one.born and other.born and not same_birth:
        return found // 2 if found == SAME else 0
    return found


def _likest(pairs: Iterable[tuple[Somebody, Somebody]]) -> list[Pair]:
    found = [Pair(one.key, other.key, value) for one, other in pairs if (value := likeness(one, other))]
    return sorted(found, key=lambda pair: -pair.likeness)


def _near(people: Sequence[Somebody]) -> dict[str, list[int]]:
    return grouped((bucket, index) for index, one in enumerate(people) for bucket in _buckets(one))


def _buckets(one: Somebody) -> set[str]:
    return {bucket for name in one.names for bucket in _buckets_of(words_of(name))}


def _buckets_of(words: tuple[str, ...]) -> Iterator[str]:
    """Each whole word with another's first or last letter: a typo in one word leaves a common bucket."""
    yield "".join(words)
    yield " ".join(sorted(words))
    if len(words) == 1:
        yield from (words[0][:3] + "*", "*" + words[0][-3:])
    for index, word in enumerate(words):
        others = words[:index] + words[index + 1 :]
        if len(word) > 1:
            for other in others:
                yield from (f"{word} {other[0]}*", f"{word} *{other[-1]}")
    if len(words) > 1 and all(len(word) >= LONG_WORD for word in words):
        yield "initials " + " ".join(sorted(word[0] for word in words))


def _names_alike(name: str, other: str, same_birth: bool) -> int:
    one, two = words_of(name), words_of(other)
    if not one or not two:
        return 0
    if sorted(one) == sorted(two) or "".join(one) == "".join(two):
        return SAME
    if _digits(one) != _digits(two):
        return 0
    common = set(one) & set(two)
    if len(common) >= 2 and (common == set(one) or common == set(two)):
        return 90  # middle or second family name
    left, right = [word for word in one if word not in common], [word for word in two if word not in common]
    if len(left) != len(right) or len(left) > 2:
        return 0
    if len(left) == 2 and _similarity(left[0], right[0]) < _similarity(left[0], right[1]):
        right = right[::-1]
    return min(_words_alike(a, b, bool(common), same_birth) for a, b in zip(left, right, strict=True))


def _words_alike(one: str, other: str, has_common: bool, same_birth: bool) -> int:
    if has_common and 1 in (len(one), len(other)):
        return 70 if one[0] == other[0] else 0  # initial
    if max(len(one), len(other)) < LONG_WORD and not same_birth:
        return 0
    ratio = _similarity(one, other)
    return int(ratio * SAME) if ratio >= (ALIKE_BY_BIRTH if same_birth else ALIKE) else 0


def _digits(words: tuple[str, ...]) -> str:
    return "".join(letter for word in words for letter in word if letter.isdigit())


def _similarity(one: str, other: str) -> float:
    """Ratio of difflib, which depends on the order."""
    first, second = sorted((one, other))
    return SequenceMatcher(None, first, second).ratio()


# ---- Export of personal data as JSON ----


Json = dict[str, Any]


def data_of(player: Player, *, all_results: bool) -> Json:
    """All stored data about the player at the organiser's events; frozen stages only with `all_results`. Call in a
    `snapshot()`."""
    return {
        "format": "lastcard-person-1",
        "uid": str(player.uid),
        "organiser": player.organiser.name,
        **{name: json_of(getattr(player, name)) for name in Player.FIELDS.personal},
        "joined": [
            {name: json_of(getattr(one, name)) for name in Player.FIELDS.personal}
            for one in joined_players(player)
        ],
        "events": [_event(entry, all_results=all_results) for entry in entries_of(player)],
    }


def joined_players(player: Player) -> QuerySet[Player]:
    """Players whose entries went to this one (actions/people/people.py)."""
    return Player.objects.filter(organiser=player.organiser_id, joined_to=player.uid).order_by("pk")


def entries_of(player: Player) -> list[Entry]:
    """The person's entries, including joined and merged players'."""
    own = Entry.objects.filter(Q(player=player) | Q(player__in=joined_players(player)))
    uids = {str(uid) for uid in own.values_list("uid", flat=True)}
    for tournament in Tournament.objects.filter(
        entries__in=own, pk__in=LedgerRow.objects.filter(action="merge_entries").values("tournament")
    ):
        uids |= merged_with(tournament, uids)
    return list(
        Entry.objects.filter(player__in=Entry.objects.filter(uid__in=uids).values("player"))
        .select_related("tournament", "player")
        .order_by("pk")
    )


def merged_with(tournament: Tournament, uids: set[str]) -> set[str]:
    """Uids of these entries and all merged with them, but for undone merges."""
    history = History(tournament)
    merged = [
        _merged_in(one.payload)
        for one in history.done.values()
        if one.action == "merge_entries" and one.sequence not in history.undone
    ]
    for pair in (*merged, *reversed(merged)):  # both ways
        uids = uids | pair if uids & pair else uids
    return uids


def stays_for(entry: Entry) -> Entry | None:
    """The entry with which this cancelled one was merged, or None."""
    same = merged_with(entry.tournament, {str(entry.uid)}) if entry.state == Entry.State.CANCELLED else ()
    return Entry.objects.exclude(state=Entry.State.CANCELLED).filter(uid__in=same).first()


def _merged_in(payload: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """Uids of the two merged entries. If the row holds others (marked distinct), the survivor is the one that received
    rows, or unknown."""
    gone = {uid for uid, facts in payload["entry"].items() if facts["state"] == Entry.State.CANCELLED}
    stay = payload["entry"].keys() - gone
    others = (row for kind, rows in payload.items() if kind != "entry" for row in rows.values() if row)
    return gone | (stay if len(stay) == 1 else stay & {row.get("entry") for row in others})


def erased_among(tournament: Tournament, entries: Iterable[Entry]) -> list[str]:
    """Uids of erased entries, for phones to forget."""
    ended = [str(entry.uid) for entry in entries if entry.link_number]  # which erasure raises
    if not ended:
        return []
    rows = LedgerRow.objects.filter(tournament=tournament, action__in=("erase_person", "erase_self"))
    erased = {uid for payload in rows.values_list("payload", flat=True) for uid in payload["entry"]}
    return [uid for uid in ended if uid in erased]


def _event(entry: Entry, *, all_results: bool) -> Json:
    stages = list(Stage.objects.filter(tournament=entry.tournament).order_by("number"))
    frozen = [] if all_results else [stage.pk for stage in stages if freezing(stage, stages)]
    seats = Seat.objects.filter(entry=entry).exclude(table__stage__in=frozen).order_by("pk")
    results = Result.objects.filter(entry=entry).exclude(play__table__stage__in=frozen).order_by("pk")
    incidents = Incident.objects.filter(entry=entry).exclude(table__stage__in=frozen).order_by("pk")
    notes = LedgerNote.objects.filter(row__tournament=entry.tournament).select_related("row").order_by("pk")
    return {
        "event": entry.tournament.name,
        "date": entry.tournament.starts_on.isoformat(),
        "uid": str(entry.uid),
        **{name: json_of(getattr(entry, name)) for name in Entry.FIELDS.personal if name != "answers"},
        "answers": [
            {"question": question.label, "answer": answer}
            for question, answer in answers_of(entry, questions_of(entry.tournament))
            if answer
        ],
        "division": entry.division,
        "fee_paid": entry.paid,
        "start_number": entry.start_number,
        "state": str(entry.state) if all_results or not frozen else None,
        "guardian_agreed": entry.guardian,
        "terms_accepted": json_of(entry.accepted_at),
        "seats": [
            {"stage": str(seat.table.stage), "table": seat.table.number, "seat": seat.position}
            for seat in seats.select_related("table__stage")
        ],
        "results": [_result(result) for result in results.select_related("play__table__stage")],
        "past_results": list(
            entry.past_results.values("place", "points", "average", "games", "wins", "note")
        ),
        "incidents": [
            {
                "kind": str(row.kind),
                "what": row.code,
                "text": row.text,
                "ruling": row.ruling,
                "at": json_of(row.at),
                "withdrawn": row.withdrawn,
            }
            for row in incidents
        ],
        "notes": [
            {"at": json_of(note.row.at), "text": note.text}
            for note in notes
            if not frozen and str(entry.uid) in note.row.payload.get("entry", {})
        ],
        "frozen": bool(frozen),
    }


def _result(row: Result) -> Json:
    play = row.play
    return {
        "stage": str(play.table.stage),
        "table": play.table.number,
        "number": play.number,
        "state": str(play.state),
        "outcome": str(row.outcome),
        "seconds": row.elapsed_s,
        "hand": row.hand,
        "finish": row.finish,
    }
