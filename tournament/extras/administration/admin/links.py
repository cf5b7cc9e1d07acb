"""Links of a row's page: event, tables, where it changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.models import (
    Announcement,
    Apart,
    ApiToken,
    Call,
    Decision,
    Delivery,
    Different,
    Draw,
    Entry,
    HallClock,
    Incident,
    Invite,
    LedgerCheck,
    LedgerNote,
    LedgerRow,
    Membership,
    PastResult,
    Play,
    Player,
    Proposal,
    Registration,
    Result,
    Screen,
    Season,
    SeasonEvening,
    Seat,
    Stage,
    Table,
    Tick,
    Tournament,
    Webhook,
)
from tournament.permissions import RANK, Role, rank
from tournament.views import user_of

# (URL name, words) of a model's page; arguments by BY_STAGE etc.
BOARD = ("organise-board", _("Event board"))
SEATS = ("organise-seats", _("Seats"))
STAGE = ("organise-stage", _("Stage"))
TABLE = ("table", _("Enter results"))
LEDGER = ("organise-ledger", _("Ledger"))
CHANGED_ON: Mapping[type[Model], tuple[str, str | Promise]] = {
    Tournament: BOARD,
    Player: ("organise-player", _("Player")),
    Entry: ("organise-player", _("Player")),
    Stage: STAGE,
    Decision: STAGE,
    Table: SEATS,
    Seat: SEATS,
    Draw: SEATS,
    Play: TABLE,
    Result: TABLE,
    Proposal: TABLE,
    Call: TABLE,
    Incident: BOARD,
    PastResult: BOARD,
    Registration: ("organise-registration", _("Registration")),
    Invite: ("organise-invites", _("Invites")),
    Season: BOARD,
    SeasonEvening: BOARD,
    Membership: ("organise-roles", _("Referees and roles")),
    Apart: ("organise-apart", _("Kept apart")),
    Different: ("organise-duplicates", _("Possible duplicates")),
    Tick: ("organise-checklist", _("Checklist")),
    Announcement: ("organise-announcements", _("Announcements")),
    HallClock: ("organise-clock", _("Clock")),
    Screen: ("organise-screens", _("Big screens")),
    Webhook: BOARD,
    Delivery: BOARD,
    LedgerRow: LEDGER,
    LedgerNote: LEDGER,
    LedgerCheck: LEDGER,
}
BY_STAGE, BY_TABLE, BY_ENTRY = (
    {"organise-seats", "organise-stage"},
    {"table"},
    {"organise-player"},
)


@dataclass(frozen=True, slots=True)
class Pages:
    """Pages that a row leads to. `tables`: open for results; `changed_on`: URL where the row changes."""

    tournament: Tournament | None
    stage: Stage | None = None
    tables: Sequence[Table] = ()
    changed_on: str = ""
    words: str | Promise = ""
    by_others: bool = False


def pages_of(request: HttpRequest, row: Any) -> Pages:
    """Pages of a row; a player's and a season's by their last event."""
    if isinstance(row, ApiToken):
        return Pages(row.tournament, changed_on=reverse("organise"), words=_("My events"))
    named = named_by(row)
    tournament = named.get(Tournament)
    if tournament is None:
        return Pages(None)
    tables = () if tournament.put_away else _open_tables(named)
    page, words = CHANGED_ON.get(row._meta.concrete_model, ("", ""))
    if page in BY_STAGE:
        key = named[Stage].uid
    elif page in BY_TABLE:
        key = named[Table].uid
    else:
        key = named[Entry].uid if page in BY_ENTRY else tournament.slug
    by_others = page not in BY_TABLE and rank(user_of(request), tournament) < RANK[Role.ORGANISER]
    if by_others:
        page, words, key = *BOARD, tournament.slug
    return Pages(
        tournament,
        named.get(Stage),
        tables,
        reverse(page, args=[key]) if page and not tournament.put_away else "",
        words,
        by_others,
    )


def named_by(row: Any) -> dict[type[Model], Any]:
    """The row and its parents, by model."""
    if isinstance(row, Player):
        row = row.entries.select_related("tournament").order_by("pk").last()
    elif isinstance(row, Season):
        row = SeasonEvening.objects.filter(season=row).select_related("tournament").last()
    named: dict[type[Model], Any] = {}
    steps = [] if isinstance(row, Tournament | None) else type(row).FIELDS.of.split("__")
    for step in ["", *steps]:
        row = getattr(row, step, None) if step else row
        if isinstance(row, Model):
            named[row._meta.concrete_model or type(row)] = row
    return named


def _open_tables(named: Mapping[type[Model], Any]) -> Sequence[Table]:
    tables = Table.objects.filter(stage__state=Stage.State.RUNNING).select_related("stage")
    if Table in named:
        tables = tables.filter(pk=named[Table].pk)
    elif Stage in named:
        tables = tables.filter(stage=named[Stage].pk)
    else:
        tables = tables.filter(stage__tournament=named[Tournament])
    return list(tables.order_by("stage__number", "number"))
