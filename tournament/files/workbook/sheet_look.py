"""The parts that sheets with formulas share: their words, the check of a row, and their look."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from rulesets import OWN_HAND, WINNER_TAKES
from tournament.files.workbook.addresses import Sheet, quoted
from tournament.files.workbook.cells import Formula
from tournament.files.workbook.writer import Looks
from tournament.models import Play, Result


@dataclass(frozen=True, slots=True)
class Words:
    """Words of one language as they stand in formulas, quoted: outcomes and states by their codes, the alternative
    count, and what a check says where program and formulas agree (`same`) and where they do not (`other`)."""

    outcomes: Mapping[str, str]
    states: Mapping[str, str]
    own_hand: str
    yes: str
    same: str
    other: str

    @classmethod
    def now(cls) -> "Words":
        """Give the words of the active language."""
        return cls(
            outcomes={str(outcome): quoted(str(outcome.label)) for outcome in Result.Outcome},
            states={str(state): quoted(str(state.label)) for state in Play.State},
            own_hand=quoted(count_words()[OWN_HAND]),
            yes=quoted(_("yes")),
            same=quoted(_("OK")),
            other=quoted(other_word()),
        )

    def check(self, at: Mapping[str, str], *keys: str) -> Formula:
        """Give the formula that tells whether the formulas of these columns agree with the program. `at` has the row's
        cells by their keys."""
        same = ",".join([f"{at[key]}={at[key + '_f']}" for key in keys])
        return Formula(f"IF(AND({same}),{self.same},{self.other})", "word")


def other_word() -> str:
    """Give the word of a check where program and formulas do not agree."""
    return _("differs")


def count_words() -> dict[str, str]:
    """Name the ways to count a match."""
    return {WINNER_TAKES: _("standard scoring"), OWN_HAND: _("alternative scoring")}


def outcome_words(*outcomes: Result.Outcome) -> dict[str, str]:
    """Name these outcomes, or all of them where none is given."""
    return {str(outcome.value): str(outcome.label) for outcome in outcomes or Result.Outcome}


def state_words() -> list[str]:
    """List every word for a play's state."""
    return [str(state.label) for state in (*Play.State, Play.SecondLook.WANTED, Play.SecondLook.CONTESTED)]


def groups(sheet: Sheet) -> list[int]:
    """The columns that say which play of which table a row is about; none where rows are about something else."""
    return [sheet.index(key) for key in ("stage", "table", "play") if "play" in sheet.columns]


def looks(
    sheet: Sheet,
    name: str = "",
    outcomes: Sequence[Result.Outcome] = (),
    times: Mapping[str, str] | None = None,
    kept: str = "player",
    **more: Any,
) -> Looks:
    """Give the look of a sheet with formulas; its columns are named `name` and their key, for programs, unless it has
    none; else those up to `kept` stay in sight. Where it has `outcomes`, they and states are chosen from a list;
    `times` are the hints of the columns of times. The program's values are printed, those of the formulas are for the
    screen. `more` are other fields of Looks."""
    words = {"state": state_words(), "outcome": [*outcome_words(*outcomes).values()]} if outcomes else {}
    return Looks(
        printed=next((at for at, key in enumerate(sheet.columns) if key.endswith("_f")), None),
        kept=0 if name else sheet.index(kept) + 1,
        groups=groups(sheet),
        hidden=[sheet.index("id")] if "id" in sheet.columns else [],
        words={sheet.index(key): each for key, each in words.items()},
        times={sheet.index(key): said for key, said in (times or {}).items()},
        marked={sheet.index("check"): other_word()} if "check" in sheet.columns else {},
        named={sheet.index(key): f"{name}_{key}" for key in sheet.columns} if name else {},
        **more,
    )
