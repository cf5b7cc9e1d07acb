"""The contexts of the fragments in templates/components, as types: a view builds these, a template shows them.

Numbers that readers see come ready as text in the reader's language; nothing here computes a result.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulesets import CARDS, Ruleset
from tournament.results import Hand, hand_field


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow:
    """One player: `key` marks the row across updates, `moved` counts places gained since the last play."""

    key: str
    place: int | None
    name: str
    value: str
    url: str = ""
    club: str = ""
    state: str = ""  # a key of STATES, or nothing for an ordinary row
    moved: int | None = None
    extras: tuple[str, ...] = ()
    percent: int | None = None  # 0..100 of the way to the target, drawn as a bar

    @property
    def moved_down(self) -> int:
        return -(self.moved or 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsTable:
    """`caption` for those who cannot see; `unit` heads the number that decides, `extras` the wide screen's columns.

    `anchor`: where a row's page says why its player has this place; the row itself is then found by "at-" and its key.
    `of`: the stage whose standings continue on other pages, if they do.
    """

    caption: str
    unit: str
    rows: Sequence[StandingsRow]
    extras: Sequence[str] = ()
    anchor: str = ""
    of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLink:
    """One page of several; its rows are numbered from `first` to `last`."""

    number: int
    url: str
    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """The pages of one list: `of` names what is numbered ("places", "players", "tables", "heats"). `links` lead to the
    first page, the last and those beside this one, in their order."""

    of: str
    here: PageLink
    links: Sequence[PageLink]
    previous: PageLink | None = None
    next: PageLink | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """One table on a desk or an event board; `act` says what somebody must do, and only then is the tile red.

    `elapsed_s`: when the page was made, the seconds since the running game began, else since the last entry (`entered`)
    or the start of the stage. `waits`: for whom or what the
    table waits; `quiet`: a note that nobody has entered anything for long; `acceptable`: its provisional plays that the
    reader may accept (`seen_text`); `starts`: when the games began whose order puts one on hold (`held_starts`).
    """

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
    """One fact of two versions; cards are shown as a hand, with what they are worth."""

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
    """Two versions of one play: yours and the server's, or before and after; `yours` and `theirs` say who and when.
    `points`: the points in the play of those for whom they differ; `totals`: the same for their totals."""

    yours: str
    theirs: str
    rows: Sequence[ComparisonRow]
    points: Sequence[ComparisonRow] = ()
    totals: Sequence[ComparisonRow] = ()
    ruleset: Ruleset | None = None  # which names the cards


@dataclass(frozen=True, slots=True, kw_only=True)
class PadField:
    """The count of one card kind: the field's name, the points of a card, how many the decks in play hold."""

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
    """Hands left at one table. With `winners`, it first asks who went out, in a field called `winner`."""

    ruleset: Ruleset
    players: Sequence[PadPlayer]
    winners: bool = False
    winner: str = ""
    winner_error: str = ""
    by_number: bool = False  # sums count cards, since cards rank these hands, not points


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
) -> CardPad:
    """The pad for (uid, name) players. `copies` are the kinds in play, all decks together; `typed` maps field names to
    values as they were typed; `errors` maps players to the error of their hand."""
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
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """A game's clock: whole seconds since its start by the server, and the limit after which hands are counted.

    `state` is "waiting" (not started), "running", "stopped" or "limit" (the hour is up). `counted_at`: when the
    seconds were counted (milliseconds of the server's clock), which tells an old copy of the page of this `game`.
    """

    elapsed_s: int
    state: str
    limit_s: int = 3600
    label: str = ""
    note: str = ""
    game: str = ""
    counted_at: int = 0

    @property
    def face(self) -> str:
        """mm:ss, never beyond the limit."""
        shown = min(self.elapsed_s, self.limit_s)
        return f"{shown // 60:02d}:{shown % 60:02d}"

    @property
    def run(self) -> int:
        """The filled part of the track, of 600 units."""
        return min(self.elapsed_s, self.limit_s) * 600 // self.limit_s


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatPlayer:
    key: str
    name: str
    order: int | None = None

    @property
    def field(self) -> str:
        """The form field for this player's number in the order of going out."""
        return f"order-{self.key}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heat:
    """The players of a heat, numbered in the order of going out; the first `advance` go through."""

    players: Sequence[HeatPlayer]
    advance: int = 1
    error: str = ""

    @property
    def numbers(self) -> Sequence[int]:
        return range(1, len(self.players) + 1)
