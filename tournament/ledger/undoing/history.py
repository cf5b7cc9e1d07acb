"""The ledger of one tournament, read once: every version of every row's facts, and who wrote it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.utils import timezone

from tournament.ledger.undoing.change import Facts, Key, texts_in
from tournament.models import LedgerRow, Tournament, User
from tournament.results import Fault, grouped
from tournament.words.formats import to_the_minute

UNDO = "undo"


@dataclass(frozen=True, slots=True)
class Done:
    """One row of the ledger."""

    sequence: int
    at: datetime
    actor: int
    action: str
    replaces: int | None
    payload: Mapping[str, Mapping[str, Facts | None]]


class History:
    """Everything that was done in a tournament. Rows are named by kind and uid, ledger rows by sequence."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        ledger = LedgerRow.objects.filter(tournament=tournament).order_by("sequence")
        rows = ledger.values_list("sequence", "at", "actor_id", "action", "replaces", "payload")
        self.done = {row[0]: Done(*row) for row in rows}
        self._versions: dict[Key, list[tuple[int, Facts | None]]] = grouped(
            ((kind, uid), (one.sequence, facts))
            for one in self.done.values()
            for kind, touched in one.payload.items()
            for uid, facts in touched.items()
        )
        self.kinds = {uid: kind for kind, uid in self._versions}
        self._now: dict[str, dict[str, Facts]] = {}
        for (kind, uid), versions in self._versions.items():
            facts = versions[-1][1]
            if facts is not None:
                self._now.setdefault(kind, {})[uid] = facts

    def now(self, kind: str) -> Mapping[str, Facts]:
        """Give the present rows of a kind, by uid."""
        return self._now.get(kind, {})

    def at_present(self, key: Key) -> Facts | None:
        """Give the row's present facts; None if there is none."""
        return self.now(key[0]).get(key[1])

    def before(self, key: Key, sequence: int) -> Facts | None:
        """Give the row's facts before that ledger row."""
        earlier = [facts for number, facts in self._versions.get(key, ()) if number < sequence]
        return earlier[-1] if earlier else None

    def after(self, key: Key, sequence: int) -> Facts | None:
        """Give the row's facts after that ledger row."""
        return self.before(key, sequence + 1)

    def last(self, key: Key) -> Facts | None:
        """Give the row's last facts, also of one that is gone."""
        return next((facts for _number, facts in reversed(self._versions.get(key, [])) if facts), None)

    def naming(self, uid: str) -> list[Key]:
        """List the rows that name this one at present."""
        return self._naming.get(uid, [])

    @cached_property
    def _naming(self) -> dict[str, list[Key]]:
        return grouped(
            (text, (kind, uid))
            for kind, rows in self._now.items()
            for uid, facts in rows.items()
            for text in texts_in(facts)
            if text in self.kinds
        )

    # ---- who did it ----

    @cached_property
    def undone(self) -> dict[int, int]:
        """The undone rows, each with the row that undid it; an undo that was itself undone does not count."""
        undone: dict[int, int] = {}
        for one in reversed(self.done.values()):
            if one.action == UNDO and one.replaces and one.sequence not in undone:
                undone[one.replaces] = one.sequence
        return undone

    def first(self, one: Done) -> tuple[Done, bool]:
        """Follow a chain of undos of undos to what was done first, and tell whether undoing `one` does that again."""
        again = False
        while one.action == UNDO and one.replaces in self.done:
            one, again = self.done[one.replaces], not again
        return one, again

    def who_wrote(self, key: Key, since: int, fact: str = "") -> Done:
        """Find who last wrote this row (this `fact` of it) after `since`, except for what was undone since."""
        return self._last(self._writers(key, since, fact), since)

    def who_moved_on(self, since: int) -> Done:
        """Find who last wrote any stage after `since`."""
        return self._last((n for n, one in self.done.items() if n > since and "stage" in one.payload), since)

    def by(self, code: str, one: Done) -> Fault:
        """Give the fault that names who did what, and when."""
        said: dict[str, str | int] = {
            "who": self._people[one.actor],
            "at": to_the_minute(timezone.localtime(one.at, self.tournament.zone)),
            "number": one.sequence,
            "did": one.action,
        }
        return Fault(code, "/row", said)

    @cached_property
    def _people(self) -> dict[int, str]:
        actors = {one.actor for one in self.done.values()}
        return {user.pk: user.display_name() for user in User.objects.filter(pk__in=actors)}

    def _writers(self, key: Key, since: int, fact: str) -> Iterator[int]:
        previous = self.after(key, since) or {}
        for number, facts in self._versions.get(key, ()):
            if number > since:
                if not fact or (facts or {}).get(fact) != previous.get(fact):
                    yield number
                previous = facts or {}

    def _last(self, numbers: Iterable[int], since: int) -> Done:
        every = list(numbers)
        standing = [number for number in every if not self._without_trace(number, since)]
        return self.done[(standing or every or [max(self.done)])[-1]]

    def _without_trace(self, number: int, since: int) -> bool:
        """Tell whether it was undone, or only undid what was done after `since`."""
        one = self.done[number]
        return number in self.undone or (one.action == UNDO and (one.replaces or 0) > since)
