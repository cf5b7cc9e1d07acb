"""What the sheets with formulas share: the check of a row, and how such a sheet looks."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from tournament.exports.cells import Formula, Looks
from tournament.exports.sheets import Sheet, quoted


def check(at: Mapping[str, str], *keys: str) -> Formula:
    """Whether the formulas of these columns find what the program says. `at` has the row's cells by their keys."""
    same = ",".join(f"{at[key]}={at[key + '_f']}" for key in keys)
    return Formula(f"IF(AND({same}),{quoted(same_word())},{quoted(other_word())})", "text")


def same_word() -> str:
    """What a check says where program and formulas agree."""
    return _("OK")


def other_word() -> str:
    """What a check says where they do not."""
    return _("differs")


def looks(
    sheet: Sheet,
    name: str = "",
    words: Mapping[str, Sequence[str]] | None = None,
    times: Mapping[str, str] | None = None,
) -> Looks:
    """How a sheet with formulas looks; its columns are named `name` and their key, for programs, unless it has none."""
    return Looks(
        hidden=[sheet.index("id")] if "id" in sheet.columns else [],
        words={sheet.index(key): each for key, each in (words or {}).items()},
        times={sheet.index(key): said for key, said in (times or {}).items()},
        marked={sheet.index("check"): other_word()} if "check" in sheet.columns else {},
        named={sheet.index(key): f"{name}_{key}" for key in sheet.columns} if name else {},
    )
