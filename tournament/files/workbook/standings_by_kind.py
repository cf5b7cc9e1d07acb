"""The parts of a workbook that differ by kind of contest: the columns of the standings, the settings, and the decisions
so far."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from rulesets import ByKind, Ruleset
from tournament.files.workbook.columns import Columns
from tournament.files.workbook.event import StageRead
from tournament.files.workbook.sheet_look import count_words
from tournament.models import Stage
from tournament.results import ContestResults, target_of

Decided = tuple[str, list[str]]


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of a stage: a number, or a word."""

    key: str
    words: str
    value: int | str


@dataclass(frozen=True, slots=True)
class Kind:
    """`columns` are those of the standings by their keys, `settings` what a stage that began is played by, also where
    nobody chose it; `decided` is what a contest has decided so far, in words, each with the ids of its players."""

    columns: Callable[[], Columns]
    settings: Callable[[Ruleset, dict[str, Any]], list[Setting]]
    decided: Callable[[StageRead, ContestResults], Iterator[Decided]]


def _session() -> Columns:
    return {
        **_standing(),
        "points": _("Points"),
        "games": _("Games"),
        "average": _("Average"),
        "status": _("Status"),
        "fraction": _("Average as a fraction"),
        "place_f": _("Place by formula"),
        "points_f": _("Points by formula"),
        "games_f": _("Games by formula"),
        "average_f": _("Average by formula"),
        "check": _("Check"),
        "out": _("Removed by the referees"),
        "ranked": _("Ranked"),
    }


def _match() -> Columns:
    return {
        "table": _("Table"),
        **_standing(),
        "points": _("Points"),
        "won": _("Rounds won"),
        "status": _("Status"),
        "wins": _("Wins the match"),
        "place_f": _("Place by formula"),
        "points_f": _("Points by formula"),
        "won_f": _("Rounds won by formula"),
        "wins_f": _("Wins by formula"),
        "check": _("Check"),
        "out": _("Out of the match"),
        "out_from": _("From round"),
        "left": _("Order of leaving"),
        "stopped": _("Match stopped"),
        "in_play": _("In play"),
    }


def _heats() -> Columns:
    return {
        "table": _("Heat"),
        **_standing(),
        "through": _("Goes through"),
        "place_f": _("Place by formula"),
        "through_f": _("Goes through by formula"),
        "check": _("Check"),
        "decision": _("Decision"),
    }


def _standing() -> Columns:
    return {
        "place": _("Place"),
        "player": _("Player"),
        "club": _("Club or group"),
        "number": _("Start number"),
    }


def _session_settings(ruleset: Ruleset, sheet: dict[str, Any]) -> list[Setting]:
    return [
        Setting("min_games", _("fewest games needed to be ranked"), sheet["settings"].get("min_games") or 1),
        Setting("base", _("points of players still in: before the first"), ruleset.remaining_base),
        Setting("step", _("points of players still in: for each place"), ruleset.remaining_step),
        Setting("extra", _("gave up: points above the worst of the others"), ruleset.give_up_extra),
        Setting("least", _("gave up: points at least"), ruleset.give_up_least),
    ]


def _match_settings(ruleset: Ruleset, sheet: dict[str, Any]) -> list[Setting]:
    return [
        Setting("target", _("target"), target_of(sheet) or 0),
        Setting(
            "count", _("scoring"), count_words()[sheet["settings"].get("scoring") or ruleset.scorings[0]]
        ),
    ]


def _heats_settings(_ruleset: Ruleset, sheet: dict[str, Any]) -> list[Setting]:
    return [Setting("advance", _("through from each heat"), sheet["settings"].get("advance") or 1)]


def _session_decided(read: StageRead, contest: ContestResults) -> Iterator[Decided]:
    answer, finished = contest.answer, read.stage.state == Stage.State.FINISHED
    played = any(result.points is not None for game in answer.rounds for result in game.results)
    yield (_("winner") if finished else _("leads")), list(answer.winners) if played else []
    if finished and played:
        yield _("loser"), list(answer.losers)


def _match_decided(read: StageRead, contest: ContestResults) -> Iterator[Decided]:
    at_table = _("winner at table %(table)s") % {"table": contest.table_number}
    yield (at_table if len(read.results) > 1 else _("winner")), list(contest.answer.winners)


def _heats_decided(read: StageRead, contest: ContestResults) -> Iterator[Decided]:
    yield _("goes through"), list(read.going_on.through if read.going_on else contest.answer.finalists)


KINDS: ByKind[Kind] = ByKind(
    "files/workbook/standings_by_kind.py",
    {
        "session": Kind(_session, _session_settings, _session_decided),
        "match": Kind(_match, _match_settings, _match_decided),
        "heats": Kind(_heats, _heats_settings, _heats_decided),
    },
)
