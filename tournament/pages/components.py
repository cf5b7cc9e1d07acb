"""Typed contexts of templates/components; numbers are localised text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext

from rulesets import CARDS, Ruleset
from tournament.models import Entry, Tournament
from tournament.results import Fault, Hand, hand_field
from tournament.words.faults import fault_text


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow:
    """A player's row. `key` across updates; `moved`: places gained by the last play; `brief`: what `extras` have no
    room for."""

    key: str
    place: int | None
    name: str
    value: str
    url: str = ""
    club: str = ""
    state: str = ""  # key of STATES, or nothing
    moved: int | None = None
    extras: tuple[str, ...] = ()
    brief: str = ""
    percent: int | None = None  # 0..100, to the target

    @property
    def moved_down(self) -> int:
        return -(self.moved or 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsTable:
    """Standings. `caption`: for screen readers; `unit` heads the deciding number, `extras` wide-screen columns.

    `anchor`: of the explanation on a row's page; rows then have ids. `of`: stage, if paged.
    """

    caption: str
    unit: str
    rows: Sequence[StandingsRow]
    extras: Sequence[str] = ()
    anchor: str = ""
    of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLink:
    """One page, rows `first` to `last`."""

    number: int
    url: str
    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """Pages of a list. `of`: items ("places", "players", "tables", "heats"); `links`: first, last, near ones."""

    of: str
    here: PageLink
    links: Sequence[PageLink]
    previous: PageLink | None = None
    next: PageLink | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """A table on a desk or board, red only with an `act`. `elapsed_s`: seconds since the running game's start, else
    since the last entry (`entered`) or the stage's start. `acceptable`: provisional plays for the reader
    (`seen_text`)."""

    key: str
    number: int
    title: str
    state: str
    url: str = ""
    note: str = ""
    people: Sequence[str] = ()
    last: str = ""
    act: str = ""
    elapsed_s: int | None = None
    entered: bool = False
    referees: Sequence[str] = ()
    waits: Sequence[str] = ()
    quiet: str = ""
    acceptable: Sequence[str] = ()
    starts: Sequence[tuple[str, str]] = ()

    @property
    def minutes(self) -> int:
        return (self.elapsed_s or 0) // 60


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonRow:
    """One fact of two versions; cards with their worth."""

    what: str
    yours: str
    theirs: str
    your_cards: tuple[Hand, int | None] | None = None
    their_cards: tuple[Hand, int | None] | None = None

    @property
    def differs(self) -> bool:
        return self.yours != self.theirs


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two versions of a play. `yours`, `theirs`: who and when. `points`, `totals`: differences."""

    yours: str
    theirs: str
    rows: Sequence[ComparisonRow]
    points: Sequence[ComparisonRow] = ()
    totals: Sequence[ComparisonRow] = ()
    ruleset: Ruleset | None = None  # names the cards


@dataclass(frozen=True, slots=True, kw_only=True)
class PadField:
    """Field of a card kind: `points` per card, `copies` in play."""

    kind: str
    name: str
    points: int
    copies: int
    count: str | int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PadPlayer:
    key: str
    name: str
    fields: Sequence[PadField]
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPad:
    """Hands left at a table; `winners` adds a field `winner`."""

    ruleset: Ruleset
    players: Sequence[PadPlayer]
    winners: bool = False
    winner: str = ""
    winner_error: str = ""
    by_number: bool = False  # counts cards, which rank these hands
    by_time: bool = False  # the game may end before anyone is out


def card_pad(
    players: Sequence[tuple[str, str]],
    *,
    ruleset: Ruleset,
    copies: Mapping[str, int],
    typed: Mapping[str, str | int] | None = None,
    errors: Mapping[str, str] | None = None,
    winners: bool = False,
    winner: str = "",
    winner_error: str = "",
    by_number: bool = False,
    by_time: bool = False,
) -> CardPad:
    """Pad for players (uid, name). `copies`: by kind, all decks; `typed`: by field; `errors`: by player."""
    typed = typed or {}
    errors = errors or {}
    kinds = [kind for kind in CARDS if copies.get(kind)]
    return CardPad(
        ruleset=ruleset,
        players=[
            PadPlayer(
                key=uid,
                name=name,
                error=errors.get(uid, ""),
                fields=[
                    PadField(
                        kind=kind,
                        name=hand_field(uid, kind),
                        points=1 if by_number else ruleset.points[kind],
                        copies=copies[kind],
                        count=typed.get(hand_field(uid, kind)),
                    )
                    for kind in kinds
                ],
            )
            for uid, name in players
        ],
        winners=winners,
        winner=winner,
        winner_error=winner_error,
        by_number=by_number,
        by_time=by_time,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """Game clock, in seconds. `state`: "waiting", "running", "stopped" or "limit". `counted_at`: server milliseconds,
    to detect a stale page."""

    elapsed_s: int
    state: str
    limit_s: int = 3600
    label: str = ""
    note: str = ""
    game: str = ""
    counted_at: int = 0

    @property
    def face(self) -> str:
        """Time as mm:ss, capped at the limit."""
        shown = min(self.elapsed_s, self.limit_s)
        return f"{shown // 60:02d}:{shown % 60:02d}"

    @property
    def run(self) -> int:
        """Filled track, of 600 units."""
        return min(self.elapsed_s, self.limit_s) * 600 // self.limit_s


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatPlayer:
    key: str
    name: str
    order: int | None = None

    @property
    def field(self) -> str:
        """Form field of the finishing order."""
        return f"order-{self.key}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heat:
    """A heat's players in order of going out; the first `advance` go through."""

    players: Sequence[HeatPlayer]
    advance: int = 1
    error: str = ""

    @property
    def numbers(self) -> Sequence[int]:
        return range(1, len(self.players) + 1)


# ---- Form errors ----


@dataclass(frozen=True, slots=True)
class Problem:
    """Line of the summary; `href` links to the field, "" for none."""

    text: str
    href: str = ""


def errors_context(faults: Sequence[Fault], names: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Context: `errors`: summary; `wrong`: first text by path; `reason_error`."""
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
    """Anchor of a fault's field, or "": `/hands/<entry>/<card>` is `#hand-<entry>`, `/results/<entry>/elapsed_s` is
    `#result-<entry>`, `/reason` is `#id_reason`."""
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
