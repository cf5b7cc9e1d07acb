"""A round of a match as friends enter it."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from scoring import Answer
from tournament.extras.friends.pages.sheets import (
    OUT_AS,
    Option,
    PlayerFields,
    Row,
    RowRules,
    Sheet,
    hand_of,
    hands_pad,
    names_of,
    options_of,
)
from tournament.results import Hand, RoundEntry, Typed, read_round, typed_round


def summary(sheet: Sheet, row: Row, answer: Answer | None, index: int) -> str:
    """The winner's name, with points once scored."""
    names, winner = names_of(sheet), row.get("winner")
    if answer is None:
        return names.get(winner or "", "")
    if winner is None:
        return _("nobody else is left")
    gained = next((each.points for each in answer.rounds[index].results if each.player == winner), 0)
    return f"{names[winner]} +{gained}" if gained else names[winner]


def entry(
    _sheet: Sheet,
    rules: RowRules,
    typed: Mapping[str, str],
    errors: Mapping[str, str],
    _counting: Sequence[str],
) -> dict[str, Any]:
    """Form fields of a round."""
    out_words = {"": _("plays on"), "withdrawn": _("left"), "removed": _("removed by the referees")}
    leaving = [
        PlayerFields(
            key=player,
            name=name,
            options=options_of(out_words, typed.get(f"out-{player}", "")),
            error=errors.get(f"out-{player}", ""),
        )
        for player, name in rules.players.items()
    ]
    return {
        "pad": hands_pad(rules, list(rules.players), typed, errors, winners=True),
        "players": list(rules.players.items()),
        "last_kinds": rules.cards.last_kinds,
        "last": typed.get("last", ""),
        "last_count": typed.get("last_count") or "1",
        "several": rules.cards.several,
        "drew": typed.get("drew", ""),
        "emptied": [
            Option(value=player, word=name, chosen=bool(typed.get(f"emptied-{player}")))
            for player, name in rules.players.items()
        ]
        if rules.cards.emptying
        else [],
        "leaving": leaving,
        "leaving_open": any(
            player.error or any(option.chosen and option.value for option in player.options)
            for player in leaving
        ),
    }


def read(rules: RowRules, typed: Typed) -> Row:
    """Row of the typed round."""
    players = {player: player for player in rules.players}
    entry = read_round(typed, players, rules.cards, players.get)
    row: Row = {
        "removed": entry.removed,
        "withdrawn": entry.withdrawn,
        "emptied": entry.emptied,
        "winner": entry.winner,
        "hands": {player: hand_of(hand) for player, hand in entry.hands.items()},
        "last_cards": entry.last_cards,
        "drew": entry.drew,
    }
    played = entry.winner or entry.hands
    return {key: value for key, value in row.items() if value or (key == "hands" and played)}


def typed_again(row: Row) -> dict[str, str]:
    """Form values of a round."""
    hands: dict[str, Hand] = {player: hand_of(hand) for player, hand in row.get("hands", {}).items()}
    return typed_round(
        RoundEntry(
            winner=row.get("winner"),
            hands=hands,
            drew=row.get("drew"),
            last_cards=hand_of(row.get("last_cards", {})),
            **{key: row.get(key, ()) for key in (*OUT_AS, "emptied")},
        )
    )
