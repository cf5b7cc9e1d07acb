"""Contexts of the pages of a friends' table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from rulesets import RULESETS, Ruleset
from scoring import Answer
from tournament.extras.friends.pages.kinds import KINDS, row_label
from tournament.extras.friends.pages.sheets import (
    MOST_PLAYERS,
    NAME_LENGTH,
    RowRules,
    Sheet,
    as_text,
    choices,
    names_of,
    rows_of,
    scored,
    split,
)
from tournament.pages.public.stage import HeatCard, heat_rows
from tournament.pages.public.standings import Board, Column, Person, board_of, isolated
from tournament.results import ROWS, SETTINGS, Typed, kind_of, places_gained
from tournament.words.faults import fault_text, ruleset_name
from tournament.words.text import as_read, inside, public_text


def on_app_icon(_context: Mapping[str, Any]) -> dict[str, str]:
    """The shortcut in the app's manifest."""
    return {"name": _("Score a game"), "url": reverse("friends")}


def choose_context() -> dict[str, Any]:
    """Games on offer (`play` as in addresses, `name`, `way`): rules in the box first, then round games, then timed
    ones."""
    offered = [choice for choice in choices() if not kind_of(choice[1]).one_play]
    offered.sort(
        key=lambda choice: (not RULESETS[choice[0]].wording.startswith("mattel"), choice[1] != "match")
    )
    return {
        "choices": [
            {"play": f"{ruleset}.{kind}", "name": name, "way": str(KINDS[kind].way)}
            for ruleset, kind, name in offered
        ]
    }


def score_context(
    sheet: Sheet, index: int, typed: Mapping[str, str], errors: Mapping[str, str], *, counting: Sequence[str]
) -> dict[str, Any]:
    """Context of the score page; row `index` as typed."""
    answer, faults = scored(sheet)
    names = names_of(sheet)
    people = {player: Person(name=name) for player, name in names.items()}
    rows = rows_of(sheet)
    wrong: dict[int, list[str]] = {}
    general: list[str] = []
    for error in faults:
        where, fault = split(sheet, error)
        (general if where is None else wrong.setdefault(where, [])).append(fault_text(fault, names))
    lines = [
        {
            "index": number,
            "label": row_label(sheet, number),
            "named": inside(row_label(sheet, number)),
            "summary": KINDS[sheet["kind"]].summary(sheet, row, answer, number),
            "errors": wrong.get(number, ()),
        }
        for number, row in enumerate(rows)
    ]
    over = answer is not None and answer.complete
    editing = index < len(rows)
    heats, through = _heats(answer, people)
    return {
        "sheet": as_text(sheet),
        "kind": sheet["kind"],
        "ruleset": ruleset_name(sheet["ruleset"]),
        "names": isolated([*names.values()]),
        "board": _board(answer, sheet, people),
        "heats": heats,
        "through": through,
        "wrong": general + [text for texts in wrong.values() for text in texts],
        "lines": lines[::-1],
        "over": over,
        "stopped": bool(sheet.get("stopped")),
        "editing": editing,
        "entry": None
        if over and not editing and not errors
        else _entry(sheet, index, typed, errors, counting),
    }


def _board(answer: Answer | None, sheet: Sheet, people: Mapping[str, Person]) -> Board | None:
    if answer is None or not answer.standings or not rows_of(sheet):
        return None
    columns = [Column(number=number) for number in range(1, len(rows_of(sheet)) + 1)]
    return board_of(answer, sheet, people, columns, finished=False, gained=places_gained(sheet, answer))


def _heats(answer: Answer | None, people: Mapping[str, Person]) -> tuple[list[HeatCard], list[Person]]:
    if answer is None or not kind_of(answer.kind).one_play:
        return [], []
    cards = [
        HeatCard(number=heat.number, state="finished", rows=heat_rows(heat, people)) for heat in answer.rounds
    ]
    return cards, [people[player] for player in answer.finalists]


def _entry(
    sheet: Sheet, index: int, typed: Mapping[str, str], errors: Mapping[str, str], counting: Sequence[str]
) -> dict[str, Any]:
    label = row_label(sheet, index)
    new = index >= len(rows_of(sheet))
    return {
        "index": index,
        "new": new,
        "asked": not new,  # asks for the last card
        "paper": bool(typed) or not new,  # form open, not folded below the clock
        "title": label if new else _("Change %(row)s") % {"row": inside(label)},
        "errors": [{"href": f"#{name}" if name else "", "text": text} for name, text in errors.items()],
        "error": errors,
        **KINDS[sheet["kind"]].entry(sheet, RowRules.of(sheet, index), typed, errors, counting),
    }


# ---- Setup of a friends' table ----

MOST_SETTING = 100_000
NUMBERS = {"target": 1, "decks": 1, "min_games": 1, "advance": 1, "custom_cards": 0}  # least values


@dataclass(slots=True)
class Start:
    """Form of players and settings: `typed` as sent, `errors` by field."""

    ruleset: Ruleset
    kind: str
    typed: dict[str, str] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    sheet: Sheet | None = None

    @property
    def play(self) -> str:
        """The choice, as in addresses and forms."""
        return f"{self.ruleset.id}.{self.kind}"

    @property
    def ruleset_name(self) -> str:
        return ruleset_name(self.ruleset.id)

    @property
    def settings(self) -> frozenset[str]:
        """Settings of this kind and ruleset."""
        known = {"custom_cards": self.ruleset.custom_cards, "scoring": len(self.ruleset.scorings) > 1}
        return frozenset(name for name in SETTINGS[self.kind] if known.get(name, True))

    @property
    def count(self) -> str:
        """Way of counting; the ruleset's first by default."""
        return self.typed.get("scoring") or next(iter(self.ruleset.scorings), "")

    @property
    def known(self) -> dict[str, str]:
        """Names by id of the sheet being changed."""
        return names_of(self.sheet) if self.sheet else {}

    @property
    def players(self) -> list[tuple[str, str, str]]:
        """Players as (id, typed name, error)."""
        return [
            (player, self.typed.get(f"name-{player}", name), self.errors.get(f"name-{player}", ""))
            for player, name in self.known.items()
        ]


def start_for(play: str) -> Start | None:
    """Empty form for a choice ("mattel-108.match"); None if unknown."""
    ruleset, _dot, kind = play.rpartition(".")
    if not any((ruleset, kind) == (known, way) for known, way, _name in choices()):
        return None
    return Start(RULESETS[ruleset], kind)


def edit_of(sheet: Sheet) -> Start:
    """Form of a sheet's players and settings."""
    typed = {key: str(value) for key, value in sheet["settings"].items()}
    return Start(RULESETS[sheet["ruleset"]], sheet["kind"], typed=typed, sheet=sheet)


def read_start(start: Start, data: dict[str, str]) -> Sheet | None:
    """Sheet from the sent form; None if wrong, with errors in `start`."""
    start.typed = data
    typed = Typed(data)
    players = _players(start, typed)
    settings = {
        name: typed.whole(name, f"/settings/{name}", least=NUMBERS[name], most=MOST_SETTING)
        if name in NUMBERS
        else typed.text(name) or None
        for name in sorted(start.settings)
    }
    sheet: Sheet = {
        "sheet": 1,
        "kind": start.kind,
        "ruleset": start.ruleset.id,
        **{key: value for key, value in (start.sheet or {}).items() if key not in {"players", "settings"}},
        "settings": {name: value for name, value in settings.items() if value is not None},
        "players": players,
    }
    sheet.setdefault(ROWS[start.kind], [])
    for fault in typed.faults:
        start.errors.setdefault(fault.path.strip("/").rpartition("/")[2], fault_text(fault))
    if len(players) < 2:
        start.errors.setdefault("names", _("At least two players are needed."))
    if start.errors:
        return None
    bare = {**sheet, ROWS[start.kind]: []} | {"stopped": False}
    for error in scored(bare)[1]:
        _index, fault = split(bare, error)
        where = fault.path.rpartition("/")[2] if fault.path.startswith("/settings/") else "names"
        start.errors.setdefault(where, fault_text(fault, names_of(sheet)))
    return None if start.errors else sheet


def _players(start: Start, typed: Typed) -> list[dict[str, str]]:
    players: list[dict[str, str]] = []
    lists = ("players", "hands", "removed", "withdrawn", "emptied", "finish_order")
    played = {
        player
        for row in (rows_of(start.sheet) if start.sheet else ())
        for player in (
            *(result["player"] for result in row.get("results", ())),
            *(player for key in lists for player in row.get(key, ())),
            *(row[key] for key in ("winner", "drew") if key in row),
        )
    }
    for player, old in start.known.items():
        name = public_text(typed.text(f"name-{player}"))
        if name:
            players.append({"id": player, "name": name})
            _check_name(start, f"name-{player}", name)
        elif player in played:
            players.append({"id": player, "name": old})
            start.errors[f"name-{player}"] = _(
                "%(name)s has already played. This name cannot be left empty."
            ) % {"name": old}
    ids = (f"p{number}" for number in count(1) if f"p{number}" not in start.known)
    new = filter(None, map(public_text, str(typed.data.get("names", "")).splitlines()))
    for name in islice(new, MOST_PLAYERS + 1):
        players.append({"id": next(ids), "name": name})
        _check_name(start, "names", name)
    if len(players) > MOST_PLAYERS:
        start.errors["names"] = _("Too many names. At most %(most)s players fit here.") % {
            "most": MOST_PLAYERS
        }
    names = [as_read(player["name"]) for player in players]
    twice = next((player["name"] for player in players if names.count(as_read(player["name"])) > 1), None)
    if twice:
        start.errors["names"] = _(
            "%(name)s is listed twice. Add a letter, so that everyone knows who is who."
        ) % {"name": twice}
    return players


def _check_name(start: Start, where: str, name: str) -> None:
    if len(name) > NAME_LENGTH:
        start.errors[where] = _("“%(name)s…” has %(count)s characters. Shorten it to %(most)s at most.") % {
            "most": NAME_LENGTH,
            "name": name[:20],
            "count": len(name),
        }
