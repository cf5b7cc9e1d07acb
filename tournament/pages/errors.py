"""Errors of a form as its page shows them: the summary, and the words at each field."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from tournament.models import Entry, Tournament
from tournament.results import Fault
from tournament.words.faults import fault_text


@dataclass(frozen=True, slots=True)
class Problem:
    """A line in the summary of errors, with a link to its field ("" if it has none)."""

    text: str
    href: str = ""


def errors_context(faults: Sequence[Fault], names: Mapping[str, str] | None = None) -> dict[str, Any]:
    """`errors`: the lines of the summary, each naming the player whose hand or time it is about; `wrong`: the error
    texts by path, the first of each; `reason_error`: the error of the reason."""
    wrong: dict[str, str] = {}
    problems: list[Problem] = []
    for fault in faults:
        words = fault_text(fault, names)
        wrong.setdefault(fault.path, words)
        _root, first, player = [*fault.path.split("/"), "", ""][:3]
        name = (names or {}).get(player, "") if first in {"hands", "results"} else ""
        text = f"{name}: {words}" if name and name not in words else words
        if not any(problem.text == text for problem in problems):
            problems.append(Problem(text, href_of(fault.path)))
    return {"errors": problems, "wrong": wrong, "reason_error": wrong.get("/reason", "")}


def href_of(path: str) -> str:
    """The anchor of the field at a fault's path: `/hands/<entry>/<card>` is at `#hand-<entry>`,
    `/results/<entry>/elapsed_s` at `#result-<entry>`, and `/reason` at `#id_reason`, as Django names its fields."""
    steps = path.split("/")[1:]
    match steps:
        case [] | ["command" | "play" | "table" | "plays" | "stage", *_]:
            return ""
        case ["winner"]:
            return "#winner"
        case ["finish_order", *_]:
            return "#order"
        case ["hands", entry, *_] | ["results", entry, "hand", *_]:
            return f"#hand-{entry}"
        case ["results", entry, *_]:
            return f"#result-{entry}"
        case _:
            return "#id_" + "_".join(steps)


def problems(faults: Sequence[Fault], names: Mapping[str, str]) -> list[Problem]:
    """The lines of the summary; a fault at `/tables/<number>` names the table, one at `/settings/<name>` leads to its
    field."""
    return [Problem(_text(fault, names), _field(fault)) for fault in faults]


def _field(fault: Fault) -> str:
    steps = fault.path.split("/")
    return f"#id_{steps[2]}" if steps[1:2] == ["settings"] and len(steps) == 3 else ""


def _text(fault: Fault, names: Mapping[str, str]) -> str:
    text = fault_text(fault, names)
    steps = fault.path.split("/")
    if len(steps) > 2 and steps[1] == "tables" and "table" not in fault.parameters:
        return gettext("Table %(number)s: %(text)s") % {"number": steps[2], "text": text}
    return text


def names_in(tournament: Tournament) -> dict[str, str]:
    """Names as shown of the tournament's players by uid."""
    return Entry.objects.filter(tournament=tournament).names()
