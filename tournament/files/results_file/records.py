"""Sheets of records: clubs, rounds, fees, about."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from rulesets import OWN_HAND, WINNER_TAKES
from scoring import PlayAnswer
from tournament.files.results_file.facts import CORRECTIONS, Extras, fees_text
from tournament.files.results_file.ranking import place_column
from tournament.files.results_file.sheets import MEDALS, USUAL, Column, Look, Row
from tournament.files.workbook.event import Event, StageRead
from tournament.models import Play, Result, Stage
from tournament.queries.clubs import StageClubs, stage_clubs
from tournament.queries.incidents import waits
from tournament.queries.registration import answers_of
from tournament.results import ContestResults, PlayFacts, kind_of
from tournament.words.clubs import rule_text
from tournament.words.faults import ruleset_name
from tournament.words.rulings import rulings_of
from tournament.words.sources import source_text
from tournament.words.text import average_text, inside, listed

Table = tuple[list[Column], list[Row]]
WIDE = 34  # characters: columns with several names, reasons or rulings
OF_HASH = 72  # characters: a hash on one line


def clubs_of(event: Event) -> list[tuple[StageRead, StageClubs]]:
    """Stages with club results, last first."""
    found = (
        (read, stage_clubs(read.stage, read.results, read.through, event.entries)) for read in event.stages
    )
    return [(read, clubs) for read, clubs in reversed([*found]) if clubs]


def club_rules(stages: Sequence[tuple[StageRead, StageClubs]]) -> list[Row]:
    """Club ranking rules by stage."""
    several = len(stages) > 1
    words = [(str(read.stage), rule_text(clubs.kind, clubs.rule, clubs.best)) for read, clubs in stages]
    return [[f"{stage}: {rule}" if several else rule] for stage, rule in words]


def best_club(event: Event, stages: Sequence[tuple[StageRead, StageClubs]]) -> Iterator[Row]:
    """A line with the best clubs and their result; none where clubs have no places."""
    _columns, rows = clubs_table(event, stages)
    best = [row for row in rows if isinstance(row[0], Look) and row[0].value == 1]
    if best:
        result = average_text(best[0][2]) if isinstance(best[0][2], Fraction) else best[0][2]
        names = listed([str(row[1]) for row in best])
        yield [_("Best club: %(clubs)s (%(result)s)") % {"clubs": names, "result": result}]


def clubs_table(event: Event, stages: Sequence[tuple[StageRead, StageClubs]]) -> Table:
    """Clubs ranked by the last stage in which they have results."""
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
                    line.value if clubs.rule.mean or line.value.denominator > 1 else int(line.value),
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
        _("Players"),
        _("Note"),
    ]
    return [
        place_column(),
        *(Column(heading, WIDE if at == 3 else USUAL) for at, heading in enumerate(headings)),
    ], rows


def plays_table(event: Event, extras: Extras) -> Table:
    """One row per play, also void ones; for organisers with author, correction and reason."""
    private = event.ledger is not None
    heats = any(kind_of(read.stage.kind).one_play for read in event.stages)
    headings = [
        _("Stage"),
        _("Table"),
        _("Number"),
        _("Winner or who goes through") if heats else _("Winner"),
        _("Points"),
        _("State"),
        _("Time (%(zone)s)") % {"zone": event.tournament.time_zone},
        *([_("Entered by"), _("Corrected"), _("Reason given")] if private else []),
    ]
    columns = [Column(heading, WIDE if at in (3, 9) else USUAL) for at, heading in enumerate(headings)]
    return columns, [
        [
            str(read.stage),
            *_play_row(event, read, contest, play, answer),
            *(_entered(extras, play) if private else []),
        ]
        for read in event.stages
        for contest in read.results
        for answers in [{play.uid: answer for play, answer in contest.counted}]
        for play in contest.contest.in_order
        for answer in [answers.get(play.uid)]
    ]


def _play_row(
    event: Event, read: StageRead, contest: ContestResults, play: PlayFacts, answer: PlayAnswer | None
) -> Row:
    through = read.through if kind_of(read.stage.kind).one_play else frozenset()
    won = through or {str(row.entry) for row in play.with_outcome(Result.Outcome.WON)}
    results = answer.results if answer else ()
    first = [row for row in results if row.player in won or (row.place == 1 and not through)]
    state = Play.SecondLook(play.second_look) if waits(play) else Play.State(play.state)
    return [
        contest.contest.table_numbers[play.table],
        play.number,
        ", ".join(event.entries[row.player].shown_name for row in first) or None,
        first[0].points if first else None,
        str(state.label),
        event.entered.get(play.uid),
    ]


def _entered(extras: Extras, play: PlayFacts) -> Row:
    line = extras.entered.get(play.uid)
    if line is None:
        return [None, None, None]
    return [line.who, _("yes") if line.action in CORRECTIONS else None, line.note or None]


def money_above(event: Event) -> Iterator[Row]:
    """Number of paid entries, and sums."""
    fee, entries = event.tournament.fee, event.entries.values()
    paid = sum(entry.paid for entry in entries)
    yield [_("%(paid)d of %(all)d paid") % {"paid": paid, "all": len(entries)}]
    if fees_text(fee, paid):
        yield [f"{_('Paid')}: {fees_text(fee, paid)}"]
        yield [f"{_('To be paid')}: {fees_text(fee, len(entries) - paid)}"]


def money_table(event: Event, extras: Extras) -> Table:
    """Payments and answers by player."""
    headings = [
        _("Start number"),
        _("Player"),
        _("Real name"),
        _("Club or group"),
        _("Fee"),
        _("Paid"),
        _("Walk-in"),
        _("State"),
        *(question.label for question in extras.questions),
    ]
    rows: list[Row] = [
        [
            entry.start_number,
            entry.shown_name,
            None if entry.public_name == extras.real_names.get(player) else extras.real_names.get(player),
            entry.club or None,
            event.tournament.fee or None,
            _("yes") if entry.paid else inside(_("No")),
            _("yes") if player in extras.walk_ins else None,
            str(entry.get_state_display()),
            *(answer or None for _question, answer in answers_of(entry, extras.questions)),
        ]
        for player, entry in event.entries.items()
    ]
    return [*map(Column, headings)], rows


def about_table(event: Event) -> Table:
    """Ruleset, settings, rulings, export time and ledger head, for later verification."""
    tournament = event.tournament
    rules, revision = ruleset_name(tournament.ruleset), tournament.ruleset_revision
    rows: list[Row] = [[_("Ruleset"), rules if revision in rules else f"{rules} ({revision})"]]
    stages = {read.stage.number: read.stage for read in event.stages}
    for stage in stages.values():
        if source := source_text(stage, stages):
            rows.append([f"{stage}: {_('players')}", source])
        rows += _settings(stage)
    rows += [[question, ruling] for question, ruling in rulings_of(tournament.ruleset)]
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


def _settings(stage: Stage) -> Iterator[Row]:
    """Settings that the ruleset leaves open."""
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
        yield [f"{stage}: {_('a Customizable card says')}", text]
