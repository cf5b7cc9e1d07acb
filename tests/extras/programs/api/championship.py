"""An event with everything in it that an answer could hold, and the people who may ask for it."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

from django.utils import timezone

from tests.support.factories import Event, UserFactory, add_stage, event, recorded_heat, recorded_round
from tournament import actions
from tournament.extras.programs.actions import make_token
from tournament.models import Entry, Incident, Membership, Play, Stage, Table, User

Role = Membership.Role

# Text that nobody but an organiser may read: the canaries that tests look for.
REAL_NAME = "Realname Canary"
CONTACT = "contact-canary@example.org"
BORN = date(1987, 6, 5)
LABEL = "Label canary"


def token_for(user: User, scope: str = "organise", tournament: Any = None) -> str:
    """A new token's secret."""
    expires_at = timezone.now() + timedelta(days=1)
    return make_token(user, name="a test's", scope=scope, tournament=tournament, expires_at=expires_at)[1]


@dataclass
class People:
    """The askers' tokens, by the asker's name; "" for anybody."""

    made: Event
    tokens: dict[str, str]

    def headers(self, who: str) -> dict[str, str]:
        secret = self.tokens[who]
        return {"authorization": f"Bearer {secret}"} if secret else {}


def championship() -> Event:
    """Heats that are over, a match that runs, incidents, a programme, and one player with private data."""
    made = event("tite-2022", players=6)
    first = made.entries[0]
    made.act(
        actions.edit_entry,
        entry=first.uid,
        real_name=REAL_NAME,
        public_name=first.public_name,
        club="Club",
        start_number=first.start_number,
        birth_date=BORN,
        contact=CONTACT,
    )
    add_stage(made, "heats", tables=2, advance=2)
    for table in made.tables:
        recorded_heat(made, table, advance=2)
    made.act(actions.finish_stage, stage=made.stage.uid)
    add_stage(made, "match", tables=1, target=500)
    recorded_round(made)
    made.act(
        actions.warn_player,
        incident=uuid4(),
        table=made.table.uid,
        entry=made.at(made.table)[0],
        code="",
        text="spoke of cards",
    )
    made.act(actions.call_referee, table=made.table.uid)
    made.act(actions.keep_apart, first=first.uid, second=made.entries[1].uid)
    made.act(actions.add_screen, screen=uuid4(), name="By the door")
    made.act(
        actions.create_invite,
        invite=uuid4(),
        role="table_referee",
        label=LABEL,
        expires_at=timezone.now() + timedelta(days=1),
    )
    return made.refresh()


def everybody(made: Event) -> People:
    """The askers: nobody in particular, referees of one table and of all, an organiser, and somebody of another
    event."""
    other = event(players=1)
    here = made.table
    users = {
        "table referee": made.referee(Role.TABLE_REFEREE, here),
        "head referee": made.referee(Role.HEAD_REFEREE),
        "organiser": made.referee(Role.ORGANISER),
        "other event's organiser": other.referee(Role.ORGANISER),
        "stranger": UserFactory(),
    }
    return People(made, {"anybody": "", **{who: token_for(user) for who, user in users.items()}})


def uids_of(made: Event) -> dict[str, list[str]]:
    """List the uids that a path of the interface may name there, by the name of its parameter."""
    tournament = made.tournament
    rows = {
        "tournament": [tournament],
        "entry": Entry.objects.filter(tournament=tournament),
        "stage": Stage.objects.filter(tournament=tournament),
        "table": Table.objects.filter(stage__tournament=tournament),
        "play": Play.objects.filter(table__stage__tournament=tournament),
        "incident": Incident.objects.filter(tournament=tournament),
    }
    rows["organiser"] = [tournament.organiser]
    return {name: [str(row.uid) for row in found] for name, found in rows.items()}
