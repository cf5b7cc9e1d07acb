"""Where a stage's players come from: the one reader of `Stage.source`, and its one door.

    {"parts": [{"stage": 1, "take": "first", "count": 2}], "division": "13 and over", "lives": 2}

| key | if absent | says |
| --- | --- | --- |
| `parts` | who goes through from heats just before, else who registered | players of other stages; [] who registered |
| `take` | | see TAKES |
| `count` | heats: as recorded there | how many, of each table where tables have standings of their own |
| `division` | everyone | only players of this division |
| `lives` | not counted | of who begins here: how often they may be out before they are out for good |
| `open` | seats are assigned | true: players sit down to games by the stage's own code, until it is closed again |
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count

from tournament.models import Seat, Stage
from tournament.models.event import LONGEST_DIVISION
from tournament.results.faults import Fault, Refused
from tournament.results.given import whole
from tournament.results.kinds import kind_of

FIRST = "first"
NEXT = "next"  # the first, without players that stages above take
OUT = "out"  # all that no stage takes as first or next: a second chance
LEVEL = "level"  # who share the place at the cut: a tie-break hand
TAKES = (FIRST, NEXT, OUT, LEVEL)

MOST_PARTS = 4
MOST_THROUGH = 999
MOST_LIVES = 9


@dataclass(frozen=True, slots=True)
class Part:
    """Players of the stage with number `stage`; `count`: None for all, of heats as recorded."""

    stage: int
    take: str
    count: int | None = None

    def as_json(self) -> dict[str, Any]:
        """As stored."""
        said: dict[str, Any] = {"stage": self.stage, "take": self.take}
        return said if self.count is None else said | {"count": self.count}

    @property
    def goes_on(self) -> bool:
        """Whether its players go through, rather than lose or share a place."""
        return self.take in {FIRST, NEXT}


@dataclass(frozen=True, slots=True)
class Source:
    """Where a stage's players come from; without `parts`, who registered."""

    parts: tuple[Part, ...] = ()
    division: str = ""
    lives: int | None = None
    open: bool = False


def source_of(stage: Stage, before: Stage | None) -> Source:
    """Source of a stage; `before`: the stage just before it."""
    said = stage.source
    parts = said.get("parts")
    if parts is None:
        follows = before and kind_of(before.kind).one_play and kind_of(stage.kind).filled
        parts = [{"stage": before.number, "take": FIRST}] if before and follows else []
    return Source(
        tuple(Part(**part) for part in parts), said.get("division", ""), said.get("lives"), "open" in said
    )


def sources_in(stages: Iterable[Stage]) -> dict[int, Source]:
    """Sources by number of an event's stages; in a circle (from an archive), none take from others."""
    read = _read(stages)
    return {
        number: Source() if number in stages_before(read, number) else source
        for number, source in read.items()
    }


def _read(stages: Iterable[Stage]) -> dict[int, Source]:
    there = {stage.number: stage for stage in stages}
    return {number: source_of(stage, there.get(number - 1)) for number, stage in there.items()}


def fed_by(sources: Mapping[int, Source], number: int) -> list[int]:
    """Numbers of the stages to which players go on from this one, in order."""
    return [
        to
        for to, source in sources.items()
        if any(part.stage == number and part.goes_on for part in source.parts)
    ]


def ends(stages: Sequence[Stage]) -> list[Stage]:
    """Stages that decide an event: the last, or those of its chains from which no player goes on."""
    sources = sources_in(stages)
    if not any(stage.source for stage in stages):
        return list(stages[-1:])
    return [stage for stage in stages if not fed_by(sources, stage.number)]


def stages_before(sources: Mapping[int, Source], number: int) -> frozenset[int]:
    """Numbers of all stages that feed this one, directly or through others; itself in a circle."""
    found: set[int] = set()
    ahead = [number]
    while ahead:
        new = {part.stage for part in sources.get(ahead.pop(), Source()).parts} - found
        found |= new
        ahead += new
    return frozenset(found)


def check_source(stage: Stage) -> None:
    """Validate `stage.source`, as planned or changed.

    Refused `malformed`, `unknown_stage`, `source_itself`, `source_twice` (same stage and `take`), `source_circle`,
    `source_count` (missing), `more_through` (than sit there), `lives_later` (with parts), `wrong_kind_of_stage` (open,
    but seats stay).
    """
    check_shape(stage.source)
    others = Stage.objects.filter(tournament=stage.tournament).exclude(uid=stage.uid)
    there = {each.number: each for each in others.order_by("number")}
    source = source_of(stage, None)
    for index, part in enumerate(source.parts):
        path = f"/source/parts/{index}"
        if part.stage == stage.number:
            raise Refused(Fault("source_itself", f"{path}/stage"))
        if part.stage not in there:
            raise Refused(Fault("unknown_stage", f"{path}/stage"))
        if any((part.stage, part.take) == (other.stage, other.take) for other in source.parts[:index]):
            raise Refused(Fault("source_twice", f"{path}/stage", {"stage": str(there[part.stage])}))
        _check_count(part, there[part.stage], f"{path}/count")
    if stage.number in stages_before(_read((*there.values(), stage)), stage.number):
        raise Refused(Fault("source_circle", "/source/parts"))
    if source.lives and source.parts:
        raise Refused(Fault("lives_later", "/source/lives"))
    if source.open and not kind_of(stage.kind).seats_change:
        raise Refused(Fault("wrong_kind_of_stage", "/source/open"))


def check_shape(said: object) -> None:
    """Refused `malformed` unless it can be read as a source."""
    if not isinstance(said, Mapping) or said.keys() - {"parts", "division", "lives", "open"}:
        raise Refused(Fault("malformed", "/source"))
    division, parts = said.get("division", ""), said.get("parts", [])
    if not isinstance(division, str) or len(division) > LONGEST_DIVISION:
        raise Refused(Fault("malformed", "/source/division"))
    if "lives" in said and not 1 <= whole(said["lives"], "/source/lives") <= MOST_LIVES:
        raise Refused(Fault("malformed", "/source/lives"))
    if said.get("open", True) is not True:
        raise Refused(Fault("malformed", "/source/open"))
    if not isinstance(parts, list) or len(parts) > MOST_PARTS:
        raise Refused(Fault("malformed", "/source/parts"))
    for index, part in enumerate(parts):
        path = f"/source/parts/{index}"
        if not isinstance(part, Mapping) or part.keys() - {"stage", "take", "count"}:
            raise Refused(Fault("malformed", path))
        whole(part.get("stage"), f"{path}/stage")
        if part.get("take") not in TAKES:
            raise Refused(Fault("malformed", f"{path}/take"))
        count = part.get("count")
        if count is not None and not 1 <= whole(count, f"{path}/count") <= MOST_THROUGH:
            raise Refused(Fault("malformed", f"{path}/count"))


def _check_count(part: Part, stage: Stage, path: str) -> None:
    kind = kind_of(stage.kind)
    if part.count is None:
        if part.goes_on and not kind.one_play:
            raise Refused(Fault("source_count", path, {"stage": str(stage)}))
        return
    seats = Seat.objects.filter(table__stage=stage).order_by()
    of_table = kind.one_play or kind.sheet_each_table
    sizes = seats.values("table").annotate(n=Count("pk")).values_list("n", flat=True)
    players = (min if of_table else sum)(sizes) if sizes else part.count
    if part.count > players:
        said = {"count": part.count, "players": players, "stage": str(stage)}
        raise Refused(Fault("more_through", path, said))
