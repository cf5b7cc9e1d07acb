"""Public view of heats: a card per table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring import PlayAnswer, ResultAnswer
from tournament.pages.public.seats import sitting
from tournament.pages.public.standings import Person
from tournament.results import ContestResults


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatRow:
    """Player by id in the answer; `place`: None if the heat ended first."""

    player: str
    person: Person
    place: int | None
    through: bool

    @property
    def status(self) -> str:
        """Key in STATES for the heat's outcome; disqualification takes precedence."""
        through = self.through and self.person.state != "disqualified"
        return "through" if through else self.person.state or "not_through"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatCard:
    """A heat. `rows` in order of going out, before that as seated. `state`: key of STATES."""

    number: int
    state: str
    rows: Sequence[HeatRow]

    @property
    def entered(self) -> bool:
        return self.state == "finished"


def heat_rows(heat: PlayAnswer, people: Mapping[str, Person]) -> Sequence[HeatRow]:
    """Players in order of going out, then the others."""
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
    """Cards by table number; `running`: the heats have begun."""
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
    """Heats as (table number, people), in card order."""
    played = {play.table: len(play.results) for play in results.sheet.plays if play is not None}
    contest = results.contest
    return [
        (number, played.get(table) or len(sitting(contest.seats, number)))
        for table, number in sorted(contest.table_numbers.items(), key=lambda item: item[1])
    ]
