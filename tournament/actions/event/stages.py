"""Stages: plan, configure, start, finish, reopen."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from rulesets import RULESETS
from tournament.actions.kernel import (
    UNCHANGED,
    Faults,
    Unchanged,
    Work,
    action,
    chosen,
    fit,
    note_who_left,
    or_refuse,
    refuse,
    refuse_if,
    refuse_other_kind,
)
from tournament.models import (
    LONGEST_CARD_TEXT,
    MOST_CARD_TEXTS,
    STAGE,
    HallClock,
    PastResult,
    Play,
    Stage,
    Table,
    Tournament,
    can,
    leads_to,
)
from tournament.queries.chain import Chain
from tournament.queries.incidents import faults_of
from tournament.queries.stage_rules import kinds_with_target, target_open
from tournament.queries.visible import freezing, left_of
from tournament.results import (
    COUNTS,
    Contest,
    Fault,
    check_settings,
    check_source,
    contests_now,
    given,
    kind_of,
    kinds_in,
    settle,
    stage_results,
)
from tournament.words.text import clean

__all__ = [
    "begin_reveal",
    "choose_target",
    "finish_stage",
    "freeze_standings",
    "let_players_time",
    "lift_freeze",
    "plan_stage",
    "reopen_stage",
    "reveal_next",
    "set_stage_settings",
    "start_stage",
]


LONGEST_NAME = 60  # characters


@action(least="organiser", says=_("added a stage"), undo="ledger")
def plan_stage(
    work: Work,
    *,
    stage: UUID,
    kind: str,
    name: str = "",
    settings: Mapping[str, object] | None = None,
    card_texts: Sequence[str] = (),
    second_look: bool = False,
    source: Mapping[str, object] | None = None,
) -> None:
    """Append a stage with uid `stage`. `card_texts`: Customizable cards; `second_look`: its results need a second
    person; `source` as in results/contests.py. Refused `wrong_kind_of_stage` (not in the ruleset), `stage_exists`,
    `results_brought_in`, `too_many_card_texts`, `field_max_length`, scoring's faults, as `check_source`."""
    refuse_if(Stage.objects.filter(uid=stage).exists(), Fault("stage_exists", "/stage"))
    brought_in = PastResult.objects.filter(entry__tournament=work.tournament)
    refuse_if(brought_in.exists(), Fault("results_brought_in", "/stage"))
    row = Stage(
        uid=stage,
        tournament=work.tournament,
        number=Stage.objects.filter(tournament=work.tournament).count() + 1,
        kind=kind,
        settings=dict(settings or {}),
        source=source or {},
        second_look=second_look,
    )
    check_planned(row, work.faults, name=name, card_texts=card_texts)
    with work.faults:
        check_source(row)
    work.add(row)
    if work.tournament.state == Tournament.State.FINISHED:
        work.update(work.tournament, state=Tournament.State.RUNNING)


@action(least="organiser", says=_("changed a stage’s settings"), undo="again")
def set_stage_settings(
    work: Work,
    *,
    stage: UUID,
    settings: Mapping[str, object] | Unchanged = UNCHANGED,
    name: str | Unchanged = UNCHANGED,
    card_texts: Sequence[str] | Unchanged = UNCHANGED,
    source: Mapping[str, object] | Unchanged = UNCHANGED,
) -> None:
    """Set ruleset options, Customizable cards and source before the start; the name, and whether tables are open, at
    any time.

    Refused `settings_locked`, `too_many_card_texts`, `field_max_length`, scoring's faults, as `check_source`.
    """
    row, faults, anyhow = stage_named(work, stage), work.faults, {"open": True}
    before, locked = (row.settings, row.card_texts, row.source), row.state != Stage.State.PLANNED
    row.settings, row.source = dict(chosen(settings, row.settings)), chosen(source, row.source)
    with faults:
        refuse_if(locked and row.settings != before[0], Fault("settings_locked", "/settings"))
        check_settings(row, whole=False)
    with faults:
        row.card_texts = _fit_card_texts(row, chosen(card_texts, row.card_texts))
        refuse_if(locked and row.card_texts != before[1], Fault("settings_locked", "/card_texts"))
    with faults:
        if row.source != before[2]:
            check_source(row)
        refuse_if(locked and row.source | anyhow != before[2] | anyhow, Fault("settings_locked", "/source"))
    row.name = fit_name(chosen(name, row.name))
    work.save(row, "settings", "card_texts", "source", "name")


@action(least="organiser", says=_("set who may run the clock"), undo="ledger")
def let_players_time(work: Work, *, stage: UUID, wanted: bool) -> None:
    """Whether the oldest player of a session's table runs its clock, by the table's code; their entries are proposals.
    Refused `wrong_kind_of_stage`, `illegal_move` (stage over)."""
    row = stage_named(work, stage)
    refuse_if(not kind_of(row.kind).timed, Fault("wrong_kind_of_stage", "/stage"))
    refuse_if(row.state == Stage.State.FINISHED, Fault("illegal_move", "/stage", {"state": str(row.state)}))
    work.update(row, players_clock=wanted)


@action(least="head_referee", says=_("chose the target"), undo="ledger")
def choose_target(work: Work, *, stage: UUID, target: int) -> None:
    """Choose a target that the ruleset leaves open, until a round is entered. Refused `wrong_kind_of_stage`,
    `target_locked` (a round exists, even voided), scoring's `target_out_of_range`."""
    row = stage_named(work, stage)
    refuse_other_kind(row.kind, "/stage", kinds_with_target(work.tournament.ruleset))
    refuse_if(not target_open(row), Fault("target_locked", "/target"))
    row.settings = row.settings | {"target": target}
    check_settings(row, whole=True, at="/target")
    work.save(row, "settings")


@action(least="head_referee", says=_("started a stage"), undo="ledger")
def start_stage(work: Work, *, stage: UUID) -> None:
    """Start play; settings are locked, but for a target that referees choose. Refused `illegal_move`, `no_tables` and
    `too_few_players` (neither if tables are open), `heats_open`, scoring's `missing_target`."""
    row = stage_named(work, stage)
    _move(row, "start")
    _refuse_open_heats(row)
    if "open" not in row.source:
        tables = list(Table.objects.filter(stage=row).prefetch_related("seats"))
        refuse_if(not tables, Fault("no_tables", "/stage"))
        refuse(
            Fault("too_few_players", f"/tables/{table.number}", {"least": 2})
            for table in tables
            if len(table.seats.all()) < 2
        )
    check_settings(row, whole=True)
    work.save(row, "state")
    if work.tournament.state != Tournament.State.RUNNING:
        work.update(work.tournament, state=Tournament.State.RUNNING)


@action(least="head_referee", says=_("finished a stage"), undo="ledger")
def finish_stage(work: Work, *, stage: UUID, without: Sequence[int] = (), reason: str = "") -> None:
    """Finish a stage, with the last the tournament: results become official. `without`: numbers of tables whose heat
    has no result, with `reason`. Refused `illegal_move`, `heats_open`, `game_running`, `match_not_over`,
    `heat_missing` (other tables), `set_aside_undecided`, `play_unaccepted`, `play_contested` (for each play)."""
    row = stage_named(work, stage)
    if without:
        work.because(reason)
    _move(row, "finish")
    _refuse_open_heats(row)
    contests = contests_now(row)
    numbers = {number for contest in contests for number in contest.table_numbers.values()}
    faults = work.faults
    faults.add_if(set(without) - numbers, Fault("unknown_table", "/without"))
    for contest in contests:
        settled = settle(contest)
        path = f"/tables/{contest.table_numbers[contest.table]}" if contest.table else "/stage"
        running = any(play.state == Play.State.RUNNING for play in contest.plays)
        faults.add_if(running, Fault("game_running", path))
        short = kind_of(contest.kind).to_target and not settled.answer.complete
        faults.add_if(short, Fault("match_not_over", path))
        if kind_of(contest.kind).one_play:
            begun = {play.table for play in contest.plays if play.state in COUNTS}
            faults += [
                Fault("heat_missing", f"/tables/{number}", {"table": number})
                for table, number in contest.table_numbers.items()
                if table not in begun and number not in without
            ]
        faults += [
            Fault(
                "set_aside_undecided",
                f"/plays/{play.uid}",
                {"table": contest.table_numbers[play.table], "number": play.number},
            )
            for play in settled.contest.in_order
            if play.state == Play.State.SET_ASIDE
        ]
    faults += faults_of(contests)
    work.save(row, "state")
    _show_lives(work)
    _move_plays(work, contests, Play.State.ENTERED, Play.State.OFFICIAL)
    if not Stage.objects.filter(tournament=work.tournament).exclude(state=Stage.State.FINISHED).exists():
        work.update(work.tournament, state=Tournament.State.FINISHED)


@action(least="organiser", says=_("reopened a stage"), undo="ledger")
def reopen_stage(work: Work, *, stage: UUID, reason: str) -> None:
    """Reopen a finished stage for a correction; a reveal returns to the freeze. Seats in a later stage stay until
    decided (`keep_finalists`, `swap_finalist`). Refused `illegal_move`."""
    row = stage_named(work, stage)
    _move(row, "reopen")
    work.because(reason)
    row.revealed = None
    forget_clock(work, row)
    work.save(row, "state", "revealed")
    _show_lives(work)
    _move_plays(work, contests_now(row), Play.State.OFFICIAL, Play.State.ENTERED)
    for table in Table.objects.filter(stage=row) if kind_of(row.kind).to_target else ():
        note_who_left(work, table)
    if work.tournament.state == Tournament.State.FINISHED:
        work.update(work.tournament, state=Tournament.State.RUNNING)


def check_planned(row: Stage, faults: Faults, *, name: str, card_texts: Sequence[str]) -> None:
    """Check a new stage's settings, and set its name and card texts. Refused `wrong_kind_of_stage`; other faults go to
    `faults`."""
    refuse_other_kind(row.kind, "/kind", kinds_in(row.tournament.ruleset))
    with faults:
        check_settings(row, whole=False)
    with faults:
        row.card_texts = _fit_card_texts(row, card_texts)
    with faults:
        row.name = fit_name(name)


def stage_named(work: Work, uid: UUID) -> Stage:
    """This tournament's stage of that uid."""
    return or_refuse(
        Stage.objects.select_related("tournament").filter(tournament=work.tournament, uid=uid).first(),
        Fault("unknown_stage", "/stage"),
    )


def forget_clock(work: Work, stage: Stage) -> None:
    """Delete the hall's clock of a removed or reopened stage."""
    for row in HallClock.objects.filter(stage=stage):
        work.delete(row)


def _move(stage: Stage, move: str) -> None:
    wanted = next(leads_to(STAGE, state, move) for state in STAGE if can(STAGE, state, move))
    refuse_if(
        not can(STAGE, stage.state, move),
        Fault("illegal_move", "/stage", {"state": str(stage.state), "wanted": str(wanted)}),
    )
    stage.state = wanted


def _refuse_open_heats(stage: Stage) -> None:
    """By default only a final waits for all; heats and matches may follow table by table."""
    if not (stage.source or kind_of(stage.kind).all_together):
        return
    running = [
        each for each in Chain(stage.tournament).feeding(stage.number) if each.state == Stage.State.RUNNING
    ]
    refuse(Fault("heats_open", "/stage", {"heats": str(each)}) for each in running)


def _show_lives(work: Work) -> None:
    """Lives stand on the pages of all stages."""
    stages = list(Stage.objects.filter(tournament=work.tournament))
    if any(stage.source.get("lives") for stage in stages):
        work.readers_of(*stages)


def _move_plays(work: Work, contests: Sequence[Contest], before: str, after: str) -> None:
    moved = [play for contest in contests for play in contest.plays if play.state == before]
    Play.objects.filter(uid__in=[play.uid for play in moved]).update(state=after, version=work.sequence)
    for play in moved:
        work.wrote(replace(play, state=after))


def fit_name(name: str) -> str:
    """Clean a name for storing; Refused `field_max_length`."""
    return fit(name, "/name", LONGEST_NAME)


def _fit_card_texts(stage: Stage, texts: Sequence[str]) -> list[str]:
    refuse_if(
        not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts),
        Fault("malformed", "/card_texts"),
    )
    kept = [(index, text) for index, said in enumerate(texts) if (text := clean(said))]
    in_deck = stage.settings.get("custom_cards")
    if not RULESETS[stage.tournament.ruleset].custom_cards or kind_of(stage.kind).one_play:
        in_deck = 0
    most = in_deck if isinstance(in_deck, int) else MOST_CARD_TEXTS
    faults = [
        Fault(
            "field_max_length",
            f"/card_texts/{index}",
            {"limit_value": LONGEST_CARD_TEXT, "show_value": len(text)},
        )
        for index, text in kept
        if len(text) > LONGEST_CARD_TEXT
    ]
    faults += [
        Fault("too_many_card_texts", f"/card_texts/{index}", {"most": most}) for index, _text in kept[most:]
    ]
    refuse(faults)
    return [text for _index, text in kept]


# ---- Freeze and reveal (tournament/queries/visible.py) ----


@action(least="organiser", says=_("froze the standings"), undo="again")
def freeze_standings(work: Work, *, stage: UUID) -> None:
    """Freeze the public view of this and later stages. Refused `illegal_move` before the start, `frozen_already`."""
    row = stage_named(work, stage)
    refuse_if(row.state == Stage.State.PLANNED, Fault("illegal_move", "/stage", {"state": str(row.state)}))
    refuse_if(row.frozen_after is not None, Fault("frozen_already", "/stage"))
    _save(work, row, work.sequence, None)


@action(least="organiser", says=_("started the reveal"), undo="again")
def begin_reveal(work: Work, *, stage: UUID) -> None:
    """Reveal players without a place (of heats, nothing); `reveal_next` continues. Refused `not_frozen`,
    `illegal_move` (unfinished), `frozen_by_earlier`, `reveal_begun`."""
    row = _frozen(work, stage)
    refuse_if(row.state != Stage.State.FINISHED, Fault("illegal_move", "/stage", {"state": str(row.state)}))
    refuse_if(freezing(row) != row, Fault("frozen_by_earlier", "/stage"))
    refuse_if(row.revealed is not None, Fault("reveal_begun", "/stage"))
    _save(work, row, row.frozen_after, 0)


@action(least="organiser", says=_("revealed a place"), undo="again")
def reveal_next(work: Work, *, stage: UUID, left: int) -> None:
    """Reveal one step; the last unfreezes. `left`: steps left as seen, against double taps. Refused `not_frozen`,
    `reveal_not_begun`, `revealed_already`."""
    row = _frozen(work, stage)
    revealed = or_refuse(row.revealed, Fault("reveal_not_begun", "/stage"))
    now = left_of(row, stage_results(row))
    refuse_if(given.whole(left, "/left") != now, Fault("revealed_already", "/left", {"left": now}))
    if now == 1:
        _save(work, row, None, None)
    else:
        _save(work, row, row.frozen_after, revealed + 1)


@action(least="organiser", says=_("showed the standings again"), undo="again")
def lift_freeze(work: Work, *, stage: UUID) -> None:
    """Unfreeze the stage; earlier freezes still apply. Refused `not_frozen`."""
    _save(work, _frozen(work, stage), None, None)


def _frozen(work: Work, stage: UUID) -> Stage:
    row = stage_named(work, stage)
    refuse_if(row.frozen_after is None, Fault("not_frozen", "/stage"))
    return row


def _save(work: Work, row: Stage, frozen_after: int | None, revealed: int | None) -> None:
    work.update(row, frozen_after=frozen_after, revealed=revealed)
    stages = Stage.objects.filter(tournament=work.tournament)
    # Unfreezing also shows no-shows and departures in earlier stages.
    work.readers_of(*(stages if frozen_after is None else stages.filter(number__gte=row.number)))
