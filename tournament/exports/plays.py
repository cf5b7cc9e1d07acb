"""Rows of what was played: games, rounds and heats with one row a player, and the hands that were counted.

Every play is listed, also the running, void and set aside; points and places stand where the answer has them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from rulesets import CARDS, RULESETS
from scoring import GameAnswer, HeatAnswer, RoundAnswer, hand_points
from scoring.hands import hand_size
from tournament.exports.cells import Row, Value
from tournament.exports.reading import Event
from tournament.exports.standings import Entries
from tournament.facts import Hand, PlayFacts
from tournament.models import Play, Result, Stage
from tournament.second_look import waits
from tournament.words import card_name

MATCHES = (Stage.Kind.MATCH, Stage.Kind.FINAL)
KINDS = (Stage.Kind.SESSION, Stage.Kind.HEATS, *MATCHES)
State = Play.State


@dataclass(frozen=True, slots=True)
class Played:
    """A play with where it was played and the answer's rows by player; none where it does not count."""

    stage: Stage
    table: int
    play: PlayFacts
    answer: Mapping[str, object]

    def place(self, player: str) -> int | None:
        """The player's place in this play, where the answer gives one."""
        return getattr(self.answer.get(player), "place", None)

    def points(self, player: str) -> int | None:
        """The player's points in this play, where the answer gives some."""
        return getattr(self.answer.get(player), "points", None)

    def advances(self, player: str) -> bool:
        """Whether the player goes through from this heat."""
        return bool(getattr(self.answer.get(player), "advances", False))


def played(event: Event, *kinds: str) -> Iterator[Played]:
    """Every play of the stages of these kinds, table by table, in the order in which they were played."""
    for read in event.stages_of(*kinds):
        for contest in read.results:
            answers: dict[object, Mapping[str, object]] = {}
            rounds: tuple[GameAnswer | RoundAnswer | HeatAnswer, ...] = contest.answer.rounds
            for play, answer in zip(contest.sheet.plays, rounds, strict=True):
                if play is not None:
                    answers[play.uid] = {row.player: row for row in answer.results}
            tables = contest.contest.table_numbers
            for play in sorted(contest.contest.plays, key=lambda play: (tables[play.table], play.number)):
                yield Played(read.stage, tables[play.table], play, answers.get(play.uid, {}))


def game_headings(zone: str) -> list[str]:
    """The columns of the sheet of games; times are in this zone."""
    return [
        _("Stage"),
        _("Table"),
        _("Game"),
        _("State"),
        _("Started (%(zone)s)") % {"zone": zone},
        _("Ended (%(zone)s)") % {"zone": zone},
        _("Duration"),
        _("How it ended"),
        _("Start number"),
        _("Player"),
        _("Outcome"),
        _("Out after"),
        _("Cards left"),
        _("Place"),
        _("Points"),
        _("Last entry (%(zone)s)") % {"zone": zone},
    ]


def games(event: Event) -> Iterator[Row]:
    """Every player's row of every game of the sessions."""
    outcomes = _outcomes()
    for one in played(event, Stage.Kind.SESSION):
        duration = _duration(one.play, RULESETS[event.tournament.ruleset].hour_s)
        head: list[Value] = [
            *_head(one),
            one.play.started_at,
            _ended_at(one.play.started_at, duration),
            duration,
            str(Play.Ended(one.play.ended).label) if one.play.ended else None,
        ]
        for row in one.play.results:
            player = str(row.entry)
            time = None if row.elapsed_s is None else timedelta(seconds=row.elapsed_s)
            yield [
                *head,
                *_player(player, event.entries),
                outcomes[row.outcome],
                time,
                hand_size(row.hand) if row.outcome == Result.Outcome.REMAINING else None,
                one.place(player),
                one.points(player),
                event.written.get(one.play.version),
            ]


def round_headings(zone: str) -> list[str]:
    """The columns of the sheet of rounds; times are in this zone."""
    return [
        _("Stage"),
        _("Table"),
        _("Round"),
        _("State"),
        _("Start number"),
        _("Player"),
        _("Outcome"),
        _("Cards left"),
        _("Points"),
        _("Last cards played"),
        _("Drew for the last cards"),
        _("Last entry (%(zone)s)") % {"zone": zone},
    ]


def rounds(event: Event) -> Iterator[Row]:
    """Every player's row of every round of the matches and finals."""
    outcomes = _outcomes()
    for one in played(event, *MATCHES):
        head = _head(one)
        last_cards = _cards(one.play.last_cards)
        for row in one.play.results:
            player = str(row.entry)
            won = row.outcome == Result.Outcome.WON
            yield [
                *head,
                *_player(player, event.entries),
                outcomes[row.outcome],
                hand_size(row.hand),
                one.points(player),
                last_cards if won else None,
                _("yes") if one.play.drew == row.entry else None,
                event.written.get(one.play.version),
            ]


def heat_headings(zone: str) -> list[str]:
    """The columns of the sheet of heats; times are in this zone."""
    return [
        _("Stage"),
        _("Table"),
        _("Heat"),
        _("State"),
        _("Start number"),
        _("Player"),
        _("Outcome"),
        _("Order of going out"),
        _("Place"),
        _("Goes through"),
        _("Last entry (%(zone)s)") % {"zone": zone},
    ]


def heats(event: Event) -> Iterator[Row]:
    """Every player's row of every heat."""
    outcomes = _outcomes()
    for one in played(event, Stage.Kind.HEATS):
        head = _head(one)
        for row in one.play.results:
            player = str(row.entry)
            yield [
                *head,
                *_player(player, event.entries),
                outcomes[row.outcome],
                row.finish,
                one.place(player),
                _("yes") if one.advances(player) else None,
                event.written.get(one.play.version),
            ]


def hand_headings() -> list[str]:
    """The columns of the sheet of hands."""
    return [
        _("Stage"),
        _("Table"),
        _("Game or round"),
        _("State"),
        _("Start number"),
        _("Player"),
        _("Card"),
        _("How many"),
        _("Points of the card"),
        _("Points together"),
    ]


def hands(event: Event) -> Iterator[Row]:
    """One row for each player, play and kind of card, as the hands were counted at the table."""
    ruleset = RULESETS[event.tournament.ruleset]
    names: dict[str, Value] = {card: int(card) if card.isdigit() else card_name(card) for card in CARDS}
    for one in played(event, *KINDS):
        head = _head(one)
        for row in one.play.results:
            who = _player(str(row.entry), event.entries)
            for card in CARDS:
                count = row.hand.get(card)
                if count:
                    each, together = (hand_points(ruleset, {card: many}) for many in (1, count))
                    yield [*head, *who, names[card], count, each, together]


def _head(one: Played) -> list[Value]:
    return [str(one.stage), one.table, one.play.number, _state(one.play)]


def _state(play: PlayFacts) -> str:
    """The state of a play; of one that waits for a second person, that it does."""
    return str((Play.SecondLook(play.second_look) if waits(play) else State(play.state)).label)


def _player(player: str, entries: Entries) -> list[Value]:
    return [entries[player].start_number, entries[player].public_name]


def _outcomes() -> dict[str, str]:
    return {str(value): str(label) for value, label in Result.Outcome.choices}


def _cards(hand: Hand) -> str | None:
    """Cards as players say them: "2 × Draw 2"."""
    return ", ".join(f"{hand[card]} × {card_name(card)}" for card in CARDS if hand.get(card)) or None


def _duration(play: PlayFacts, hour_s: int) -> timedelta | None:
    """How long the game took, where somebody kept the time; a game that the hour ended took the hour."""
    seconds = hour_s if play.ended == Play.Ended.TIME else play.duration_s
    return None if seconds is None else timedelta(seconds=seconds)


def _ended_at(started_at: datetime | None, duration: timedelta | None) -> datetime | None:
    return None if started_at is None or duration is None else started_at + duration
