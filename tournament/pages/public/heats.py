"""The heats of a stage as everybody sees them: a card for each table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring import PlayAnswer, ResultAnswer
from tournament.pages.public.seats import sitting
from tournament.pages.public.standings import Person
from tournament.results import ContestResults


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatRow:
    """A player of a heat by their id in the answer; `place` is None for a player who was not out before enough were
    through."""

    player: str
    person: Person
    place: int | None
    through: bool

    @property
    def status(self) -> str:
        """The key in STATES of how the player stands after the heat; a disqualification goes before it."""
        through = self.through and self.person.state != "disqualified"
        return "through" if through else self.person.state or "not_through"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatCard:
    """One heat: `rows` in the order of going out, or as they sit until it is finished. `state`: a key of STATES."""

    number: int
    state: str
    rows: Sequence[HeatRow]

    @property
    def entered(self) -> bool:
        return self.state == "finished"


def heat_rows(heat: PlayAnswer, people: Mapping[str, Person]) -> Sequence[HeatRow]:
    """The players of a finished heat in the order of going out, then those who were not out."""
    results: Sequence[ResultAnswer] = heat.results
    return [
        HeatRow(
            player=row.player,
            person=people[row.player],
            place=row.place,
            through=row.advances,
        )
        for row in sorted(results, key=lambda row: (row.place is None, row.place or 0))
    ]


def heat_cards(results: ContestResults, people: Mapping[str, Person], *, running: bool) -> Sequence[HeatCard]:
    """The card of each table in the order of their numbers; `running`: whether the heats have begun."""
    entered = {play.table: heat_rows(heat, people) for play, heat in results.counted}
    return [
        HeatCard(
            number=number,
            state="finished" if table in entered else "running" if running else "waiting",
            rows=entered.get(table)
            or [
                HeatRow(
                    player=str(seat.entry),
                    person=people[str(seat.entry)],
                    place=None,
                    through=False,
                )
                for seat in sitting(results.contest.seats, number)
            ],
        )
        for table, number in sorted(results.contest.table_numbers.items(), key=lambda item: item[1])
    ]


def heat_sizes(results: ContestResults) -> list[tuple[int, int]]:
    """Each heat's table number and the number of people on its card, in the order of the cards."""
    played = {play.table: len(play.results) for play in results.sheet.plays if play is not None}
    contest = results.contest
    return [
        (number, played.get(table) or len(sitting(contest.seats, number)))
        for table, number in sorted(contest.table_numbers.items(), key=lambda item: item[1])
    ]
