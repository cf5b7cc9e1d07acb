"""People with a role in an event."""

from dataclasses import dataclass, field
from uuid import UUID, uuid4

from tournament.models import Invite, Membership, Stage, Table, Tournament, User
from tournament.pages.public.standings import isolated
from tournament.words.faults import table_text

Role = Membership.Role


@dataclass(slots=True)
class Person:
    """`roles`: highest first, with a command to revoke each; `tables`: of unfinished stages."""

    user: User
    roles: list[tuple[Membership, UUID]] = field(default_factory=list)
    tables: list[UUID] = field(default_factory=list)
    command: UUID = field(default_factory=uuid4)

    @property
    def says(self) -> list[str]:
        """What they may do, in words."""
        roles = [str(Role(role.role).label) for role, _command in self.roles]
        tables = [role.table for role, _command in self.roles if role.table and role.table.uid in self.tables]
        return list(dict.fromkeys([*roles, *(table_text(table.stage, table.number) for table in tables)]))


def people_of(tournament: Tournament) -> list[Person]:
    """All, highest role first, in order of joining."""
    found: dict[int, Person] = {}
    rows = Membership.objects.filter(tournament=tournament).select_related("user", "table__stage")
    order = [Role.ORGANISER, Role.HEAD_REFEREE, Role.TABLE_REFEREE]
    for row in sorted(rows, key=lambda row: (order.index(Role(row.role)), row.pk)):
        person = found.setdefault(row.user_id, Person(row.user))
        person.roles.append((row, uuid4()))
        if row.table and row.table.stage.state != Stage.State.FINISHED and row.role == Role.TABLE_REFEREE:
            person.tables.append(row.table.uid)
    return list(found.values())


def invite_tables(invite: Invite) -> str:
    """An invite's tables for a sentence: "Heats 2 and Heats 5"."""
    ordered = (
        Table.objects.filter(uid__in=invite.tables)
        .select_related("stage")
        .order_by("stage__number", "number")
    )
    return isolated([f"{table.stage} {table.number}" for table in ordered]) or "–"
