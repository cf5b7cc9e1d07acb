"""Words per kind of contest and of what decides, for plays and standings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _, ngettext

from rulesets import OWN_HAND, WINNER_TAKES, ByKind
from tournament.words.text import amount_text, average_text, inside, points_unit

Text = str | Promise


@dataclass(frozen=True, slots=True)
class Kind:
    """Words of a kind. `play`: by number; `play_at`: with table; `run`: consecutive; `step`: heading; `void`: explains
    missing numbers; `plays`: count; `course`: heading of the chart of points; `bell`: what follows when time is up."""

    play: Text
    play_at: Text
    step: Text
    run: Text = ""
    course: Text = ""
    bell: Text = ""
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
            plays=lambda n: ngettext("%(n)s game", "%(n)s games", n) % {"n": n},
        ),
        "match": Kind(
            _("Round %(number)s"),
            _("Table %(table)s, round %(number)s"),
            _("Round"),
            run=_("Rounds %(first)s to %(last)s"),
            void=lambda n: ngettext("Round %(numbers)s was void", "Rounds %(numbers)s were void", n),
            course=_("Points over rounds"),
            bell=_("Time is up. The points stand, and the round under way does not count."),
            plays=lambda n: ngettext("%(n)s round", "%(n)s rounds", n) % {"n": n},
        ),
        "heats": Kind(
            _("Heat %(table)s"),
            _("Heat %(table)s"),
            _("Heat"),
            plays=lambda n: ngettext("%(n)s heat", "%(n)s heats", n) % {"n": n},
        ),
        "race": Kind(
            _("Game %(number)s"),
            _("Table %(table)s, game %(number)s"),
            _("Game"),
            run=_("Games %(first)s to %(last)s"),
            void=lambda n: ngettext("Game %(numbers)s was void", "Games %(numbers)s were void", n),
            course=_("Points over games"),
            bell=_("Time is up. The game ends here. Count the cards in each hand."),
            plays=lambda n: ngettext("%(n)s game", "%(n)s games", n) % {"n": n},
        ),
    },
)


@dataclass(frozen=True, slots=True)
class Deciding:
    """Words of what decides a place: its column's `unit`, the `text` of a value (None: no game), and the `worth` after
    it."""

    unit: Text
    text: Callable[[Any], str]
    worth: Callable[[Any], str]

    def said(self, value: Any) -> str:
        """As in "313 points"."""
        return f"{self.text(value)} {self.worth(value)}"


# By `decided_by` of an answer, "" of heats; "through" of clubs in heats
DECIDING: dict[str, Deciding] = {
    "average": Deciding(_("Average"), average_text, lambda _value: str(_("points a game"))),
    "total": Deciding(_("Points"), amount_text, points_unit),
    "wins": Deciding(
        _("Games won"), amount_text, lambda value: ngettext("game won", "games won", int(value))
    ),
    "cards": Deciding(
        _("Cards left"), amount_text, lambda value: ngettext("card left", "cards left", int(value))
    ),
    "through": Deciding(_("Through"), amount_text, lambda _value: inside(str(_("Through")))),
    "": Deciding("", lambda _value: "", lambda _value: ""),
}
AVERAGES = _("Average over games")  # heading of the chart where averages decide

# Buttons that move a stage on, by its kind; "" for a stage with a name
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
    "race": {
        "start": _("Start the race"),
        "finish": _("Finish the race"),
        "reopen": _("Reopen the race"),
    },
    "races": {
        "start": _("Start the races"),
        "finish": _("Finish the races"),
        "reopen": _("Reopen the races"),
    },
    "": {"start": _("Start %(stage)s"), "finish": _("Finish %(stage)s"), "reopen": _("Reopen %(stage)s")},
}

STATUSES: dict[str, Text] = {
    "ranked": _("ranked"),
    "too_few_games": _("too few games"),
    "not_played": _("did not play"),
    "withdrawn": _("left"),
    "disqualified": _("disqualified"),
}

# `Seat.OutAs` in referees' words.
OUT_KINDS: dict[str, Text] = {"withdrawn": _("left"), "removed": _("removed")}
# A race's game: who misses it, who went out if the bell ended it
GAME_KINDS: dict[str, Text] = {"absent": _("did not play"), "time": _("Nobody: time was up")}


# What a player gets from a race's game, by its setting `scoring`.
RACE_SCORINGS: dict[str, Text] = {
    OWN_HAND: _("own hand: everyone collects the points of their own cards, and the fewest are best"),
    WINNER_TAKES: _("winner takes: the winner gets the points of the others’ cards, and the most are best"),
    "placing": _(
        "placing: from 1 for the best hand to 0 for the worst, which is fair for tables of every size"
    ),
}
RANKS: dict[str, tuple[Text, Text]] = {  # where the fewest points are best, and the most
    "average": (_("lowest average points a game"), _("highest average points a game")),
    "total": (_("fewest points"), _("most points")),
    "wins": (_("most games won"), _("most games won")),
    "cards": (_("fewest cards left"), _("fewest cards left")),
}


def race_text(settings: Mapping[str, Any]) -> str:
    """What decides a race, and how many games count, are needed or allowed."""
    ranks = [str(RANKS[word][settings["scoring"] != OWN_HAND]) for word in settings.get("rank", ["average"])]
    several = _("Ranked in this order: %(ranks)s.")
    said = [str(several if len(ranks) > 1 else _("Ranked by %(ranks)s.")) % {"ranks": ", ".join(ranks)}]
    if best := settings.get("best"):
        said.append(ngettext("The best game counts.", "The best %(n)d games count.", best) % {"n": best})
    if (least := settings.get("min_games") or 1) > 1:
        text = ngettext("A place needs %(n)d game.", "A place needs %(n)d games.", least)
        said.append(text % {"n": least})
    if most := settings.get("max_games"):
        text = ngettext("Everyone plays %(n)d game at most.", "Everyone plays %(n)d games at most.", most)
        said.append(text % {"n": most})
    return " ".join(said)


def goal_text(target: int, *, lowest: bool) -> str:
    """The goal of a match: at `target` the `lowest` total wins, or the first there."""
    return str(
        _("Played to %(target)s points. The lowest total wins.")
        if lowest
        else _("First to %(target)s points.")
    ) % {"target": target}
