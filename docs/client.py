"""Enter a round at a table and print the standings: a client of the API in Python's standard library alone.

    LASTCARD=https://cards.example.org TOKEN=lc_... python client.py TABLE 1 AINO=0 BORJE=7:1,draw2:1

TABLE is the table's uid, 1 the round's number; AINO and BORJE are uids of players, with the cards that they have left:
0 for the winner. The token needs the scope `enter`. Sent twice, the round is entered once.
"""

import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

TRIES = 5  # of a request that did not arrive, or came too early
WAIT_SECONDS = 1
PROBLEM = "application/problem+json"

Hand = Mapping[str, int]


class Problem(Exception):
    """A refusal by the server: a problem of RFC 9457. `code` says which."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        faults = "; ".join(f"{fault['path']} {fault['message']}" for fault in problem.get("errors", []))
        super().__init__(f"{problem['title']} {faults}".strip())
        self.code: str = problem["code"]
        self.problem = problem


class Lastcard:
    """The API at an address, asked with a token."""

    def __init__(self, address: str, token: str) -> None:
        self.address = f"{address.rstrip('/')}/api/v1"
        self.token = token

    def get(self, path: str) -> Any:
        """Read what stands at the path; raises Problem."""
        return self._ask("GET", path)

    def send(self, method: str, path: str, body: Any, key: uuid.UUID, version: int | None = None) -> Any:
        """Carry a command out, once however often it is sent with this key; `version` is that of the play which it
        changes. Gives the receipt; raises Problem."""
        headers = {"Idempotency-Key": str(key), "Content-Type": "application/json"}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        return self._ask(method, path, json.dumps(body).encode(), headers)

    def _ask(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Any:
        sent = {"Authorization": f"Bearer {self.token}", "Accept": "application/json", **(headers or {})}
        address = f"{self.address}/{path}"
        request = urllib.request.Request(address, body, sent, method=method)  # noqa: S310 - its user's own
        for left in reversed(range(TRIES)):
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - the same
                    return json.load(answer)
            except urllib.error.HTTPError as refused:
                if refused.headers.get_content_type() == PROBLEM:
                    wait = int(refused.headers.get("Retry-After", 0))
                    if not wait or not left:
                        raise Problem(json.load(refused)) from None
                else:  # of a proxy, whose server is away
                    wait = WAIT_SECONDS
                    if not left:
                        raise
            except OSError:  # no network: the same key makes it safe to send again
                if not left:
                    raise
                wait = WAIT_SECONDS
            time.sleep(wait)
        raise AssertionError("unreachable")


def enter_round(lastcard: Lastcard, table: str, number: int, hands: Mapping[str, Hand]) -> Any:
    """Enter a round of a table: by the players' uids the cards that they have left, the winner none. Gives the
    receipt.

    The key follows from the table and the number: the same round sent again, also by another run of this program, is
    entered once, and another one in its place is refused.
    """
    winner = next((player for player, hand in hands.items() if not hand), None)
    held = {player: hand for player, hand in hands.items() if hand}
    body = {"number": number, "winner": winner, "hands": held}
    return lastcard.send(
        "POST", f"tables/{table}/rounds", body, uuid.uuid5(uuid.UUID(table), f"round {number}")
    )


def standings(lastcard: Lastcard, table: str) -> list[str]:
    """The standings of the table's match or race, a line for each player."""
    stage = lastcard.get(f"tables/{table}")["stage"]
    rows = lastcard.get(f"stages/{stage}/standings")["standings"]
    return [
        f"{row['place'] or '-':>3}  {row['points'] or row['average'] or 0:>5}  {row['display_name']}"
        for row in rows
        if row["table"] in {table, None}
    ]


def hand_of(text: str) -> Hand:
    """`7:1,draw2:1` as a hand, `0` as an empty one."""
    cards = (card.split(":") for card in text.split(",") if card != "0")
    return {card: int(count) for card, count in cards}


def main(arguments: Sequence[str]) -> None:
    """Enter the round and print what follows from it."""
    lastcard = Lastcard(os.environ["LASTCARD"], os.environ["TOKEN"])
    table, number, *players = arguments
    hands = {player: hand_of(hand) for player, hand in (each.split("=") for each in players)}
    try:
        receipt = enter_round(lastcard, table, int(number), hands)
    except Problem as problem:
        sys.exit(str(problem))
    again = ", entered before" if receipt["replayed"] else ""
    print(f"Round {number} is row {receipt['sequence']} of the ledger{again}.")
    print("\n".join(standings(lastcard, table)))


if __name__ == "__main__":
    main(sys.argv[1:])
