"""A KPGUT game as friends enter it."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from scoring import Answer
from tournament.extras.friends.pages.sheets import (
    PlayerFields,
    Row,
    RowRules,
    Sheet,
    hand_of,
    hands_pad,
    names_of,
    options_of,
)
from tournament.pages.desk.play import ENDINGS
from tournament.pages.public.at_table import by_the_clock
from tournament.results import OUTCOMES, GameEntry, Typed, read_game, remaining_in, typed_game
from tournament.words.text import listed


def summary(sheet: Sheet, row: Row, answer: Answer | None, index: int) -> str:
    """Names of the winners; "Void" for a void game."""
    if answer is None:
        return ""
    if row["ended"] == "void":
        return _("Void")
    names = names_of(sheet)
    return listed([names[each.player] for each in answer.rounds[index].results if each.place == 1])


def to_count(rules: RowRules, typed: Typed) -> list[str]:
    """Players whose hands to ask for."""
    return remaining_in(typed, rules.players)


def entry(
    _sheet: Sheet,
    rules: RowRules,
    typed: Mapping[str, str],
    errors: Mapping[str, str],
    counting: Sequence[str],
) -> dict[str, Any]:
    """Form fields of a game."""
    outcome_words = {
        "": _("did not play"),
        "out": _("out"),
        "last": _("last one left"),
        "remaining": _("cards left at the end"),
        "gave_up": _("gave up"),
        "ejected": _("ejected"),
    }
    usual = "" if typed else "out"  # new game: out by default
    return {
        "players": [
            PlayerFields(
                key=player,
                name=name,
                options=options_of(
                    {key: outcome_words[key] for key in ("", *map(str, OUTCOMES))},
                    typed.get(f"outcome-{player}", usual),
                ),
                time=typed.get(f"time-{player}", ""),
                error=errors.get(f"outcome-{player}", ""),
                time_error=errors.get(f"time-{player}", ""),
            )
            for player, name in rules.players.items()
        ],
        "endings": options_of({key: str(word) for key, word in ENDINGS.items()}, typed.get("ended", "last")),
        "duration": typed.get("duration", ""),
        "pad": hands_pad(rules, counting, typed, errors, winners=False) if counting else None,
        **by_the_clock([*rules.players.items()], rules.cards.ruleset, decks=rules.decks),
    }


def read(rules: RowRules, typed: Typed) -> Row:
    """Row of the typed game."""
    entry = read_game(typed, {player: player for player in rules.players}, rules.cards.ruleset)
    duration = {} if entry.duration_s is None else {"duration_s": entry.duration_s}
    return {"ended": entry.ended, "results": [_result(row) for row in entry.results], **duration}


def _result(row: Mapping[str, Any]) -> Row:
    result: Row = {"player": row["entry"], "outcome": row["outcome"]}
    if row.get("elapsed_s") is not None:
        result["elapsed_s"] = row["elapsed_s"]
    if "hand" in row:
        result["hand"] = hand_of(row["hand"])
    return result


def typed_again(row: Row) -> dict[str, str]:
    """Form values of a game."""
    results = [
        {
            "entry": result["player"],
            "outcome": result["outcome"],
            "elapsed_s": result.get("elapsed_s"),
            "hand": hand_of(result.get("hand", {})),
        }
        for result in row["results"]
    ]
    return typed_game(GameEntry(row["ended"], results, row.get("duration_s")))
