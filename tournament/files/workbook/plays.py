"""The plays, row by row: the common part of the sheets of games, rounds, heats and hands.

Every play is listed, also the running, void and set aside; points and places stand where the answer has them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from rulesets import CARDS, Ruleset
from scoring import ResultAnswer
from tournament.files.workbook.cells import Value
from tournament.files.workbook.event import Event
from tournament.models import Entry, Play, Stage
from tournament.queries.second_look import waits
from tournament.results import ContestResults, Hand, PlayFacts, ResultFacts, kind_of
from tournament.words.faults import card_name

MATCHES = (Stage.Kind.MATCH, Stage.Kind.FINAL)

ContestKey = tuple[UUID, UUID | None]


@dataclass(frozen=True, slots=True)
class Played:
    """A play with where it was played and the answer's rows by player; none where it does not count."""

    stage: Stage
    contest: ContestResults
    play: PlayFacts
    answer: Mapping[str, ResultAnswer]

    @property
    def key(self) -> ContestKey:
        """The contest that the play belongs to."""
        return key_of(self.stage, self.contest)

    @property
    def table(self) -> int:
        """The number of its table."""
        return self.contest.contest.table_numbers[self.play.table]

    def place(self, player: str) -> int | None:
        """The player's place in this play, where the answer gives one."""
        return self.answer[player].place if player in self.answer else None

    def points(self, player: str) -> int | None:
        """The player's points in this play, where the answer gives some."""
        return self.answer[player].points if player in self.answer else None

    def advances(self, player: str) -> bool:
        """Tell whether the player goes through from this heat."""
        return player in self.answer and self.answer[player].advances


def key_of(stage: Stage, contest: ContestResults) -> ContestKey:
    """Give the key of a contest in a workbook."""
    return stage.uid, contest.table


def played(event: Event, *kinds: str) -> Iterator[Played]:
    """List every play of the stages of these kinds in the order of the score sheet; heats table by table."""
    for read in event.stages_of(*kinds):
        for contest in read.results:
            answers = {
                play.uid: {row.player: row for row in answer.results} for play, answer in contest.counted
            }
            plays, tables = contest.contest.in_order, contest.contest.table_numbers
            if kind_of(read.stage.kind).one_play:
                plays = tuple(sorted(plays, key=lambda play: tables[play.table]))
            for play in plays:
                yield Played(read.stage, contest, play, answers.get(play.uid, {}))


def head(one: Played) -> list[Value]:
    """Give the stage, table, number and state of a play; for one that waits for a second person, that is its state."""
    play = one.play
    state = Play.SecondLook(play.second_look) if waits(play) else Play.State(play.state)
    return [str(one.stage), one.table, play.number, str(state.label)]


def who(row: ResultFacts, entries: Mapping[str, Entry]) -> list[Value]:
    """A row's player: start number and name."""
    entry = entries[str(row.entry)]
    return [entry.start_number, entry.shown_name]


def row_id(play: PlayFacts, row: ResultFacts) -> str:
    """Give a row's id for programs: the play, the entry, and the version of the play in this row."""
    return f"{play.uid} {row.entry} {play.version}"


def cards_text(hand: Hand, ruleset: Ruleset) -> str | None:
    """Cards as players say them: "2 × Draw 2"."""
    return ", ".join(f"{hand[card]} × {card_name(card, ruleset)}" for card in CARDS if hand.get(card)) or None
