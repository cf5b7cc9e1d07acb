"""Events for tests, built as people build them: through the actions.

    match = running_match(players=4)
    record = match.act(actions.record_round, table=match.table.uid, play=uuid4(), number=1, ...)

`Event` holds the tournament, its stage and tables, its entries in the order of the seats, and an organiser; `act` calls
an action as that organiser. People who only have a role come from `referee`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from hashlib import sha256
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import factory.django
from django.utils import timezone
from factory.declarations import Sequence

from tests.support.built import built_once
from tournament import actions
from tournament.actions import Command, Receipt
from tournament.models import (
    ApiToken,
    Delivery,
    Entry,
    Membership,
    Organiser,
    Play,
    Stage,
    Table,
    Tournament,
    User,
    Webhook,
)

NAMES = ["Aino", "Börje", "Cécile", "Dima", "Eeva", "Fatima", "Göran", "Hilla"]


class UserFactory(factory.django.DjangoModelFactory[User]):
    class Meta:
        model = User
        skip_postgeneration_save = True

    if TYPE_CHECKING:

        def __new__(cls, **fields: Any) -> User: ...  # type: ignore[misc]  # factory-boy's metaclass returns the row

    username = Sequence(lambda number: f"person-{number}")
    first_name: str | Sequence = Sequence(lambda number: f"Person {number}")
    password = factory.django.Password("a password for tests")


class StaffFactory(UserFactory):
    """May create tournaments and referee every event."""

    is_staff = True


class GuestFactory(UserFactory):
    """Somebody without an account: nobody can sign in as them."""

    username = Sequence(lambda number: f"guest-{number}")
    first_name = "Guest"
    password = factory.django.Password(None)


class OrganiserFactory(factory.django.DjangoModelFactory[Organiser]):
    class Meta:
        model = Organiser

    name = Sequence(lambda number: f"Club {number}")


@dataclass
class Event:
    """A tournament with one stage, as it stands in the database now."""

    tournament: Tournament
    user: User
    entries: list[Entry] = field(default_factory=list)
    stage: Stage = field(init=False)
    tables: list[Table] = field(default_factory=list)

    @property
    def table(self) -> Table:
        """The first table."""
        return self.tables[0]

    @property
    def uids(self) -> list[UUID]:
        """The entries' uids, in the order of entering."""
        return [entry.uid for entry in self.entries]

    def at(self, table: Table) -> list[UUID]:
        """The uids of those seated at a table, clockwise."""
        return list(table.seats.order_by("position").values_list("entry__uid", flat=True))

    def act(self, action: Callable[..., Receipt], **arguments: Any) -> Receipt:
        """Call an action as the organiser, with a new command."""
        return action(Command(uuid4(), self.user, "test"), self.tournament.uid, **arguments)

    @built_once
    def referee(self, role: str = Membership.Role.HEAD_REFEREE, table: Table | None = None) -> User:
        """A new user with this role."""
        user = UserFactory()
        self.act(
            actions.grant_role,
            membership=uuid4(),
            user=user.uid,
            role=role,
            table=table.uid if table else None,
        )
        return user

    def play(self, uid: UUID) -> Play:
        return Play.objects.get(uid=uid)

    def refresh(self) -> "Event":
        """Read everything again."""
        self.tournament.refresh_from_db()
        self.stage.refresh_from_db()
        self.tables = list(Table.objects.filter(stage=self.stage).select_related("stage__tournament"))
        self.entries = list(Entry.objects.filter(tournament=self.tournament))
        return self


@built_once
def event(ruleset: str = "mattel-108", players: int = 0, **more: Any) -> Event:
    """A tournament with so many entries and no stage yet; `more` are arguments of `create_tournament`. Without
    `organiser` or its name each is of an organiser of its own."""
    uid = uuid4()
    organiser_name = f"Club {uid.hex[:6]}" if more.get("user") else "Club"
    user = more.pop("user", None) or StaffFactory()
    arguments = {
        "name": f"Event {uid.hex[:6]}",
        "starts_on": date(2026, 5, 9),
        "organiser_name": organiser_name,
        **more,
    }
    actions.create_tournament(Command(uuid4(), user), uid, ruleset=ruleset, **arguments)
    made = Event(Tournament.objects.get(uid=uid), user)
    if players:
        rows = [{"entry": uuid4(), "name": name_of(number)} for number in range(players)]
        made.act(actions.enter_players, players=rows)
        made.entries = list(Entry.objects.filter(tournament=made.tournament))
    return made


def name_of(number: int) -> str:
    return NAMES[number] if number < len(NAMES) else f"Player {number + 1}"


def add_stage(made: Event, kind: str, *, tables: int = 1, start: bool = True, **settings: Any) -> Event:
    """Plan a stage, deal the entries round its tables and start it."""
    stage = uuid4()
    made.act(actions.plan_stage, stage=stage, kind=kind, settings=settings)
    for number in range(1, tables + 1):
        made.act(
            actions.seat_table,
            stage=stage,
            table=uuid4(),
            number=number,
            entries=made.uids[number - 1 :: tables],
        )
    if start:
        made.act(actions.start_stage, stage=stage)
    made.stage = Stage.objects.get(uid=stage)
    return made.refresh()


@built_once
def running_match(
    players: int = 4, ruleset: str = "mattel-108", *, kind: str = "match", tables: int = 1, **settings: Any
) -> Event:
    """A match being played at each of the tables, no round entered."""
    if ruleset == "tite-2022":
        settings = {"target": 300, **settings}
    return add_stage(event(ruleset, players), kind, tables=tables, **settings)


@built_once
def running_session(players: int = 4, *, tables: int = 1, **settings: Any) -> Event:
    """A KPGUT session, no game started."""
    return add_stage(event("kpgut-2016", players), "session", tables=tables, **settings)


@built_once
def running_race(players: int = 4, *, kind: str = "race", tables: int = 1, **settings: Any) -> Event:
    """A race being played, by own hands unless the settings say otherwise, no game entered."""
    return add_stage(event("mattel-108", players), kind, tables=tables, **{"scoring": "own_hand", **settings})


@built_once
def running_heats(players: int = 8, *, tables: int = 2, ruleset: str = "tite-2022", **settings: Any) -> Event:
    """Heats being played, none entered."""
    return add_stage(event(ruleset, players), "heats", tables=tables, **settings)


def webhook_of(made: Event, address: str = "https://a.example/") -> Webhook:
    """Rows of a webhook and of a test message that waits."""
    now = timezone.now()
    row = Webhook.objects.create(
        tournament=made.tournament,
        address=address,
        secret=f"whsec_{uuid4().hex}",
        kinds=["results"],
        cursor=made.tournament.version,
        made_at=now,
    )
    Delivery.objects.create(webhook=row, kind="test", body="{}", made_at=now, due_at=now)
    return row


def access_token(user: User, scope: str = "read", of: Tournament | None = None) -> tuple[ApiToken, str]:
    """The row of a token that holds for an hour, and its secret."""
    now, secret = timezone.now(), f"lc_{token_urlsafe(32)}"
    row = ApiToken.objects.create(
        user=user,
        name="Board",
        digest=sha256(secret.encode()).hexdigest(),
        scopes=list(dict.fromkeys(["read", *(["enter"] if scope != "read" else []), scope])),
        tournament=of,
        made_at=now,
        expires_at=now + timedelta(hours=1),
    )
    return row, secret


def started_game(made: Event, *, elapsed_s: int = 0) -> UUID:
    """Start a game with everybody at the first table, `elapsed_s` seconds ago; gives the play's uid."""
    play = uuid4()
    number = Play.objects.filter(table=made.table).count() + 1
    made.act(actions.start_game, table=made.table.uid, play=play, number=number, elapsed_s=elapsed_s)
    return play


def recorded_round(made: Event, winner: UUID | None = None, **hands: dict[str, int]) -> UUID:
    """Record the next round at the first table: the first player wins, each other holds a 7 (or `hands` by uid);
    gives the play's uid."""
    play = uuid4()
    seated = made.at(made.table)
    winner = winner or seated[0]
    held: dict[str, dict[str, int]] = {str(uid): {"7": 1} for uid in seated if uid != winner}
    made.act(
        actions.record_round,
        table=made.table.uid,
        play=play,
        number=Play.objects.filter(table=made.table).count() + 1,
        winner=winner,
        hands=held | hands,
    )
    return play


def recorded_heat(made: Event, table: Table | None = None, advance: int | None = None) -> UUID:
    """Record a table's heat, in which the player who sits first went out first; give the play's uid."""
    table = table or made.table
    play = uuid4()
    made.act(
        actions.record_heat,
        table=table.uid,
        play=play,
        number=Play.objects.filter(table=table).count() + 1,
        finish_order=made.at(table)[: advance or made.stage.settings.get("advance", 1)],
        advance=advance,
    )
    return play
