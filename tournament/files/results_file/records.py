"""Sheets of records: clubs, rounds, fees, about."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from rulesets import OWN_HAND, WINNER_TAKES
from scoring import PlayAnswer, RaceAnswer, ResultAnswer
from tournament.files.results_file.facts import Extras, exact, fee_amount, fees_text, happened
from tournament.files.results_file.ranking import decision_word, named, place_column
from tournament.files.results_file.sheets import MEDALS, USUAL, WIDE, Column, Look, Row
from tournament.files.workbook.event import Event, LedgerLine, StageRead
from tournament.models import LedgerRow, Play, Result
from tournament.queries.clubs import StageClubs, stage_clubs
from tournament.queries.incidents import waits
from tournament.queries.registration import answers_of
from tournament.results import ContestResults, PlayerFacts, PlayFacts, kind_of, scored
from tournament.words.clubs import rule_text
from tournament.words.faults import ruleset_name
from tournament.words.kinds import DECIDING, GAME_KINDS, RACE_SCORINGS, race_text
from tournament.words.rulings import rulings_of
from tournament.words.sources import source_text
from tournament.words.text import inside, listed, points_text

Table = tuple[list[Column], list[Row]]
MOST_OWING = 30  # players named who have not paid
OF_HASH = 72  # characters: a hash on one line


def clubs_of(event: Event) -> list[tuple[StageRead, StageClubs]]:
    """Stages with club results, last first."""
    found = (
        (read, stage_clubs(read.stage, read.results, read.through, event.entries)) for read in event.stages
    )
    return [(read, clubs) for read, clubs in reversed([*found]) if clubs]


def club_rules(stages: Sequence[tuple[StageRead, StageClubs]]) -> list[Row]:
    """Club ranking rules by stage."""
    words = [(str(read.stage), rule_text(clubs.kind, clubs.rule, clubs.best)) for read, clubs in stages]
    return [[f"{stage}: {rule}" if len(stages) > 1 else rule] for stage, rule in words]


def best_club(stages: Sequence[tuple[StageRead, StageClubs]]) -> Iterator[Row]:
    """The best clubs with their result."""
    for _read, clubs in stages[:1]:
        best = [line for line in clubs.lines if line.place == 1 and (line.value or clubs.rule.lowest)]
        if best:
            names = listed([clubs.names[line.club] for line in best])
            result = DECIDING[clubs.decided_by].said(best[0].value)
            yield [_("Best club: %(clubs)s (%(result)s)") % {"clubs": names, "result": result}]


def clubs_table(event: Event, stages: Sequence[tuple[StageRead, StageClubs]]) -> Table:
    """Clubs ranked by their last stage with results."""
    rows: list[Row] = []
    seen: set[str] = set()
    for read, clubs in stages:
        lines, before = [line for line in clubs.lines if line.club not in seen], len(seen)
        for line in lines:
            better = sum(other.place < line.place for other in lines if other.place and line.place)
            place = None if line.place is None else before + better + 1
            earned = place is not None and place <= len(MEDALS) and (line.value or clubs.rule.lowest)
            counted = () if clubs.rule.everybody else line.counted
            rows.append(
                [
                    Look(place, MEDALS[place - 1]) if earned and place else place,
                    clubs.names[line.club],
                    line.value if clubs.rule.mean else exact(line.value),
                    str(read.stage),
                    ", ".join(event.entries[player].shown_name for player in counted) or None,
                    line.players,
                    None if line.place else _("fewer players than count"),
                ]
            )
        seen |= {line.club for line in lines}
    headings = [
        _("Club or group"),
        _("Result"),
        _("Stage"),
        _("Players who count"),
        _("Players with a result"),
        _("Note"),
    ]
    return [
        place_column(),
        *(Column(heading, WIDE if at == 3 else USUAL) for at, heading in enumerate(headings)),
    ], rows


def plays_table(event: Event, extras: Extras) -> Table:
    """One row per play, also void; for organisers with author, correction, reason."""
    private = event.ledger is not None
    headings = [
        _("Stage"),
        _("Table"),
        _("Number"),
        _("Winner"),
        _("Points"),
        _("State"),
        _("Time (%(zone)s)") % {"zone": event.tournament.time_zone},
        *(
            [_("Entered by"), _("Corrected or voided by"), _("Before the change"), _("Reason given")]
            if private
            else []
        ),
    ]
    return [Column(heading, WIDE if at in (3, 9, 10) else USUAL) for at, heading in enumerate(headings)], [
        [
            str(read.stage),
            *_play_row(event, contest, play, answer),
            first.at if first else event.entered.get(play.uid),
            *(_entered(first, extras.changed.get(play.uid), was) if private else []),
        ]
        for read in event.stages
        for contest in read.results
        for answers in [{play.uid: answer for play, answer in contest.counted}]
        for play in contest.contest.in_order
        for answer, first in [(answers.get(play.uid), extras.first.get(play.uid))]
        for before in [extras.before.get(play.uid)]
        for was in [_was(event, contest, answer, before) if before else None]
    ]


def _play_row(event: Event, contest: ContestResults, play: PlayFacts, answer: PlayAnswer | None) -> Row:
    won = {str(row.entry) for row in play.with_outcome(Result.Outcome.WON)}
    first = [row for row in (answer.results if answer else ()) if row.player in won or row.place == 1]
    nobody = str(GAME_KINDS["time"]) if play.ended == Play.Ended.TIME and not first else None
    state = Play.SecondLook(play.second_look) if waits(play) else Play.State(play.state)
    return [
        contest.contest.table_numbers[play.table],
        None if kind_of(contest.answer.kind).one_play else play.number,
        ", ".join(event.entries[row.player].shown_name for row in first) or nobody,
        first[0].points if first else None,
        str(state.label),
    ]


def _entered(first: LedgerRow | None, changed: LedgerLine | None, was: str | None) -> Row:
    """Author (of a moved play: who moved it), later change."""
    author = first.actor.display_name() if first else None
    later = [changed.who, was, changed.note or None] if changed else [None] * 3
    return [author or later[0], *later]


def _was(event: Event, contest: ContestResults, answer: PlayAnswer | None, before: PlayFacts) -> str:
    """The result that a play had `before` its change: "Aino: 106 points"."""
    players = tuple(PlayerFacts(row.entry, "", at) for at, row in enumerate(before.results))
    alone = replace(contest.contest, players=players, others=(), seats=(), plays=(before,))
    counted = scored(alone).counted if len(players) > 1 else ()  # else walked over
    then = [row for _play, each in counted for row in each.results]
    now = {row.player: _gained(row) for row in (answer.results if answer else ())}
    lost = [row for row in then if _gained(row) != now.get(row.player) and row.player in event.entries]
    gains = [row for row in lost if row.points != 0] or lost
    said = [f"{event.entries[row.player].shown_name}: {_gained(row)}" for row in gains]
    return ", ".join(said) or (_("the same result") if then else str(Play.State(before.state).label))


def _gained(row: ResultAnswer) -> str:
    """Points, or the place in a heat."""
    return f"{row.place or '–'}." if row.points is None else points_text(row.points)


def organisers_above(event: Event) -> list[Row]:
    """Payments and decisions."""
    decided = ((entry, decision_word(event, player, why=True)) for player, entry in event.entries.items())
    return [*money_above(event), *([f"{entry.shown_name}: {word}"] for entry, word in decided if word)]


def money_above(event: Event) -> Iterator[Row]:
    """Number of paid entries, sums, who has not paid."""
    fee, entries = event.tournament.fee, list(event.entries.values())
    owing = [entry for entry in entries if not entry.paid]
    paid = len(entries) - len(owing)
    if not fee:
        yield [_("This event has no fee.")]
    if fee or paid:
        yield [_("%(paid)d of %(all)d paid") % {"paid": paid, "all": len(entries)}]
    if fees_text(fee, paid):
        yield [_("Paid: %(sum)s") % {"sum": fees_text(fee, paid)}]
    if fee and owing:
        who = " – ".join(filter(None, [fees_text(fee, len(owing)), named(owing, MOST_OWING)]))
        yield [_("Not yet paid: %(players)s") % {"players": who}]


def money_table(event: Event, extras: Extras) -> Table:
    """Payments and answers by player."""
    amount, unit = fee_amount(event.tournament.fee)
    headings = [
        _("Start number"),
        _("Player"),
        _("Real name"),
        _("Club or group"),
        f"{_('Fee')} ({unit})" if unit else _("Fee"),
        _("Paid"),
        _("Walk-in"),
        _("State"),
        *(question.label for question in extras.questions),
    ]
    return [*map(Column, headings)], [
        [
            entry.start_number,
            entry.shown_name,
            None if entry.public_name == extras.real_names.get(player) else extras.real_names.get(player),
            entry.club or None,
            event.tournament.fee or None if amount is None else amount,
            _("yes") if entry.paid else inside(_("No")),
            _("yes") if player in extras.walk_ins else None,
            str(entry.get_state_display()),
            *(answer or None for _question, answer in answers_of(entry, extras.questions)),
        ]
        for player, entry in event.entries.items()
    ]


def about_table(event: Event) -> Table:
    """Ruleset, settings, rulings asked for, export time, ledger head."""
    tournament = event.tournament
    rules, revision = ruleset_name(tournament.ruleset), tournament.ruleset_revision
    rows: list[Row] = [[_("Ruleset"), rules if revision in rules else f"{rules} ({revision})"]]
    stages = {read.stage.number: read.stage for read in event.stages}
    for read in event.stages:
        if source := source_text(read.stage, stages):
            rows.append([f"{read.stage}: {_('players')}", source])
        rows += _settings(read)
    rows += [[*ruling] for ruling in rulings_of(tournament.ruleset, happened(event))]
    own = [(line.text or line.title, line.ruling or line.answer) for line in event.standing_incidents]
    rows += [[question, ruling] for question, ruling in own if ruling]
    at = date_format(event.read_at.astimezone(tournament.zone), "SHORT_DATETIME_FORMAT")
    rows += [
        [_("Exported (%(zone)s)") % {"zone": tournament.time_zone}, at],
        [_("Last row of the ledger"), Look(tournament.version, "text")],
        [_("Hash of that row"), tournament.ledger_head or None],
        [
            _("Note"),
            _(
                "UNO is a trademark of Mattel, Inc. Lastcard is not a Mattel product and is not approved by Mattel."
            ),
        ],
    ]
    return [Column(_("Item"), WIDE), Column(_("Value"), OF_HASH)], rows


def _settings(read: StageRead) -> Iterator[Row]:
    stage = read.stage
    for sheet in (each.sheet.data for each in read.results[:1] if isinstance(each.answer, RaceAnswer)):
        scoring, ranking = _("scoring"), _("ranking")
        yield [f"{stage}: {scoring}", str(RACE_SCORINGS[sheet["settings"]["scoring"]])]
        yield [f"{stage}: {ranking}", race_text(sheet["settings"])]
        return
    words = {
        "target": _("target"),
        "scoring": _("scoring"),
        "decks": _("decks"),
        "custom_cards": _("Customizable cards in each deck"),
        "min_games": _("fewest games needed to be ranked"),
        "advance": _("through from each heat"),
    }
    counts = {WINNER_TAKES: _("standard scoring"), OWN_HAND: _("alternative scoring")}
    for name, word in words.items():
        if (value := stage.settings.get(name)) is not None:
            shown = value if isinstance(value, int) else counts.get(value, str(value))
            yield [f"{stage}: {word}", Look(shown, "text")]
    for text in stage.card_texts:
        yield [_("%(stage)s: a Customizable card says") % {"stage": stage}, text]
