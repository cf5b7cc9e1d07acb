"""Printed pages of an event."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Max, Q
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, gettext_lazy, override

from rulesets import RULESETS, SPECIALS, Ruleset
from tournament.ledger.chain import end_shown
from tournament.models import Entry, Membership, Play, Seat, Stage, Table, Tournament
from tournament.pages.public.stage import going_on, stage_board
from tournament.pages.public.standings import club_boards, past_results
from tournament.queries.stage_rules import (
    decks_text,
    known_by_age,
    needs_of,
    players_text,
    start_text,
    taken_out_text,
)
from tournament.queries.visible import freezing, shown, taking_part
from tournament.results import ContestResults, grouped, kind_of, number_or_none, stage_results, target_of
from tournament.server.database import snapshot
from tournament.server.venue import public_address, qr_svg
from tournament.views import get_stage, get_tournament, page, signed_in_page
from tournament.views.desk.at_table import short_of
from tournament.views.organiser.on_paper import language_of, paper_context
from tournament.words.faults import card_name
from tournament.words.text import in_alphabet, listed, points_text

LONGEST_NUMBER = 5  # digits
FIRST_PLACES = 3
MOST_PLACES = 999
LONGEST_TEXT = 200  # characters per line
PLACES_IN_WORDS: Sequence[str | Promise] = (
    gettext_lazy("First place"),
    gettext_lazy("Second place"),
    gettext_lazy("Third place"),
    gettext_lazy("Fourth place"),
    gettext_lazy("Fifth place"),
    gettext_lazy("Sixth place"),
    gettext_lazy("Seventh place"),
    gettext_lazy("Eighth place"),
    gettext_lazy("Ninth place"),
    gettext_lazy("Tenth place"),
)
MOST_COPIES = 9
CROWDED = 10  # players; above it, smaller print
ROUNDS, ROUNDS_CROWDED = 12, 8  # rows


@signed_in_page
def prints(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = get_tournament(request, slug, Membership.Role.HEAD_REFEREE)
    seated = Count("tables", filter=Q(tables__seats__in=Seat.objects.playing_on()), distinct=True)
    stages = list(Stage.objects.filter(tournament=tournament).annotate(seated=seated).order_by("number"))
    begun = [stage for stage in stages if stage.state != Stage.State.PLANNED]
    return page(
        request,
        "printing/prints.html",
        tournament,
        **paper_context(request, tournament),
        stages=stages,
        results=bool(begun),
        certificates=any(not kind_of(stage.kind).one_play for stage in begun),
        players=Entry.objects.filter(tournament=tournament).to_seat().exists(),
    )


def players_at(stage: Stage) -> Mapping[int, list[Entry]]:
    """Players still in, clockwise, by table pk."""
    seats = Seat.objects.playing_on().filter(table__stage=stage).select_related("entry__player")
    return grouped((seat.table_id, seat.entry) for seat in seats.order_by("position"))


def on_paper(request: HttpRequest, tournament: Tournament) -> AbstractContextManager[None]:
    """Activate the paper's language; the page around it is the organiser's."""
    return override(language_of(request, tournament))


def number_in(request: HttpRequest, field: str, usual: int, most: int) -> int:
    """The query's number for `field`, 1 to `most`; `usual` without one."""
    number = number_or_none(request.GET.get(field, ""), longest=LONGEST_NUMBER)
    return usual if number is None else min(max(number, 1), most)


# ---- Seats: per table, and for the door by name or table ----


@dataclass(frozen=True, slots=True)
class Place:
    entry: Entry
    table: int
    seat: int


@signed_in_page
def seats_print(request: HttpRequest, stage: UUID) -> HttpResponse:
    row = get_stage(request, stage, Membership.Role.HEAD_REFEREE)
    rows = Table.objects.filter(stage=row).select_related("oldest", "youngest").order_by("number")
    players = players_at(row)
    tables = [(table, players[table.pk]) for table in rows if table.pk in players]
    places = [
        Place(entry, table.number, seat) for table, entries in tables for seat, entry in enumerate(entries, 1)
    ]
    with on_paper(request, row.tournament):
        context = {
            **paper_context(request, row.tournament),
            "stage": row,
            "sheets": [_seats_sheet(row, table, entries) for table, entries in tables],
            "places": _by_name(places, row),
            "start": start_text(row.tournament.ruleset),
            "taken_out": taken_out_text(row),
        }
    return page(request, "printing/seats.html", row.tournament, **context)


@signed_in_page
def seat_list(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Seats `by` name or table."""
    row = get_stage(request, stage, Membership.Role.HEAD_REFEREE)
    seats = Seat.objects.playing_on().filter(table__stage=row).select_related("entry", "table")
    places: list[Place] = []
    for seat in seats.order_by("table__number", "position"):
        number = seat.table.number
        before = places[-1] if places and places[-1].table == number else None
        places.append(Place(seat.entry, number, before.seat + 1 if before else 1))
    by_table = request.GET.get("by") == "table"
    return page(
        request,
        "printing/seat_list.html",
        row.tournament,
        **paper_context(request, row.tournament),
        stage=row,
        by_table=by_table,
        tables=[
            {"number": number, "places": [place for place in places if place.table == number]}
            for number in dict.fromkeys(place.table for place in places if by_table)
        ],
        places=_by_name(places, row),
    )


def _seats_sheet(stage: Stage, table: Table, entries: Sequence[Entry]) -> dict[str, Any]:
    needs = needs_of(stage, len(entries))
    oldest, youngest = known_by_age(table, entries)
    return {
        "number": table.number,
        "entries": entries,
        "players": players_text(needs.players),
        "decks": decks_text(needs),
        "by_age": needs.by_age,
        "oldest": oldest,
        "youngest": youngest,
    }


def _by_name(places: Sequence[Place], stage: Stage) -> list[Place]:
    language = stage.tournament.language
    return sorted(places, key=lambda place: (in_alphabet(place.entry.public_name, language), place.table))


# ---- Results for the wall; certificates by true places, written before the reveal ----


@signed_in_page
def results(request: HttpRequest, slug: str) -> HttpResponse:
    """Standings of begun stages, or `?stage=`; frozen as public."""
    tournament = get_tournament(request, slug, Membership.Role.HEAD_REFEREE)
    wanted = number_in(request, "stage", 0, 99_999)
    with snapshot(), timezone.override(tournament.zone), on_paper(request, tournament):
        tournament.refresh_from_db(fields=["version", "ledger_head"])
        stages = list(tournament.stages.order_by("number"))
        entries = taking_part(tournament, stages)
        boards = [
            going_on(tournament, stage_board(tournament, stage, entries, stages), stages, entries)
            for stage in _begun(stages)
            if wanted in {0, stage.number}
        ]
        clubs = [
            board
            for board in club_boards([shown(stage, stages) for stage in stages], entries)
            if wanted in {0, board.stage.number}
        ]
        end = end_shown(tournament, stages)
    return page(
        request,
        "printing/results.html",
        tournament,
        **paper_context(request, tournament),
        stages=_begun(stages),
        wanted=wanted,
        boards=boards,
        clubs=clubs,
        past=None if stages else past_results(tournament),
        printed_at=timezone.now(),
        end=end,
    )


@signed_in_page
def certificates(request: HttpRequest, slug: str) -> HttpResponse:
    """Certificates of the last begun stage, or `?stage=`. Query: `names=real`, `text`, signers."""
    tournament = get_tournament(request, slug, Membership.Role.HEAD_REFEREE)
    most = number_in(request, "places", FIRST_PLACES, MOST_PLACES)
    with snapshot(), on_paper(request, tournament):
        stages = list(tournament.stages.order_by("number"))
        begun = [stage for stage in _begun(stages) if not kind_of(stage.kind).one_play]
        wanted = number_in(request, "stage", 0, 99_999)
        chosen = next((stage for stage in begun if stage.number == wanted), begun[-1] if begun else None)
        real = request.GET.get("names") == "real"
        known = Entry.objects.filter(tournament=tournament).exclude(player__name="")
        names = {str(uid): name for uid, name in known.values_list("uid", "player__name")} if real else {}
        made = _certificates(stage_results(chosen), most, names) if chosen else []
        signed = [tournament.organiser.name, _("Head referee")]
    return page(
        request,
        "printing/certificates.html",
        tournament,
        **paper_context(request, tournament),
        stages=begun,
        stage=chosen,
        places=most,
        most_places=MOST_PLACES,
        certificates=made,
        hidden=chosen is not None and freezing(chosen, stages) is not None,
        real=real,
        text=_typed(request, "text", ""),
        signed=[_typed(request, f"signed_{number}", usual) for number, usual in enumerate(signed, 1)],
        longest=LONGEST_TEXT,
    )


def place_in_words(place: int) -> str:
    if place <= len(PLACES_IN_WORDS):
        return str(PLACES_IN_WORDS[place - 1])
    return _("Place %(place)s") % {"place": place}


def _begun(stages: Sequence[Stage]) -> list[Stage]:
    return [stage for stage in stages if stage.state != Stage.State.PLANNED]


def _typed(request: HttpRequest, field: str, usual: str) -> str:
    return request.GET.get(field, usual)[:LONGEST_TEXT].replace("\0", "").strip()


def _certificates(
    contests: Sequence[ContestResults], most: int, real: Mapping[str, str]
) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    for each in contests:
        ranked = [row for row in each.answer.standings if row.place is not None]
        places = [row.place for row in ranked]
        made += [
            {
                "name": real.get(row.player) or each.names[row.player],
                "place": place_in_words(row.place),
                "of": len(ranked),
                "shared": places.count(row.place) > 1,
                "table": each.table_number if len(contests) > 1 else None,
            }
            for row in ranked
            if row.earned and row.place is not None and row.place <= most
        ]
    return made


# ---- Sheets to write on, with a QR code for the referee ----


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
    """Sheets of a stage or `?table=`, from the next play, `copies` ahead."""
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
                _table_sheet(request, row, table, players[table.pk], copy)
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


def _table_sheet(
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
