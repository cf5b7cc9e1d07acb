"""Many people who come at once: places, nicknames and invites are given out as often as they are there, and what two
organisers do to the same row in one moment leaves the ledger and the rows agreed."""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from tests.concurrency.test_writers import WRITERS, together
from tests.support.arriving import by_link, opened, own, token_of
from tests.support.factories import Event, add_stage, event, recorded_round, running_match
from tournament import actions
from tournament.ledger.verify import verify
from tournament.links import token_for
from tournament.models import Entry, LedgerRow, Membership, Play, Tournament, User

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]


def agrees(made: Event) -> bool:
    return verify(Tournament.objects.get(pk=made.tournament.pk)) == []


def registering(made: Event, name: str) -> Callable[[], Any]:
    uid = uuid4()
    return lambda: by_link(made, actions.register, entry=uid, public_name=name, terms=True)


def states(made: Event) -> Counter[str]:
    return Counter(Entry.objects.filter(tournament=made.tournament).values_list("state", flat=True))


def test_no_more_are_registered_than_there_are_places() -> None:
    made = opened(event(), most=3)
    assert together([registering(made, f"Player {n}") for n in range(WRITERS)]) == ["accepted"] * WRITERS
    assert states(made) == {"registered": 3, "waiting": WRITERS - 3}
    numbers = Entry.objects.filter(tournament=made.tournament).values_list("start_number", flat=True)
    assert sorted(numbers) == list(range(1, WRITERS + 1))
    assert agrees(made)


def test_a_nickname_is_given_once() -> None:
    made = opened(event())
    names = ["Aino", "AINO", " aino ", "Ａｉｎｏ", "ai\u200bno", "Aino", "aino", "aINO"]
    assert Counter(together([registering(made, name) for name in names])) == {"accepted": 1, "Refused": 7}
    assert agrees(made)


def test_one_free_place_goes_to_one_of_the_waiting_list() -> None:
    made = opened(event(players=3), most=3)
    for name in ("First", "Second", "Third"):
        registering(made, name)()
    goes = [lambda uid=uid: own(made, actions.cancel_self, uid) for uid in made.uids[:2]]
    assert together([*goes, registering(made, "Last")]) == ["accepted"] * 3
    waiting = Entry.objects.filter(tournament=made.tournament, state="waiting")
    assert set(waiting.values_list("public_name", flat=True)) == {"Third", "Last"}
    assert agrees(made)


def test_an_invite_is_accepted_by_as_many_as_it_is_for() -> None:
    made, uid = event(), uuid4()
    until = timezone.now() + timedelta(hours=1)
    made.act(actions.create_invite, invite=uid, role="table_referee", expires_at=until, most=2)
    token = token_for("invite", uid)
    calls = [partial(actions.accept_invite, uuid4(), token, name="Riku", user=None) for _ in range(WRITERS)]
    assert Counter(together(calls)) == {"accepted": 2, "Refused": WRITERS - 2}
    assert Membership.objects.filter(invite__uid=uid).count() == 2
    assert User.objects.filter(username__startswith="guest-").count() == 2  # who was too late is nobody
    assert agrees(made)


def test_an_invite_sent_many_times_at_once_makes_one_guest() -> None:
    made, uid, command = event(), uuid4(), uuid4()
    until = timezone.now() + timedelta(hours=1)
    made.act(actions.create_invite, invite=uid, role="table_referee", expires_at=until, most=5)
    token = token_for("invite", uid)
    calls = [lambda: actions.accept_invite(command, token, name="Riku", user=None)] * WRITERS
    assert together(calls) == ["accepted"] * WRITERS
    assert Membership.objects.filter(invite__uid=uid).count() == 1


def test_what_two_do_to_one_player_at_once_leaves_everything_agreed() -> None:
    made = event(players=4)
    add_stage(made, "match", start=False)
    a, b, c, _d = made.uids
    token = token_of(a)
    calls: list[Callable[[], Any]] = [
        lambda: made.act(actions.check_in, entries=made.uids),
        lambda: made.act(actions.no_show, entries=[a, b]),
        lambda: by_link(made, actions.cancel_self, token=token),
        lambda: made.act(actions.player_leaves, entry=b),
        lambda: made.act(actions.merge_entries, keep=c, other=a),
        lambda: made.act(actions.withdraw_entry, entry=a),
        lambda: made.act(
            actions.seat_table, stage=made.stage.uid, table=made.table.uid, number=1, entries=[c, b]
        ),
        lambda: made.act(actions.start_stage, stage=made.stage.uid),
    ]
    assert set(together(calls)) <= {"accepted", "Refused", "Forbidden"}
    assert agrees(made)


def test_an_undo_sent_by_many_is_done_once_and_never_loses_a_round() -> None:
    made = running_match()
    started = LedgerRow.objects.filter(tournament=made.tournament, action="start_stage").get().sequence
    undoing = [lambda: made.act(actions.undo, row=started)] * (WRITERS - 1)
    outcomes = together([*undoing, lambda: recorded_round(made)])
    assert outcomes.count("accepted") == 1
    assert Play.objects.count() == (outcomes[-1] == "accepted")
    assert agrees(made)
