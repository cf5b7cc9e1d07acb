"""Names that look like one person entered twice: suggestions only, people decide
(tournament/actions/people/duplicates.py).

Two names look the same when they differ in case, accents, the order of their words, a word left out, an initial or a
typing slip in a long word. An equal birth date makes a likeness stronger, a different one rules out all but equal
names. Numbers in names must be equal: "Player 1" is not "Player 11".
"""

import re
import unicodedata
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from django.db.models import Q

from tournament.models import Different, Entry, Play, Stage, Tournament
from tournament.results import Fault, grouped, kind_of
from tournament.words.text import PLAIN

SAME = 100
LONG_WORD = 5  # letters: a slip in a shorter word gives another name (Anna, Anni)
ALIKE = 0.85  # of the letters of a word
ALIKE_BY_BIRTH = 0.7  # where both were born on the same day


@dataclass(frozen=True, slots=True)
class Somebody:
    """A person to compare: a key, all their known names, and the birth date."""

    key: Hashable
    names: tuple[str, ...]
    born: date | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two who look the same; `likeness` of 100 is an equal name."""

    first: Hashable
    second: Hashable
    likeness: int


def person_of(entry: Entry) -> Somebody:
    """The person of an entry, by its uid."""
    player = entry.player
    return Somebody(str(entry.uid), tuple(dict.fromkeys((entry.public_name, player.name))), player.birth_date)


def told_apart(tournament: Tournament) -> set[tuple[str, ...]]:
    """The pairs of the organiser's players (uids in order) whom somebody found to be different people, at any event."""
    pairs = Different.objects.filter(tournament__organiser=tournament.organiser_id)
    return {tuple(players) for players in pairs.values_list("players", flat=True)}


def pair_of(one: object, other: object) -> tuple[str, ...]:
    """Two players' uids as such a pair."""
    return tuple(sorted((str(one), str(other))))


@lru_cache(maxsize=10_000)
def words_of(name: str) -> tuple[str, ...]:
    """Split a name into its words, in small letters without accents, in their order."""
    letters = unicodedata.normalize("NFKD", name.casefold().translate(PLAIN))
    return tuple(re.findall(r"\w+", "".join(each for each in letters if not unicodedata.combining(each))))


def in_the_way(kept: Entry, gone: Entry) -> Fault | None:
    """Find the first play of `gone` that cannot become a play of `kept` too: `game_running` if it runs, `both_played`
    if `kept` has another result in that contest. Void plays stand against nothing, and in a session only a game in
    which both played does, since seats change there. `both_brought_in`: each has a result from a file."""
    if kept.past_results.exists() and gone.past_results.exists():
        return Fault("both_brought_in", "/other")
    plays = Play.objects.exclude(state=Play.State.VOID)
    own = plays.filter(results__entry=kept)
    tables, whole = (
        [kind for kind in Stage.Kind if getattr(kind_of(kind), flag)]
        for flag in ("sheet_each_table", "one_play")
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
    """List every pair of them that looks the same, the most alike first."""
    order = {one.key: index for index, one in enumerate(people)}
    near = _near(people)
    return _likest(
        (one, people[index])
        for one in people
        for index in sorted({index for bucket in _buckets(one) for index in near[bucket]})
        if order[one.key] < index
    )


def between(people: Sequence[Somebody], others: Sequence[Somebody]) -> list[Pair]:
    """List every pair of one of them and one of the others that looks the same, the most alike first."""
    near = _near(others)
    return _likest(
        (one, others[index])
        for one in people
        for index in sorted({index for bucket in _buckets(one) for index in near.get(bucket, ())})
    )


def likeness(one: Somebody, other: Somebody) -> int:
    """Rate how much two people look the same, 0 (not at all) to 100."""
    same_birth = one.born is not None and one.born == other.born
    found = max(_names_alike(a, b, same_birth) for a in one.names for b in other.names)
    if one.born and other.born and not same_birth:
        return found // 2 if found == SAME else 0
    return found


def _likest(pairs: Iterable[tuple[Somebody, Somebody]]) -> list[Pair]:
    found = [Pair(one.key, other.key, value) for one, other in pairs if (value := likeness(one, other))]
    return sorted(found, key=lambda pair: -pair.likeness)


def _near(people: Sequence[Somebody]) -> dict[str, list[int]]:
    """Group the people worth comparing (by index) by what their names have in common."""
    return grouped((bucket, index) for index, one in enumerate(people) for bucket in _buckets(one))


def _buckets(one: Somebody) -> set[str]:
    return {bucket for name in one.names for bucket in _buckets_of(words_of(name))}


def _buckets_of(words: tuple[str, ...]) -> Iterator[str]:
    """Yield keys of one whole word with the others' first or last letters, so that a slip in one word leaves a bucket
    in common. A name of one word has its first and its last letters as keys."""
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
        return 90  # a middle name or a second family name
    left, right = [word for word in one if word not in common], [word for word in two if word not in common]
    if len(left) != len(right) or len(left) > 2:
        return 0
    return min(_words_alike(a, b, bool(common), same_birth) for a, b in _matched(left, right))


def _matched(left: list[str], right: list[str]) -> list[tuple[str, str]]:
    """Pair the words of two names, each with the one that it is most like."""
    if len(left) == 2 and _similarity(left[0], right[0]) < _similarity(left[0], right[1]):
        right = right[::-1]
    return list(zip(left, right, strict=True))


def _words_alike(one: str, other: str, has_common: bool, same_birth: bool) -> int:
    if has_common and 1 in (len(one), len(other)):
        return 70 if one[0] == other[0] else 0  # an initial
    if max(len(one), len(other)) < LONG_WORD and not same_birth:
        return 0
    ratio = _similarity(one, other)
    return int(ratio * SAME) if ratio >= (ALIKE_BY_BIRTH if same_birth else ALIKE) else 0


def _digits(words: tuple[str, ...]) -> str:
    return "".join(letter for word in words for letter in word if letter.isdigit())


def _similarity(one: str, other: str) -> float:
    """How alike two words are, from 0 to 1."""
    from rapidfuzz.distance.Indel import normalized_similarity

    return normalized_similarity(one, other)
