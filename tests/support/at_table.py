"""A table and its code: actions, proposals and calls of its players."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

from tests.support.arriving import by_link
from tests.support.factories import (
    Event,
    recorded_round,
    running_match,
)
from tournament import actions
from tournament.actions import Command, Receipt
from tournament.links import token_for
from tournament.models import (
    Call,
    Proposal,
    Table,
    User,
)


def final(*, asked: bool = True) -> Event:
    """A final that is played; a second person accepts its rounds."""
    made = running_match(players=3, ruleset="tite-2022", kind="final", target=250)
    if asked:
        made.act(actions.ask_second_look, stage=made.stage.uid, wanted=True)
    return made.refresh()


def token(table: Table) -> str:
    return token_for("table", table.uid, Table.objects.get(pk=table.pk).link_number)


def at_table(made: Event, action: Callable[..., Receipt], table: Table | None = None, **more: Any) -> Receipt:
    return by_link(made, action, token=token(table or made.table), **more)


def codes(refused: Any) -> list[str]:
    return [fault.code for fault in refused.value.faults]


def open_calls(made: Event) -> list[Call]:
    return list(Call.objects.filter(table__stage__tournament=made.tournament, answered_at=None))


def fields_of(made: Event) -> dict[str, str]:
    """The form of a round that the first player won against 7s."""
    winner, *others = made.at(made.table)
    return {"winner": str(winner)} | {f"hand-{uid}-7": "1" for uid in others}


def result_of(made: Event) -> dict[str, Any]:
    winner, *others = made.at(made.table)
    return {"winner": winner, "hands": {str(uid): {"7": 1} for uid in others}}


def proposed(made: Event, number: int = 1, **more: Any) -> Proposal:
    uid = uuid4()
    arguments = {"proposal": uid, "play": uuid4(), "number": number, "fields": fields_of(made), **more}
    at_table(made, actions.propose_result, **arguments)
    return Proposal.objects.get(uid=arguments["proposal"])


def seen(made: Event, *plays: UUID) -> list[dict[str, Any]]:
    """These plays as a page shows them now."""
    return [{"play": play, "version": made.play(play).version} for play in plays]


def over_before(later: int = 2) -> tuple[Event, list[dict[str, Any]]]:
    """A match that a correction ended with its first round, and the later rounds, set aside, as a page shows them."""
    made = running_match(players=2, target=50)
    first, *others = (recorded_round(made) for _ in range(1 + later))
    winner, loser = made.at(made.table)
    corrected = {"winner": winner, "hands": {str(loser): {"wild": 1}}, "reason": "miscounted"}
    made.act(actions.correct_round, **seen(made, first)[0], **corrected)
    return made, seen(made, *others)


def act_as(user: User, made: Event, action: Callable[..., Receipt], **arguments: Any) -> Receipt:
    return action(Command(uuid4(), user, "test"), made.tournament.uid, **arguments)
