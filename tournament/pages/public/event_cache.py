"""Cache of event page data, per ledger head and language.

After a save, ten parts of a 1,000-player stage are requested in a row, and loading data dominates. Every change moves
the ledger head, in any process: an entry is valid while its head is the last. What no play changes is carried over to
the next one if the ledger rows since hold nothing else.
"""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from operator import attrgetter
from uuid import UUID

from cachetools import LRUCache, cachedmethod
from django.utils.translation import get_language

from tournament.ledger.chain import end_shown
from tournament.models import Announcement, Entry, LedgerRow, Stage, Tournament
from tournament.pages.public.stage import DrawNote, StageBoard, draw_note, stage_board
from tournament.queries.people import erased_among
from tournament.queries.stage_rules import RulesSet, rules_set
from tournament.queries.visible import taking_part
from tournament.server.database import snapshot

CACHED_EVENTS = 4  # entries (event, language)
WAIT_S = 2.0  # seconds to wait for another builder
FOLLOWED = 100  # ledger rows; re-read if further behind
OF_PLAYS = frozenset({"play", "proposal", "call"})  # kinds of ledger rows
CARRIED = ("entries", "erased", "rules")


class Whole:
    """An event's public view at one ledger head. Use within `making`."""

    def __init__(self, tournament: Tournament, before: "Whole | None" = None) -> None:
        self.version, self.head = tournament.version, tournament.ledger_head
        self.stages: Sequence[Stage] = list(Stage.objects.filter(tournament=tournament).order_by("number"))
        for each in self.stages:
            each.tournament = tournament
        self._tournament = tournament
        self._boards: dict[object, StageBoard] = {}
        self._draws: dict[object, DrawNote | None] = {}
        self._ends: dict[object, LedgerRow | None] = {}
        if before and before.only_plays_since():
            known = vars(before)
            vars(self).update({name: known[name] for name in CARRIED if name in known})

    def only_plays_since(self) -> bool:
        """Whether its ledger row is still there, and the few after it hold only plays."""
        rows = LedgerRow.objects.filter(tournament=self._tournament, sequence__gte=self.version)
        found = rows.order_by("sequence").values_list("digest", "payload")[:FOLLOWED]
        return (
            [digest for digest, _ in found[:1]] == [self.head]
            and len(found) < FOLLOWED
            and all(payload.keys() <= OF_PLAYS for _, payload in found[1:])
        )

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        """See `shown.taking_part`."""
        return taking_part(self._tournament, self.stages)

    @cached_property
    def erased(self) -> Sequence[str]:
        """See `own_data.erased_among`."""
        return erased_among(self._tournament, self.entries.values())

    @cached_property
    def said(self) -> Sequence[Announcement]:
        """Current announcements."""
        return list(Announcement.objects.filter(tournament=self._tournament).standing())

    @cached_property
    def rules(self) -> Mapping[UUID, RulesSet]:
        """Rules set for each stage."""
        return rules_set(self._tournament, self.stages)

    @cachedmethod(attrgetter("_boards"))
    def board(self, stage: UUID, *, pictures: bool) -> StageBoard:
        """Full stage board; see `stage_board`."""
        return stage_board(self._tournament, self._stage(stage), self.entries, self.stages, pictures=pictures)

    @cachedmethod(attrgetter("_draws"))
    def draw(self, stage: UUID) -> DrawNote | None:
        """Public facts of a draw; see `draw_note`."""
        return draw_note(self._stage(stage), self.entries)

    @cachedmethod(attrgetter("_ends"))
    def end(self, stage: UUID | None = None) -> LedgerRow | None:
        """Last ledger row that the page shows; see `end_shown`."""
        return end_shown(self._tournament, self.stages, None if stage is None else self._stage(stage))

    def _stage(self, uid: UUID) -> Stage:
        return next(each for each in self.stages if each.uid == uid)


_kept: LRUCache[tuple[int, str | None], Whole] = LRUCache(
    CACHED_EVENTS
)  # by pk: an archive may restore a uid
_lock = threading.Lock()
_turn = threading.Lock()


@contextmanager
def making() -> Iterator[None]:
    """`snapshot` for building entries. Requests queue before taking one (at most WAIT_S): no entry is built twice, no
    save waits."""
    mine = _turn.acquire(timeout=WAIT_S)
    try:
        with snapshot():
            yield
    finally:
        if mine:
            _turn.release()


def whole_of(tournament: Tournament) -> Whole:
    """The event's entry, rebuilt if stale. Read the event in this `making`."""
    key = (tournament.pk, get_language())
    with _lock:
        whole = _kept.get(key)
    if whole is None or whole.head != tournament.ledger_head:
        whole = Whole(tournament, whole)
        with _lock:
            _kept[key] = whole
    return whole


def forget() -> None:
    """Empty the cache."""
    _kept.clear()
