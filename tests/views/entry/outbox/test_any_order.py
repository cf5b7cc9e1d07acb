"""Several phones' outboxes on any network (entries come late, come twice, lose the server's answer, pass those of
another phone): the facts are those of having entered everything in order; where two phones entered one round, exactly
one version stands and the other phone is told of a conflict.

The phones are modelled as the outbox in outbox.js works: first in first out, an entry that was not answered is sent
again with the same commands, and one that was told to wait is sent again later.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from django.test import Client
from django.urls import reverse
from hypothesis import given, strategies as st
from hypothesis.extra.django import TestCase

from tests.depth import examples
from tests.support.factories import Event, running_match
from tournament.ledger.verify import verify
from tournament.models import Play

TABLES, ROUNDS, PHONES = 2, 4, 3
PLAYERS = 3  # at each table


@dataclass
class Kept:
    """An entry as a phone keeps it: a round of a table, with its winner and the one card that the others held."""

    table: int
    number: int
    winner: UUID
    card: str
    form: dict[str, Any]
    state: str = "waiting"


@dataclass
class Phone:
    """A referee's phone with its outbox, and all that it sent and that may still arrive a second time."""

    client: Client
    user: str
    outbox: list[Kept] = field(default_factory=list)
    sent: list[list[Kept]] = field(default_factory=list)

    def unsent(self) -> list[Kept]:
        return [kept for kept in self.outbox if kept.state in {"waiting", "wait"}]

    def send(self, batch: list[Kept], *, heard: bool) -> None:
        """Send entries; the answer is lost on its way where it is not `heard`."""
        body = {"user": self.user, "now": 1_000, "entries": [kept.form for kept in batch]}
        answer = self.client.post(reverse("desk-send"), json.dumps(body), content_type="application/json")
        assert answer.status_code == 200
        self.sent.append(batch)
        if heard:
            for kept, said in zip(batch, answer.json()["answers"], strict=True):
                assert said["command"] == kept.form["command"]
                # An entry that is on the server stays there, whatever answer a later copy gets.
                kept.state = said["state"]


class Evening:
    """A match at each table, and phones whose referees enter its rounds."""

    def __init__(self, data: st.DataObject) -> None:
        self.draw = data.draw
        self.made: Event = running_match(players=PLAYERS * TABLES, tables=TABLES)
        self.phones = [self._phone() for _ in range(PHONES)]
        self.made.refresh()
        self.version = self.made.tournament.version
        self.entered: dict[tuple[int, int], list[tuple[Phone, Kept]]] = {}
        for table in range(TABLES):
            for number in range(1, self.draw(st.integers(1, ROUNDS), label="rounds") + 1):
                self._enter(table, number)

    def _phone(self) -> Phone:
        user = self.made.referee("head_referee")
        client = Client()
        client.force_login(user)
        return Phone(client, str(user.uid))

    def _enter(self, table: int, number: int) -> None:
        """Enter this round on one phone, or on two."""
        phones = st.lists(st.sampled_from(range(PHONES)), min_size=1, max_size=2, unique=True)
        for index in self.draw(phones, label="who enters"):
            phone = self.phones[index]
            kept = self._round(table, number)
            phone.outbox.append(kept)
            self.entered.setdefault((table, number), []).append((phone, kept))

    def _round(self, table: int, number: int) -> Kept:
        row = self.made.tables[table]
        seated = self.made.at(row)
        winner = self.draw(st.sampled_from(seated), label="winner")
        card = self.draw(st.sampled_from(["1", "2", "3"]), label="card")
        fields = {"play": str(uuid4()), "number": str(number), "winner": str(winner), "step": "save"}
        fields |= {f"hand-{entry}-{card}": "1" for entry in seated if entry != winner}
        form = {
            "command": str(uuid4()),
            "kind": "round",
            "url": reverse("table-record", args=[row.uid]),
            "fields": [[name, value] for name, value in fields.items()],
            "queued": 0,
        }
        return Kept(table, number, winner, card, form)

    def play(self) -> None:
        for _ in range(self.draw(st.integers(0, 12), label="network")):
            phone = self.draw(st.sampled_from(self.phones), label="phone")
            if bool(phone.sent) and self.draw(st.booleans(), label="an earlier copy comes late"):
                phone.send(self.draw(st.sampled_from(phone.sent), label="copy"), heard=False)
            elif waiting := phone.unsent():
                many = self.draw(st.integers(1, len(waiting)), label="how many")
                phone.send(waiting[:many], heard=self.draw(st.booleans(), label="the answer arrives"))
        self._until_quiet()

    def _until_quiet(self) -> None:
        """The network is back for good: everybody sends until nothing waits, each time round at least one arrives."""
        while any(phone.unsent() for phone in self.phones):
            before = self._states()
            for phone in self.phones:
                if waiting := phone.unsent():
                    phone.send(waiting, heard=True)
            assert self._states() != before

    def _states(self) -> list[str]:
        return [kept.state for phone in self.phones for kept in phone.outbox]

    def agrees(self) -> None:
        stored = {(play.table_id, play.number): play for play in Play.objects.all()}
        assert len(stored) == len(self.entered)
        for (table, number), versions in self.entered.items():
            play = stored[self.made.tables[table].pk, number]
            said = [self._facts(kept) for _phone, kept in versions]
            stands = self._stored(play)
            assert stands in said
            # The first is confirmed, and so is everybody who said the same; whoever said otherwise is told.
            assert [kept.state for _phone, kept in versions] == [
                "saved" if facts == stands else "conflict" for facts in said
            ]
        self.made.refresh()
        assert self.made.tournament.version == self.version + len(self.entered)
        assert verify(self.made.tournament) == []

    def _facts(self, kept: Kept) -> set[tuple[UUID, str, tuple[str, ...]]]:
        seated: Iterable[UUID] = self.made.at(self.made.tables[kept.table])
        return {
            (entry, "won", ()) if entry == kept.winner else (entry, "holds", (kept.card,)) for entry in seated
        }

    @staticmethod
    def _stored(play: Play) -> set[tuple[UUID, str, tuple[str, ...]]]:
        return {
            (uid, outcome, tuple(hand))
            for uid, outcome, hand in play.results.values_list("entry__uid", "outcome", "hand")
        }


class OutboxesInAnyOrder(TestCase):
    @examples(8)
    @given(data=st.data())
    def test_everything_arrives_once(self, data: st.DataObject) -> None:
        evening = Evening(data)
        evening.play()
        evening.agrees()
