"""Form errors: summary, and text per field."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext

from tournament.models import Entry, Tournament
from tournament.results import Fault
from tournament.words.faults import fault_text


@dataclass(frozen=True, slots=True)
class Problem:
    """Line of the summary; `href` links to the field, "" for none."""

    text: str
    href: str = ""


def errors_context(faults: Sequence[Fault], names: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Context: `errors`: summary, naming players of wrong hands, times; `wrong`: first text by path; `reason_error`."""
    wrong: dict[str, str] = {}
    problems: list[Problem] = []
    for fault in faults:
        words = fault_text(fault, names)
        wrong.setdefault(fault.path, words)
        _root, first, player = [*fault.path.split("/"), "", ""][:3]
        name = (names or {}).get(player, "") if first in {"hands", "results"} else ""
        text = f"{name}: {words}" if name and name not in words else words
        if fault.code == "ejected_in_game":  # asks for the correction of that play
            href = reverse("play-correct", args=[fault.path.rpartition("/")[2]])
        else:
            href = href_of(fault.path)
        if not any(problem.text == text for problem in problems):
            problems.append(Problem(text, href))
    return {"errors": problems, "wrong": wrong, "reason_error": wrong.get("/reason", "")}


def href_of(path: str) -> str:
    """Anchor of the field at a fault's path, "" without one: `/hands/<entry>/<card>` is `#hand-<entry>`,
    `/results/<entry>/elapsed_s` is `#result-<entry>`, `/reason` is `#id_reason`."""
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
    """Summary lines; `/tables/<number>` names the table, `/settings/<name>` links to its field."""
    lines = []
    for fault in faults:
        text, href = fault_text(fault, names), ""
        match fault.path.split("/"):
            case [_, "settings", name]:
                href = f"#id_{name}"
            case [_, "tables", number, *_] if "table" not in fault.parameters:
                text = gettext("Table %(number)s: %(text)s") % {"number": number, "text": text}
        lines.append(Problem(text, href))
    return lines


def names_in(tournament: Tournament) -> dict[str, str]:
    """Shown names of the players, by uid."""
    return Entry.objects.filter(tournament=tournament).names()
