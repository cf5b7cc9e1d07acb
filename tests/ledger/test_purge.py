"""`manage.py purge` deletes rehearsals and nothing else; killed in the middle it leaves everything as it was."""

import os
import subprocess
import sys
from datetime import timedelta
from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from tests.support.arriving import by_link
from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_match,
    webhook_of,
)
from tests.support.models import stored_models
from tests.support.processes import on_this_database
from tournament import actions
from tournament.actions import Command
from tournament.ledger import purge as purging, triggers
from tournament.ledger.verify import verify
from tournament.links import token_for
from tournament.models import Entry, Organiser, Player, Stage, Tournament, User

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def everything() -> dict[str, list[dict[str, object]]]:
    """Every row of every table of ours."""
    return {
        model._meta.label: list(model._default_manager.order_by("pk").values()) for model in stored_models()
    }


def whole(**more: object) -> Event:
    """A championship with a row of every kind that an event can have."""
    made = event("tite-2022", players=6, **more)
    made.act(actions.set_registration, opened=True, terms="Be kind.")
    made.act(actions.register, entry=uuid4(), public_name="By myself", terms=True)
    made.act(actions.keep_apart, first=made.uids[0], second=made.uids[1])
    made.act(actions.different_people, entry=made.uids[2], other=made.uids[3])
    made.act(actions.tick, item="backup")
    webhook_of(made)
    made.act(
        actions.create_invite,
        invite=uuid4(),
        role="table_referee",
        expires_at=timezone.now() + timedelta(hours=5),
    )
    made.act(actions.add_screen, screen=uuid4(), name="Hall")
    made.act(actions.announce, announcement=uuid4(), words={"en": "Food is served"})
    made.act(actions.pause_hall_clock)
    add_stage(made, "heats", tables=2)
    made.act(actions.call_referee, table=made.table.uid)
    proposed = {"proposal": uuid4(), "play": uuid4(), "number": 1, "fields": {"ended": "time"}}
    token = token_for("table", made.table.uid)
    by_link(made, actions.propose_result, token=token, **proposed)
    for table in made.tables:
        recorded_heat(made, table)
    made.referee("table_referee", made.table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 300})
    made.act(actions.fill_stage, stage=final, decided=[made.uids[5]], reason="A reserve")
    made.act(actions.remove_player, entry=made.uids[4], reason="After a warning")
    return made


def put_away(made: Event) -> Event:
    made.act(actions.put_away)
    return made


def command(*options: str) -> str:
    out = StringIO()
    call_command("purge", *options, stdout=out)
    return out.getvalue()


def test_purge_leaves_everything_else_as_it_was() -> None:
    match = running_match(players=3)
    recorded_round(match)
    real = whole(user=match.user)
    before = everything()
    rehearsed = put_away(
        whole(name="Rehearsed", rehearsal=True, user=real.user, organiser=real.tournament.organiser.uid)
    )
    helpers = set(User.objects.values_list("pk", flat=True))
    said = command()
    assert f"deleted Rehearsed ({real.tournament.organiser.name}): 7 players" in said
    after = everything()
    users = {row["id"] for row in after["tournament.User"]}
    assert users == helpers  # who has an account keeps it
    after["tournament.User"] = before["tournament.User"]
    assert after == before
    assert not Tournament.objects.filter(uid=rehearsed.tournament.uid).exists()
    assert triggers.present(connection)
    assert verify(match.refresh().tournament) == []
    assert verify(Tournament.objects.get(uid=real.tournament.uid)) == []
    call_command("verify", stdout=StringIO())


def test_purge_never_deletes_a_real_event() -> None:
    real = whole()
    rehearsed = whole(rehearsal=True)  # not put away
    before = everything()
    assert command() == "There are no rehearsals to delete.\n"
    assert purging.purge([real.tournament.uid, rehearsed.tournament.uid]) == []
    assert purging.purge([real.tournament.uid], all_rehearsals=True) == []
    assert everything() == before


def test_purge_of_what_was_copied_keeps_the_sources_players() -> None:
    real = whole()
    before = everything()
    uid = uuid4()
    actions.copy_event(
        Command(uid, real.user),
        real.tournament.uid,
        name="Copy",
        starts_on=real.tournament.starts_on,
        players=True,
        roles=True,
        rehearsal=True,
    )
    actions.put_away(Command(uuid4(), real.user), uid)
    command()
    assert everything() == before


def test_purge_deletes_players_and_organisers_whom_nobody_else_knows() -> None:
    made = event(players=3, rehearsal=True)
    made.act(actions.withdraw_entry, entry=made.uids[2])
    assert (Organiser.objects.count(), Player.objects.count()) == (1, 2)
    put_away(made)
    command()
    assert (Organiser.objects.count(), Player.objects.count(), Entry.objects.count()) == (0, 0, 0)
    assert User.objects.filter(pk=made.user.pk).exists()


def test_purge_keeps_a_player_who_can_be_put_back_in_a_real_event() -> None:
    real = event(players=1)
    made = event(user=real.user, organiser=real.tournament.organiser.uid, listed=False, rehearsal=True)
    known = {"entry": uuid4(), "name": "Aino", "player": real.entries[0].player.uid}
    made.act(actions.enter_players, players=[known])
    real.act(actions.withdraw_entry, entry=real.uids[0])
    put_away(made)
    command()
    assert Player.objects.count() == 1


def test_purge_deletes_guests_who_came_for_the_rehearsal() -> None:
    made = event(rehearsal=True)
    guest = User.objects.create(username="guest-1", password="!")
    both = User.objects.create(username="guest-2", password="!")
    for user in (guest, both):
        made.act(actions.grant_role, membership=uuid4(), user=user.uid, role="table_referee")
    event().act(actions.grant_role, membership=uuid4(), user=both.uid, role="table_referee")
    put_away(made)
    command()
    assert list(User.objects.filter(username__startswith="guest-")) == [both]


def test_all_rehearsals_are_deleted_also_those_in_use() -> None:
    running = add_stage(event("tite-2022", players=4, rehearsal=True), "heats", tables=1)
    recorded_heat(running)
    real = event()
    command("--all-rehearsals")
    assert list(Tournament.objects.all()) == [real.tournament]
    assert not Stage.objects.exists()


def test_failing_in_the_middle_leaves_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    put_away(whole(rehearsal=True))
    before = everything()
    monkeypatch.setattr(purging, "_forget", lambda **_left: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        command()
    assert everything() == before
    assert triggers.present(connection)


KILLED = """
import os
import django
django.setup()
from tournament.ledger import purge
from tournament.models import LedgerRow, Tournament
def killed(**_left):
    assert not Tournament.objects.exists() and not LedgerRow.objects.exists()
    os._exit(9)
purge._forget = killed
purge.purge([each.tournament for each in purge.rehearsals_to_purge()])
"""


@pytest.mark.django_db(transaction=True)
def test_killed_in_the_middle_leaves_everything() -> None:
    made = put_away(whole(rehearsal=True))
    before = everything()
    environment = os.environ | on_this_database()
    connection.close()
    process = subprocess.run(
        [sys.executable, "-c", KILLED], env=environment, capture_output=True, check=False
    )
    assert process.returncode == 9, process.stderr.decode()
    assert everything() == before
    assert triggers.present(connection)
    assert verify(Tournament.objects.get(uid=made.tournament.uid)) == []
