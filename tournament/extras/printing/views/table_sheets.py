"""Table sheets to write on, with a QR code for the referee."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Max, Q
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, override

from rulesets import RULESETS, SPECIALS, Ruleset
from tournament.extras.printing.views.prints import number_in, on_paper, players_at
from tournament.models import Entry, Membership, Play, Stage, Table
from tournament.queries.stage_rules import (
    decks_text,
    known_by_age,
    needs_of,
    start_text,
    taken_out_text,
)
from tournament.results import grouped, kind_of, target_of
from tournament.server.venue import public_address, qr_svg
from tournament.views import get_stage, page, signed_in_page
from tournament.views.desk.at_table import short_of
from tournament.views.organiser.on_paper import paper_context
from tournament.words.faults import card_name
from tournament.words.text import listed, points_text

MOST_COPIES = 9
CROWDED = 10  # players; above it, smaller print
ROUNDS, ROUNDS_CROWDED = 12, 8  # rows


@dataclass(frozen=True, slots=True)
class Duty:
    """A duty at the table; `name` is "" if unnamed."""

    word: str
    name: str


@dataclass(frozen=True, slots=True)
class TableSheet:
    """One sheet. `qr`: desk page; `short`: typed address."""

    number: int
    players: Sequence[Entry]
    plays: Sequence[int]
    duties: Sequence[Duty]
    decks: str
    ruleset: Ruleset
    qr: SafeString
    short: str
    crowded: bool


@signed_in_page
def table_sheets(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Sheets of a stage or `?table=`, from the next play, `copies` ahead; none if finished."""
    row = get_stage(request, stage, Membership.Role.HEAD_REFEREE)
    kind = kind_of(row.kind)
    ruleset = RULESETS[row.tournament.ruleset]
    copies = 1 if kind.one_play else number_in(request, "copies", 1, MOST_COPIES)
    players = players_at(row)
    running = Count("plays", filter=Q(plays__state=Play.State.RUNNING))
    rows = Table.objects.filter(stage=row).exclude(stage__state=Stage.State.FINISHED)
    rows = rows.select_related(*Table.ROLES).annotate(last=Max("plays__number"), running=running)
    tables = [table for table in rows.order_by("number") if players.get(table.pk)]
    wanted = number_in(request, "table", 0, 99_999)
    with on_paper(request, row.tournament):
        specials = [card for card in SPECIALS if card in ruleset.deck]
        worth = grouped((ruleset.points[card], card_name(card, ruleset)) for card in specials)
        others = [f"{listed(names)}: {points_text(points)}" for points, names in sorted(worth.items())]
        context = {
            **paper_context(request, row.tournament),
            "stage": row,
            "kind": kind.sheet,
            "sheets": [
                _sheet(request, row, table, players[table.pk], copy)
                for table in tables
                if wanted in {0, table.number}
                for copy in range(copies)
            ],
            "numbers": [table.number for table in tables],
            "wanted": wanted,
            "copies": None if kind.one_play else copies,
            "most_copies": MOST_COPIES,
            "start": start_text(row.tournament.ruleset),
            "taken_out": taken_out_text(row),
            "worth": [_("Number cards: face value"), *others],
            "target": target_of({"kind": kind.sheet, "settings": row.settings, "ruleset": ruleset.id}),
            "advance": row.settings.get("advance", 1),
        }
    return page(request, "printing/table_sheets.html", row.tournament, **context)


def _sheet(
    request: HttpRequest, stage: Stage, table: Table, players: Sequence[Entry], copy: int
) -> TableSheet:
    needs = needs_of(stage, len(players))
    crowded = len(players) > CROWDED
    rows = 1 if kind_of(stage.kind).seats_change else ROUNDS_CROWDED if crowded else ROUNDS
    with override(str(stage.tournament.language)):  # the desk page asks for sign-in
        address = public_address(request, reverse("table", args=[table.uid]))
    # annotated: the running play, else the next
    first = (getattr(table, "last", None) or 0) + (not getattr(table, "running", 0)) + copy * rows
    return TableSheet(
        number=table.number,
        players=players,
        plays=range(first, first + rows),
        duties=_duties(table, players, by_age=needs.by_age),
        decks=decks_text(needs),
        ruleset=RULESETS[stage.tournament.ruleset],
        qr=qr_svg(address),
        short=short_of(request, table),
        crowded=crowded,
    )


def _duties(table: Table, players: Sequence[Entry], *, by_age: bool) -> list[Duty]:
    if not by_age:
        return [Duty(_("Starter"), _name(table.starter, players))]
    oldest, youngest = known_by_age(table, players)
    return [Duty(_("Oldest"), _name(oldest, players)), Duty(_("Youngest"), _name(youngest, players))]


def _name(entry: Entry | None, players: Sequence[Entry]) -> str:
    return entry.shown_name if entry in players and entry else ""
