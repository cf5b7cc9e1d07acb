"""Suggestions of duplicate players; people decide (tournament/actions/people/players.py).

Names match despite case, accents, word order, a missing word, an initial or a typo in a long word. Equal birth
dates raise the likeness; different ones rule out all but equal names. Numbers in names must be equal.
"""

import re
import unicodedata
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import SequenceMatcher
from functools import lru_cache

from django.db.models import Q

from tournament.models import Different, Entry, Play, Stage, Tournament
from tournament.results import Fault, grouped, kind_of
from tournament.words.text import PLAIN

SAME = 100
LONG_WORD = 5  # letters; a typo in a shorter word gives another name (Anna, Anni)
ALIKE = 0.85  # least similarity, of 1
ALIKE_BY_BIRTH = 0.7  # the same with equal birth dates


@dataclass(frozen=True, slots=True)
class Somebody:
    """A person with all known names, identified by `key`."""

    key: Hashable
    names: tuple[str, ...]
    born: date | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """The keys of two likely duplicates; `likeness` 100: equal names."""

    first: Hashable
    second: Hashable
    likeness: int


def person_of(entry: Entry) -> Somebody:
    """The entry's person, keyed by uid."""
    player = entry.player
    return Somebody(str(entry.uid), tuple(dict.fromkeys((entry.public_name, player.name))), player.birth_date)


def told_apart(tournament: Tournament) -> set[tuple[str, ...]]:
    """Player uid pairs (sorted) marked different at any event of the organiser."""
    pairs = Different.objects.filter(tournament__organiser=tournament.organiser_id)
    return {tuple(players) for players in pairs.values_list("players", flat=True)}


def pair_of(one: object, other: object) -> tuple[str, ...]:
    """Two player uids as a sorted pair."""
    return tuple(sorted((str(one), str(other))))


@lru_cache(maxsize=10_000)
def words_of(name: str) -> tuple[str, ...]:
    """Words of a name, casefolded, without accents, in order."""
    letters = unicodedata.normalize("NFKD", name.casefold().translate(PLAIN))
    return tuple(re.findall(r"\w+", "".join(each for each in letters if not unicodedata.combining(each))))


def in_the_way(kept: Entry, gone: Entry) -> Fault | None:
    """Fault of the first play of `gone` that blocks the merge, or None.

    `game_running`; `both_played` in one contest (session: one game, since seats change); `both_brought_in`: both
    have results from a file. Void plays never block.
    """
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
    """Likeness of two people, from 0 to 100 (equal names)."""
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
    pairs = zip(left, right, strict=True)
    return min(_words_alike(a, b, bool(common), same_birth) for a, b in pairs)


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
    """Ratio of difflib, whose answer depends on which of two comes first."""
    first, second = sorted((one, other))
    return SequenceMatcher(None, first, second).ratio()
