"""Events made by chance, without a database: contests of every kind with all that can happen in them, and changes to
what was entered. A seed gives the same event each time.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import partial
from random import Random
from typing import Any
from uuid import UUID

from rulesets import RULESETS, Ruleset, take_in
from tournament.files.workbook.event import Event, StageRead
from tournament.models import Entry, Stage, Tournament
from tournament.results.answer import scored
from tournament.results.bridge import Contest, PlayerFacts
from tournament.results.facts import PlayFacts, ResultFacts, SeatFacts
from tournament.results.faults import Refused
from tournament.results.kinds import kind_of

NOW = datetime(2026, 5, 9, 15, tzinfo=UTC)
RULES = ("kpgut-2016", "kpgut-2016", "kpgut-2016", "mattel-108", "mattel-112", "tite-2022", "tite-2022")
LANGUAGES = ("en", "fi", "sv")
NAMES = (
    "=1+1",
    "@SUM(A1)",
    "-5",
    "+358",
    "محمد الأمين",
    "张伟 👩‍👩‍👧",
    "x" * 100,
    "007",
    "TRUE",
    '"a","b"',
    "It's",
)
CLUBS = ("Noppa", "=Vaasa*", " noppa", "", "Åbo")
STAGES = ("=Session's", "Final: [1/2]", "Erät – 1")

Hand = dict[str, int]
Settings = dict[str, Any]


def generated(seed: int, *, made_up: bool = False) -> Event:
    """An event: a session, or a stage of matches, or heats with a final behind them; by a ruleset of ours, or by one
    `made_up` from it, which is taken in."""
    chance = Random(seed)
    ruleset = chance.choice(RULES)
    rules = _made_up(RULESETS[ruleset], seed) if made_up else RULESETS[ruleset]
    if made_up:
        take_in(rules)
    tournament = Tournament(
        name=f"Event {seed}",
        slug="event",
        starts_on=date(2026, 5, 9),
        ruleset=rules.id,
        ruleset_revision="1",
        language=chance.choice(LANGUAGES),
    )
    people = [
        Entry(
            uid=_uid(chance),
            tournament=tournament,
            public_name=chance.choice(NAMES) if chance.random() < 0.3 else f"Player {number}",
            start_number=number,
            club=CLUBS[number % len(CLUBS)],
        )
        for number in range(1, chance.randint(4, 14) + 1)
    ]
    kinds = {"session": [Stage.Kind.SESSION], "match": [Stage.Kind.MATCH]}
    chosen = kinds["session"] if ruleset.startswith("kpgut") else kinds["match"]
    if ruleset == "tite-2022":
        chosen = [Stage.Kind.HEATS, Stage.Kind.FINAL]
    stages = []
    for number, kind in enumerate(chosen, 1):
        stage = Stage(
            uid=_uid(chance), tournament=tournament, number=number, kind=kind, name=chance.choice(STAGES)
        )
        stages.append((stage, list(_contests(chance, stage, people))))
    some = frozenset(str(entry.uid) for entry in chance.sample(people, 2))
    return event_of(tournament, people, stages, some)


def generated_race(seed: int) -> Event:
    """An event of one race, over all tables or at each of them, ranked in any order by any points."""
    chance = Random(seed)
    tournament = Tournament(
        name=f"Race {seed}", slug="race", starts_on=date(2026, 5, 9), ruleset="mattel-108", language="en"
    )
    people = [
        Entry(uid=_uid(chance), tournament=tournament, public_name=f"Player {number}", start_number=number)
        for number in range(1, chance.randint(3, 9) + 1)
    ]
    settings: Settings = {
        "scoring": chance.choice(("own_hand", "winner_takes", "placing")),
        "rank": chance.sample(("average", "total", "wins", "cards"), chance.randint(1, 3)),
        "min_games": chance.randint(1, 2),
    }
    if chance.random() < 0.5:
        settings["best"] = chance.randint(1, 3)
    kind = chance.choice((Stage.Kind.RACE, Stage.Kind.RACES))
    stage = Stage(uid=_uid(chance), tournament=tournament, number=1, kind=kind, settings=settings)
    tables = [(number, _uid(chance)) for number in (1, 2)]
    groups = [[table] for table in tables] if kind_of(kind).sheet_each_table else [tables]
    contests = [_drawn(partial(_race, chance, stage, group, people)) for group in groups]
    return event_of(tournament, people, [(stage, contests)], frozenset())


def _race(
    chance: Random, stage: Stage, tables: Sequence[tuple[int, UUID]], people: Sequence[Entry]
) -> Contest:
    alone = kind_of(stage.kind).sheet_each_table
    own = people[tables[0][0] - 1 :: 2] if alone and len(people) > 4 else people
    seats = [
        SeatFacts(entry.uid, tables[at % len(tables)][0], at + 1, *_leaving(chance, 0.1, at))
        for at, entry in enumerate(own)
    ]
    plays = [
        _race_game(chance, table, nth, [entry.uid for entry in own])
        for nth in range(1, chance.randint(2, 6))
        for _number, table in tables
    ]
    return Contest(
        stage=stage.uid,
        table=tables[0][1] if alone else None,
        kind="race",
        ruleset="mattel-108",
        settings=stage.settings,
        stopped=False,
        players=tuple(PlayerFacts(entry.uid, entry.public_name, entry.start_number) for entry in own),
        seats=tuple(seats),
        plays=tuple(plays),
        table_numbers={table: number for number, table in tables},
    )


def _race_game(chance: Random, table: UUID, number: int, players: Sequence[UUID]) -> PlayFacts:
    """A game of one hand; now and then the bell ended it, or only one player was left."""
    playing = chance.sample(list(players), chance.randint(2, min(5, len(players))))
    held = [ResultFacts(_uid(chance), entry, "holds", hand=_hand(chance, "0123456789")) for entry in playing]
    bell = chance.random() < 0.2
    if not bell:
        held[0] = ResultFacts(_uid(chance), playing[0], "won")
    return PlayFacts(
        _uid(chance), table, number, chance.choice(("entered", "entered", "void")), tuple(held),
        ended="time" if bell else "",
    )  # fmt: skip


def _made_up(rules: Ruleset, seed: int) -> Ruleset:
    """A ruleset that nobody wrote: like this one, but with other numbers wherever there are points."""
    chance = Random(seed)
    return replace(
        rules,
        id=f"made-up-{seed}",
        points={card: chance.randint(0, 60) for card in rules.points},
        remaining_base=chance.randint(0, 90),
        remaining_step=chance.randint(0, 9),
        give_up_extra=chance.randint(0, 40),
        give_up_least=chance.randint(0, 90),
    )


def close_calls() -> Event:
    """A session in which each step of special situation 6 decides once, from the most 0s on, and the last is level; and
    in which an ejection in a game that still runs at another table ejects nobody yet."""
    tournament = Tournament(
        name="Close", slug="close", starts_on=date(2026, 5, 9), ruleset="kpgut-2016", language="en"
    )
    stage = Stage(uid=UUID(int=1), tournament=tournament, number=1, kind=Stage.Kind.SESSION)
    people = [
        Entry(uid=UUID(int=9 + number), tournament=tournament, public_name=f"P{number}", start_number=number)
        for number in (1, 2, 3)
    ]
    here, there = UUID(int=2), UUID(int=3)
    pairs = [(number, min(number + 1, 9)) for number in range(10)]
    games = [
        PlayFacts(
            UUID(int=100 + number), here, number, "entered", ended="early",
            results=tuple(
                ResultFacts(UUID(int=1000 * number + card), entry.uid, "remaining", hand={str(card): 2, "skip": 1})
                for entry, card in zip(people, reversed(pair), strict=False)
            ),
        )
        for number, pair in enumerate(pairs, 2)
    ]  # fmt: skip
    running = PlayFacts(
        UUID(int=4), there, 1, "running",
        (ResultFacts(UUID(int=5), people[0].uid, "ejected"), ResultFacts(UUID(int=6), people[2].uid)),
    )  # fmt: skip
    contest = Contest(
        stage.uid, None, "session", "kpgut-2016", {}, stopped=False,
        players=tuple(PlayerFacts(one.uid, one.public_name, one.start_number) for one in people),
        seats=(), plays=(running, *games), table_numbers={here: 1, there: 2},
    )  # fmt: skip
    return event_of(tournament, people, [(stage, [contest])], frozenset())


def of_contest(contest: Contest) -> Event:
    """An event of this one contest."""
    tournament = Tournament(
        name="One", slug="one", starts_on=date(2026, 5, 9), ruleset=contest.ruleset, language="en"
    )
    kind = Stage.Kind(contest.kind)
    stage = Stage(uid=contest.stage, tournament=tournament, number=1, kind=kind, settings=contest.settings)
    people = [
        Entry(uid=each.entry, tournament=tournament, public_name=each.name, start_number=each.start_number)
        for each in contest.players
    ]
    return event_of(tournament, people, [(stage, [contest])], frozenset())


def event_of(
    tournament: Tournament,
    people: Sequence[Entry],
    stages: Sequence[tuple[Stage, Sequence[Contest]]],
    decided: frozenset[str],
) -> Event:
    """Give the event of these contests, scored again. Raises Refused for contests that break the rules."""
    return Event(
        tournament=tournament,
        entries={str(entry.uid): entry for entry in people},
        stages=tuple(
            StageRead(stage, "running", tuple(scored(contest) for contest in contests), decided, frozenset())
            for stage, contests in stages
        ),
        entered={},
        ledger=None,
        read_at=NOW,
    )


def changed(event: Event, seed: int, changes: int) -> tuple[Event, list[PlayFacts]]:
    """The event after so many changes of a hand, a time, an outcome, an order or a state, each of which the rules
    allow, and the plays that are different now."""
    chance = Random(seed)
    contests = [[replace(each.contest) for each in read.results] for read in event.stages]
    touched: dict[UUID, PlayFacts] = {}
    plays = [
        (at, index, play.uid)
        for at, stage in enumerate(contests)
        for index, contest in enumerate(stage)
        for play in contest.plays
        if _can_change(play, contest)
    ]
    made = 0
    for _ in range(changes * 40 if plays else 0):
        at, index, uid = chance.choice(plays)
        contest = contests[at][index]
        play = contest.play(uid)
        assert play is not None
        other = _change(chance, play, contest)
        after = contest.with_play(other)
        if other == play or not _keeps_the_rules(after):
            continue
        contests[at][index] = after
        touched[uid] = other
        made += 1
        if made == changes:
            break
    assert made == changes or not plays, f"only {made} changes"
    stages = [(read.stage, contests[at]) for at, read in enumerate(event.stages)]
    people = list(event.entries.values())
    return event_of(event.tournament, people, stages, event.stages[0].decided), list(touched.values())


# ---- contests ----


def _uid(chance: Random) -> UUID:
    return UUID(int=chance.getrandbits(128), version=4)


def _contests(chance: Random, stage: Stage, people: Sequence[Entry]) -> Iterator[Contest]:
    """The contests of a stage, each drawn until it keeps the rules."""
    seats = chance.sample(list(people), len(people))
    count = chance.randint(1, max(1, len(seats) // 4))
    tables = [(number, _uid(chance), seats[number - 1 :: count]) for number in range(1, count + 1)]
    groups = [[table] for table in tables] if kind_of(stage.kind).sheet_each_table else [tables]
    settings = _settings(chance, stage)
    for group in groups:
        yield _drawn(partial(_contest, chance, stage, settings, group))


def _drawn(draw: Callable[[], Contest]) -> Contest:
    return next(contest for contest in (draw() for _ in range(1000)) if _keeps_the_rules(contest))


def _keeps_the_rules(contest: Contest) -> bool:
    try:
        scored(contest)
    except Refused:
        return False
    return True


def _settings(chance: Random, stage: Stage) -> Settings:
    ruleset = RULESETS[stage.tournament.ruleset]
    if stage.kind == Stage.Kind.SESSION:
        return chance.choice(({}, {"min_games": 2}, {"min_games": 4, "decks": 3}))
    if stage.kind == Stage.Kind.HEATS:
        return chance.choice(({}, {"advance": 2}))
    targets = (250, 300, 500) if ruleset.most_target else (60, 150, 500)
    return {"target": chance.choice(targets), "scoring": chance.choice(ruleset.scorings)}


def _contest(
    chance: Random, stage: Stage, settings: Settings, tables: Sequence[tuple[int, UUID, list[Entry]]]
) -> Contest:
    ruleset = RULESETS[stage.tournament.ruleset]
    write = {"session": _games, "heats": _heats}.get(str(stage.kind), _rounds)
    kind = {"session": "session", "heats": "heats"}.get(str(stage.kind), "match")
    seats: list[SeatFacts] = []
    plays: list[PlayFacts] = []
    how_often = chance.choice((0, 0.1, 0.6 if kind == "match" else 0.2))
    for number, table, players in tables:
        sits = [
            SeatFacts(entry.uid, number, position, *_leaving(chance, how_often, position))
            for position, entry in enumerate(players, 1)
        ]
        seats += sits
        plays += write(chance, table, sits, tuple(ruleset.deck))
    return Contest(
        stage=stage.uid,
        table=tables[0][1] if kind == "match" else None,
        kind=kind,
        ruleset=ruleset.id,
        settings=settings,
        stopped=kind == "match" and chance.random() < 0.2,
        players=tuple(
            PlayerFacts(entry.uid, entry.public_name, entry.start_number)
            for _number, _table, players in tables
            for entry in players
        ),
        seats=tuple(seats),
        plays=tuple(plays),
        table_numbers={table: number for number, table, _players in tables},
    )


def _leaving(chance: Random, how_often: float, position: int) -> tuple[Any, ...]:
    """How and from which play somebody is out; who left is noted by itself, at one of three moments."""
    if chance.random() >= how_often:
        return ()
    how, number = chance.choice(("removed", "withdrawn")), chance.randint(1, 8)
    at = datetime(2026, 5, 9, 18, position % 3, tzinfo=UTC)
    return (how, number) if how == "removed" else (how, number, number, at)


def _state(chance: Random, *, last: bool) -> str:
    if last and chance.random() < 0.2:
        return "running"
    return chance.choice(("entered", "entered", "entered", "official", "void"))


def _hand(chance: Random, cards: Sequence[str]) -> Hand:
    kinds = chance.choice((cards, cards[:10], cards[:3]))
    hand: Hand = {}
    for _ in range(chance.randint(1, 5)):
        card = chance.choice(kinds)
        hand[card] = hand.get(card, 0) + 1
    return hand


def _games(
    chance: Random, table: UUID, seats: Sequence[SeatFacts], cards: Sequence[str]
) -> Iterator[PlayFacts]:
    count = chance.randint(0, 7)
    for number in range(1, count + 1):
        players = [seat.entry for seat in seats if chance.random() < 0.9]
        if len(players) < 2:
            continue
        ended = chance.choice(("last", "last", "time", "early"))
        longest = chance.choice((3600, 3600, 900))
        rows = [_result(chance, player, ended, cards, longest) for player in players]
        if ended == "last":
            loser = chance.randrange(len(rows))
            rows[loser] = ResultFacts(_uid(chance), rows[loser].entry, "last")
        yield _timed(
            chance,
            PlayFacts(
                _uid(chance), table, number, _state(chance, last=number == count), tuple(rows),
                started_at=NOW, ended=ended,
            ),
        )  # fmt: skip


def _timed(chance: Random, game: PlayFacts) -> PlayFacts:
    """The game with the time it took, where that has to be known and sometimes where not."""
    latest = max((row.elapsed_s or 0 for row in game.results), default=0)
    left = any(row.outcome in ("gave_up", "ejected") for row in game.results)
    if game.ended == "last":
        return replace(
            game, duration_s=chance.randint(latest, 3600) if left else chance.choice((None, latest))
        )
    early = game.ended == "early" and chance.random() < 0.5
    return replace(game, duration_s=chance.randint(latest, 3600) if early else None)


def _result(chance: Random, player: UUID, ended: str, cards: Sequence[str], longest: int) -> ResultFacts:
    if chance.random() < 0.04:
        return ResultFacts(_uid(chance), player, "ejected")
    if chance.random() < 0.1:
        return ResultFacts(_uid(chance), player, "gave_up")
    if ended != "last" and chance.random() < 0.6:
        return ResultFacts(_uid(chance), player, "remaining", hand=_hand(chance, cards))
    return ResultFacts(_uid(chance), player, "out", elapsed_s=_seconds(chance, longest))


def _seconds(chance: Random, longest: int = 3600) -> int:
    whole = 60 * chance.randint(1, longest // 60)
    return chance.choice((chance.randint(0, longest), whole, whole - 1))


def _rounds(
    chance: Random, table: UUID, seats: Sequence[SeatFacts], cards: Sequence[str]
) -> Iterator[PlayFacts]:
    count = chance.randint(0, 9)
    for number in range(1, count + 1):
        late = chance.random() < 0.05  # who left plays on, which cannot have been: the round is set aside
        players = [seat.entry for seat in seats if late or (seat.out_from or 99) > number]
        if len(players) < 2:
            return
        winner = chance.choice(players)
        rows = tuple(
            ResultFacts(_uid(chance), player, "won")
            if player == winner
            else ResultFacts(_uid(chance), player, "holds", hand=_hand(chance, cards))
            for player in players
        )
        yield PlayFacts(_uid(chance), table, number, _state(chance, last=number == count), rows)


def _heats(
    chance: Random, table: UUID, seats: Sequence[SeatFacts], _cards: Sequence[str]
) -> Iterator[PlayFacts]:
    states = chance.choice((["entered"], ["official"], ["void", "entered"], ["void"], ["running"]))
    for number, state in enumerate(states, 1):
        order = chance.sample(range(len(seats)), chance.randint(2, len(seats)))
        rows = tuple(
            ResultFacts(_uid(chance), seat.entry, "finished", finish=order.index(index) + 1)
            if index in order
            else ResultFacts(_uid(chance), seat.entry)
            for index, seat in enumerate(seats)
        )
        own = chance.choice((None, None, 1, 2))
        yield PlayFacts(_uid(chance), table, number, state, rows, advance=own)


# ---- changes ----


def _can_change(play: PlayFacts, contest: Contest) -> bool:
    """Tell whether the play can change: not while it runs, nor a heat that was void, which has no row in the standings
    to show that it counts."""
    return play.state != "running" and (contest.kind, play.state) != ("heats", "void")


def _change(chance: Random, play: PlayFacts, contest: Contest) -> PlayFacts:
    """The play with one thing different, if the first thing thought of can be."""
    return chance.choice(
        (_other_hand, _other_hand, _other_time, _swapped, _swapped, _other_outcome, _other_state)
    )(chance, play, contest)


def _with_row(play: PlayFacts, row: ResultFacts) -> PlayFacts:
    rows = tuple(row if other.uid == row.uid else other for other in play.results)
    return replace(play, results=rows)


def _other_hand(chance: Random, play: PlayFacts, contest: Contest) -> PlayFacts:
    """One card more or less in a hand."""
    rows = [row for row in play.results if row.hand]
    if not rows:
        return play
    row = chance.choice(rows)
    card = chance.choice(tuple(RULESETS[contest.ruleset].deck))
    count = row.hand.get(card, 0) + chance.choice((1, 1, 2, -1))
    hand = {kind: many for kind, many in ({**row.hand, card: count}).items() if many > 0}
    return _with_row(play, replace(row, hand=hand))


def _other_time(chance: Random, play: PlayFacts, _contest: Contest) -> PlayFacts:
    """Another time of going out; a game that nobody left ends when the last one goes out."""
    rows = play.with_outcome("out")
    if not rows:
        return play
    other = _with_row(play, replace(chance.choice(rows), elapsed_s=_seconds(chance)))
    left = any(row.outcome in ("gave_up", "ejected") for row in other.results)
    return other if left or other.ended != "last" else replace(other, duration_s=None)


def _swapped(chance: Random, play: PlayFacts, _contest: Contest) -> PlayFacts:
    """Two players with each other's outcome."""
    one, two = chance.sample(play.results, 2)
    rows = {
        one.uid: replace(two, uid=one.uid, entry=one.entry),
        two.uid: replace(one, uid=two.uid, entry=two.entry),
    }
    return replace(play, results=tuple(rows.get(row.uid, row) for row in play.results))


def _other_outcome(chance: Random, play: PlayFacts, _contest: Contest) -> PlayFacts:
    """Another way in which somebody ended a game; who goes out needs a time."""
    row = chance.choice(play.results)
    if row.outcome not in ("out", "remaining", "gave_up", "ejected"):
        return play
    outcome = chance.choice(("out", "gave_up", "ejected"))
    time = _seconds(chance) if outcome == "out" else None
    return _with_row(play, replace(row, outcome=outcome, elapsed_s=time, hand={}))


def _other_state(chance: Random, play: PlayFacts, _contest: Contest) -> PlayFacts:
    """A play voided, or one that was void entered again."""
    if chance.random() < 0.5:
        return play
    return replace(play, state="entered" if play.state == "void" else "void")
