"""Words per kind of contest, for plays and standings."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _, ngettext

from rulesets import ByKind
from tournament.words.text import average_text, points_unit

Text = str | Promise


@dataclass(frozen=True, slots=True)
class Kind:
    """Words of a kind. `play`: by number; `play_at`: with table; `run`: consecutive; `step`: heading; `void`: explains
    missing numbers; `plays`: count.

    Standings (not heats): `unit`: deciding column; `value`: in a row; `worth`: unit after it; `course`: heading of
    the chart.
    """

    play: Text
    play_at: Text
    step: Text
    run: Text = ""
    unit: Text = ""
    course: Text = ""
    value: Callable[[Any], str] = lambda row: str(row.points)
    worth: Callable[[Any], str] = lambda _row: ""
    void: Callable[[int], str] = lambda _n: ""
    plays: Callable[[int], str] = str


KINDS: ByKind[Kind] = ByKind(
    "words/kinds.py",
    {
        "session": Kind(
            _("Game %(number)s"),
            _("Table %(table)s, game %(number)s"),
            _("Game"),
            run=_("Games %(first)s to %(last)s"),
            void=lambda n: ngettext("Game %(numbers)s was void", "Games %(numbers)s were void", n),
            unit=_("Average"),
            course=_("Average over games"),
            value=lambda row: average_text(row.average),
            worth=lambda _row: str(_("points a game")),
            plays=lambda n: ngettext("%(n)s game", "%(n)s games", n) % {"n": n},
        ),
        "match": Kind(
            _("Round %(number)s"),
            _("Table %(table)s, round %(number)s"),
            _("Round"),
            run=_("Rounds %(first)s to %(last)s"),
            void=lambda n: ngettext("Round %(numbers)s was void", "Rounds %(numbers)s were void", n),
            unit=_("Points"),
            worth=lambda row: points_unit(row.points),
            course=_("Points over rounds"),
            plays=lambda n: ngettext("%(n)s round", "%(n)s rounds", n) % {"n": n},
        ),
        "heats": Kind(
            _("Heat %(table)s"),
            _("Heat %(table)s"),
            _("Heat"),
            value=lambda _row: "",
            plays=lambda n: ngettext("%(n)s heat", "%(n)s heats", n) % {"n": n},
        ),
    },
)

# The buttons that move a stage on, by its kind; STAGE_MOVES[""] for a stage with a name.
STAGE_MOVES: dict[str, dict[str, Text]] = {
    "session": {
        "start": _("Start the session"),
        "finish": _("Finish the session"),
        "reopen": _("Reopen the session"),
    },
    "match": {
        "start": _("Start the match"),
        "finish": _("Finish the match"),
        "reopen": _("Reopen the match"),
    },
    "heats": {
        "start": _("Start the heats"),
        "finish": _("Finish the heats"),
        "reopen": _("Reopen the heats"),
    },
    "final": {
        "start": _("Start the final"),
        "finish": _("Finish the final"),
        "reopen": _("Reopen the final"),
    },
    "": {"start": _("Start %(stage)s"), "finish": _("Finish %(stage)s"), "reopen": _("Reopen %(stage)s")},
}

# Statuses in standings.
STATUSES: dict[str, Text] = {
    "ranked": _("ranked"),
    "too_few_games": _("too few games"),
    "not_played": _("did not play"),
    "withdrawn": _("left"),
    "disqualified": _("disqualified"),
}

# `Seat.OutAs` in referees' words.
OUT_KINDS: dict[str, Text] = {"withdrawn": _("left"), "removed": _("removed")}


def goal_text(target: int, *, lowest: bool) -> str:
    """The goal of a match: at `target` the `lowest` total wins, or the first there."""
    text = (
        _("Played to %(target)s points. The lowest total wins.")
        if lowest
        else _("First to %(target)s points.")
    )
    return str(text) % {"target": target}
