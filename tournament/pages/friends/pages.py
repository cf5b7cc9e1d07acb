"""What the pages of a table of friends show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from scoring import Answer, HeatsAnswer, MatchAnswer
from tournament.pages.components import CardPad, card_pad
from tournament.pages.friends.rows import ENDINGS, OUT_AS, RowRules
from tournament.pages.friends.sheets import Row, Sheet, as_text, choices, names_of, rows_of, scored, split
from tournament.pages.public.heats import HeatCard, HeatRow
from tournament.pages.public.standings import Board, Column, Person, board_of
from tournament.results.answer import places_gained
from tournament.results.bridge import ROWS
from tournament.results.typed import OUTCOMES
from tournament.templatetags.lastcard import CARD_NAMES
from tournament.words.faults import fault_text, ruleset_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Something friends can play."""

    play: str
    name: str
    way: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RowLine:
    """A row in the list under the standings; `errors` are what stops the whole sheet from being scored."""

    index: int
    label: str
    summary: str
    errors: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One of a select's or radio's values."""

    value: str
    word: str
    chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerFields:
    """A player's fields in a game or heat."""

    key: str
    name: str
    options: Sequence[Option]
    time: str = ""
    error: str = ""
    time_error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """The form of one row. What belongs to another kind of sheet is empty."""

    index: int
    title: str
    new: bool
    errors: Sequence[Mapping[str, str]]
    pad: CardPad | None = None
    players: Sequence[PlayerFields] = ()
    endings: Sequence[Option] = ()
    duration: str = ""
    last: Sequence[Option] = ()
    last_count: str = ""
    several: bool = False
    drew: Sequence[Option] = ()
    emptied: Sequence[Option] = ()
    leaving: Sequence[PlayerFields] = ()
    leaving_open: bool = False
    advance: str = ""
    error: Mapping[str, str] = field(default_factory=dict)


def choose_context() -> dict[str, Any]:
    """The choices."""
    ways = {
        "session": _("Timed games, the lowest average wins"),
        "match": _("Rounds of card points to a target"),
        "heats": _("Heats without points: who goes through"),
    }
    return {
        "choices": [
            Choice(play=f"{ruleset}.{kind}", name=name, way=ways[kind]) for ruleset, kind, name in choices()
        ]
    }


def score_context(
    sheet: Sheet, index: int, typed: Mapping[str, str], errors: Mapping[str, str], *, counting: Sequence[str]
) -> dict[str, Any]:
    """The whole page: standings, what was entered, and the form of the row at `index` with what was typed."""
    result = scored(sheet)
    names = names_of(sheet)
    people = {player: Person(name=name) for player, name in names.items()}
    rows = rows_of(sheet)
    wrong: dict[int, list[str]] = {}
    general: list[str] = []
    for error in result.errors:
        where, fault = split(sheet, error)
        (general if where is None else wrong.setdefault(where, [])).append(fault_text(fault, names))
    lines = [
        RowLine(
            index=number,
            label=row_label(sheet, number),
            summary=_summary(sheet, row, result.answer, number),
            errors=wrong.get(number, ()),
        )
        for number, row in enumerate(rows)
    ]
    over = isinstance(result.answer, MatchAnswer) and result.answer.complete
    editing = index < len(rows)
    heats, through = _heats(result.answer, people)
    return {
        "sheet": as_text(sheet),
        "kind": sheet["kind"],
        "ruleset": ruleset_name(sheet["ruleset"]),
        "names": list(names.values()),
        "board": _board(result.answer, sheet, people),
        "heats": heats,
        "through": through,
        "wrong": general + [text for texts in wrong.values() for text in texts],
        "lines": list(reversed(lines)),
        "over": over,
        "stopped": bool(sheet.get("stopped")),
        "editing": editing,
        "entry": None
        if over and not editing and not errors
        else _entry(sheet, index, typed, errors, counting),
    }


def row_label(sheet: Sheet, index: int) -> str:
    """How a row is called."""
    words = {"session": _("Game %(n)s"), "match": _("Round %(n)s"), "heats": _("Heat %(n)s")}
    return words[sheet["kind"]] % {"n": index + 1}


def _summary(sheet: Sheet, row: Row, answer: Answer | None, index: int) -> str:
    """Who won the row, and with how many points where that is what it gave."""
    names = names_of(sheet)
    if sheet["kind"] == "heats":
        return ", ".join(names.get(player, player) for player in row["finish_order"])
    if answer is None:
        return names.get(row.get("winner", ""), "")
    results = answer.rounds[index].results
    if sheet["kind"] == "session":
        best = [names[each.player] for each in results if each.place == 1]
        return _("Void") if row["ended"] == "void" else ", ".join(best)
    winner = row.get("winner")
    gained = next((each.points for each in results if each.player == winner), 0)
    if winner is None:
        return _("nobody else left")
    return f"{names[winner]} +{gained}" if gained else names[winner]


def _board(answer: Answer | None, sheet: Sheet, people: Mapping[str, Person]) -> Board | None:
    if answer is None or isinstance(answer, HeatsAnswer) or not rows_of(sheet):
        return None
    columns = [Column(number=number) for number in range(1, len(sheet[ROWS[sheet["kind"]]]) + 1)]
    gained = places_gained(sheet, answer)
    return board_of(answer, sheet, people, columns, finished=False, gained=gained)


def _heats(answer: Answer | None, people: Mapping[str, Person]) -> tuple[list[HeatCard], list[Person]]:
    if not isinstance(answer, HeatsAnswer):
        return [], []
    cards = []
    for heat in answer.rounds:
        rows = [
            HeatRow(player=row.player, person=people[row.player], place=row.place, through=row.advances)
            for row in heat.results
        ]
        rows.sort(key=lambda row: (row.place is None, row.place or 0))
        cards.append(HeatCard(number=heat.number, state="finished", rows=rows))
    return cards, [people[player] for player in answer.finalists]


def _entry(
    sheet: Sheet, index: int, typed: Mapping[str, str], errors: Mapping[str, str], counting: Sequence[str]
) -> Entry:
    builder = {"session": _game_entry, "match": _round_entry, "heats": _heat_entry}[sheet["kind"]]
    label = row_label(sheet, index)
    new = index >= len(rows_of(sheet))
    return Entry(
        index=index,
        new=new,
        title=label if new else _("Change %(row)s") % {"row": label},
        errors=[{"href": f"#{name}" if name else "", "text": text} for name, text in errors.items()],
        error=errors,
        **builder(sheet, RowRules.of(sheet, index), typed, errors, counting),
    )


def _round_entry(
    sheet: Sheet,
    rules: RowRules,
    typed: Mapping[str, str],
    errors: Mapping[str, str],
    counting: Sequence[str],
) -> dict[str, Any]:
    del sheet, counting
    out_words = {"": _("plays on"), "withdrawn": _("left"), "removed": _("removed by the referees")}
    last_words = {"": _("An ordinary card")} | {
        card: str(CARD_NAMES[card]) for card in rules.cards.last_kinds
    }
    drew_words = {"": "–"} | dict(rules.players)
    leaving = [
        PlayerFields(
            key=player,
            name=name,
            options=_options({key: out_words[key] for key in ("", *OUT_AS)}, typed.get(f"out-{player}", "")),
            error=errors.get(f"out-{player}", ""),
        )
        for player, name in rules.players.items()
    ]
    return {
        "pad": _pad(rules, list(rules.players), typed, errors, winners=True),
        "last": _options(last_words, typed.get("last", "")),
        "last_count": typed.get("last_count", ""),
        "several": rules.cards.several,
        "drew": _options(drew_words, typed.get("drew", "")),
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


def _game_entry(
    sheet: Sheet,
    rules: RowRules,
    typed: Mapping[str, str],
    errors: Mapping[str, str],
    counting: Sequence[str],
) -> dict[str, Any]:
    del sheet
    ending_words = {
        "last": _("One player was left"),
        "time": _("The hour was up"),
        "early": _("Stopped early"),
    }
    outcome_words = {
        "": _("did not play"),
        "out": _("out"),
        "last": _("last one left"),
        "remaining": _("cards left at the end"),
        "gave_up": _("gave up"),
        "ejected": _("ejected"),
    }
    usual = "" if typed else "out"  # a new game: everybody went out until somebody says otherwise
    players = [
        PlayerFields(
            key=player,
            name=name,
            options=_options(
                {key: outcome_words[key] for key in ("", *map(str, OUTCOMES))},
                typed.get(f"outcome-{player}", usual),
            ),
            time=typed.get(f"time-{player}", ""),
            error=errors.get(f"outcome-{player}", ""),
            time_error=errors.get(f"time-{player}", ""),
        )
        for player, name in rules.players.items()
    ]
    return {
        "players": players,
        "endings": _options({key: ending_words[key] for key in ENDINGS}, typed.get("ended", "last")),
        "duration": typed.get("duration", ""),
        "pad": _pad(rules, counting, typed, errors, winners=False) if counting else None,
    }


def _heat_entry(
    sheet: Sheet,
    rules: RowRules,
    typed: Mapping[str, str],
    errors: Mapping[str, str],
    counting: Sequence[str],
) -> dict[str, Any]:
    del counting
    mine = {name.removeprefix("sat-") for name, value in typed.items() if name.startswith("sat-") and value}
    elsewhere = {player for row in rows_of(sheet) for player in row["players"]} - mine
    order = {
        str(number): _("%(n)s. out") % {"n": number} for number in range(1, min(len(rules.players), 30) + 1)
    }
    words = (
        {"": _("not in this heat"), "sat": _("played")} | order | {"removed": _("removed by the referees")}
    )
    return {
        "players": [
            PlayerFields(
                key=player,
                name=name,
                options=_options(words, typed.get(f"sat-{player}", "")),
                error=errors.get(f"sat-{player}", ""),
            )
            for player, name in rules.players.items()
            if player not in elsewhere
        ],
        "advance": typed.get("advance", str(sheet["settings"].get("advance", 1))),
    }


def _pad(
    rules: RowRules,
    players: Sequence[str],
    typed: Mapping[str, str],
    errors: Mapping[str, str],
    *,
    winners: bool,
) -> CardPad:
    return card_pad(
        [(player, rules.players[player]) for player in players],
        copies=rules.cards.available,
        points=rules.cards.ruleset.points,
        typed=typed,
        errors={
            name.removeprefix("hand-"): text for name, text in errors.items() if name.startswith("hand-")
        },
        winners=winners,
        winner=typed.get("winner", ""),
        winner_error=errors.get("winner", ""),
    )


def _options(words: Mapping[str, str], chosen: str) -> list[Option]:
    return [Option(value=value, word=word, chosen=value == chosen) for value, word in words.items()]
