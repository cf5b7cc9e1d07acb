"""Public club standings per stage. Club names match by `as_read`; the most frequent spelling is shown."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rulesets import ByKind
from scoring import ClubResult, ClubRule, ClubStanding, score_clubs
from tournament.models import Entry, Stage
from tournament.queries.visible import Shown, going_on_to
from tournament.results import ContestResults, lowest_wins
from tournament.words.text import as_read

Entries = Mapping[str, Entry]
Values = Iterator[tuple[str, Fraction]]


@dataclass(frozen=True, slots=True)
class Kind:
    """How a kind of contest scores clubs. `values`: players' results, given the uids `through` from heats; `rule`: the
    club's scoring."""

    values: Callable[[ContestResults, Collection[str]], Values]
    rule: Callable[[ContestResults], ClubRule]


@dataclass(frozen=True, slots=True)
class StageClubs:
    """A stage's club standings. `kind`: of its sheet; `decided_by`: of players, or "through"; `names`: by club key."""

    stage: Stage
    kind: str
    decided_by: str
    rule: ClubRule
    lines: tuple[ClubStanding, ...]
    names: Mapping[str, str]

    @property
    def best(self) -> int:
        """Most counted players of a club."""
        return max(len(line.counted) for line in self.lines)


def _values(results: ContestResults, _through: Collection[str]) -> Values:
    for row in results.answer.standings:
        if row.place is not None and row.value is not None:
            yield row.player, row.value


def _match(results: ContestResults, _through: Collection[str]) -> Values:
    for row in results.answer.standings:
        if row.place is not None and (results.answer.rounds or results.answer.complete):
            yield row.player, Fraction(row.points)


def _heats(results: ContestResults, through: Collection[str]) -> Values:
    for row in results.answer.lines:
        yield row.player, Fraction(row.player in through)


def _race_rule(results: ContestResults) -> ClubRule:
    by, own_hand = results.answer.decided_by, lowest_wins(results.sheet.data)
    return ClubRule(mean=by == "average", lowest=by == "cards" or (by != "wins" and own_hand))


KINDS: ByKind[Kind] = ByKind(
    "queries/clubs.py",
    {
        "session": Kind(_values, lambda _results: ClubRule(mean=True, lowest=True)),
        "match": Kind(_match, lambda results: ClubRule(lowest=lowest_wins(results.sheet.data))),
        "heats": Kind(_heats, lambda _results: ClubRule(everybody=True)),
        "race": Kind(_values, _race_rule),
    },
)


def club_names(entries: Entries) -> dict[str, str]:
    """Most frequent spelling of each club, by key."""
    spelled: dict[str, Counter[str]] = {}
    for entry in entries.values():
        if key := as_read(entry.club):
            spelled.setdefault(key, Counter())[" ".join(entry.club.split())] += 1
    return {key: counter.most_common(1)[0][0] for key, counter in spelled.items()}


def has_clubs(entries: Entries, stages: Sequence[Stage]) -> bool:
    """Whether play has begun with at least two clubs."""
    return any(stage.state != Stage.State.PLANNED for stage in stages) and len(club_names(entries)) > 1


def stage_clubs(
    stage: Stage, results: Sequence[ContestResults], through: Collection[str], entries: Entries
) -> StageClubs | None:
    """Club standings of a stage, None with fewer than two clubs; `through`: heat qualifiers."""
    if not results:
        return None
    kind = KINDS[results[0].answer.kind]
    rule = kind.rule(results[0])
    lines = score_clubs(
        (
            ClubResult(club, player, value)
            for each in results
            for player, value in kind.values(each, through)
            if player in entries and (club := as_read(entries[player].club))
        ),
        rule,
    )
    answer = results[0].answer
    names = club_names(entries)
    return (
        StageClubs(stage, answer.kind, answer.decided_by or "through", rule, lines, names) if lines else None
    )


def clubs_in(seen: Sequence[Shown], entries: Entries) -> list[StageClubs]:
    """Club standings of all stages (`seen`) that have any."""
    found = []
    for each, following in zip(seen, [*seen, None][1:], strict=True):
        going_on = going_on_to(each, following) if following else None
        finalists = {player for results in each.results for player in results.answer.finalists}
        through = going_on.through if going_on else finalists
        found.append(stage_clubs(each.stage, each.results, through, entries))
    return [clubs for clubs in found if clubs]
