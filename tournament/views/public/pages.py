"""Published pages of a tournament, proofs (draw record, ledger's end), and big screens. Each reads its scope's version
first, in one snapshot, and renders afterwards.
"""

from collections.abc import Iterable
from itertools import takewhile
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.formats import date_format
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.forms.registration import starter_texts
from tournament.ledger.chain import SHORT_DIGEST, digest_in, end_shown, rows_of_digest
from tournament.ledger.past import last_entered
from tournament.live.pages import DAY, published, published_page
from tournament.models import Entry, Logo, Screen, Stage, Tournament
from tournament.pages.desk.table import table_marks
from tournament.pages.pictures.contests import WIDTH, fitted, podium_rows
from tournament.pages.public.event_cache import making, whole_of
from tournament.pages.public.paging import on_page, page_url
from tournament.pages.public.player import player_page, tellings
from tournament.pages.public.scenes import (
    SCENES,
    Hall,
    bracket_of,
    clock_for,
    has_bracket,
    room_clock,
    scenes_of,
)
from tournament.pages.public.stage import everybody_in, going_on, matters_now, person
from tournament.pages.public.standings import club_boards, past_results
from tournament.pages.public.tournaments import with_past_below
from tournament.queries.clubs import has_clubs
from tournament.queries.draws import last_draw
from tournament.queries.people import erased_among
from tournament.queries.programme import programme as programme_of
from tournament.queries.registration import is_announced, registration_of
from tournament.queries.visible import freezing, shown, taking_part
from tournament.results import grouped, kind_of
from tournament.server.database import snapshot
from tournament.server.pictures import COLOUR, CONTENT_TYPE, style_sheet
from tournament.server.venue import public_address, qr_svg
from tournament.views import NOT_FOUND, page as about_event, public_page
from tournament.words.faults import ruleset_name
from tournament.words.text import OTHER, in_alphabet, initial

LONGEST_HEAD = 200  # characters
NAMED = 60  # players
# for all players' pages, about 35 ms each
PLAYERS_A_SECOND, MOST_SPREAD_S = 100, 10


@require_safe
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Facts, current stage's standings, all stages."""
    with making():
        row = _event(slug)
        whole = whole_of(row)
        rows, entries, rules, end = whole.stages, whole.entries, whole.rules, whole.end()
        erased, said = whole.erased, whole.said
        stages = [
            going_on(row, whole.board(stage.uid, pictures=len(rows) == 1), rows, entries) for stage in rows
        ]
        registration, hall_clock, past = (
            registration_of(row),
            room_clock(row),
            past_results(row) if not rows else None,
        )
    there = present(entries.values())
    first = matters_now(stages)
    listed = len(stages) == 1 and stages[0].state != Stage.State.PLANNED
    return public_page(
        request,
        "public/tournament.html",
        row,
        tournament=row,
        ruleset=ruleset_name(row.ruleset),
        stages=stages,
        shown=on_page(first, 1, slug) if first else None,
        rules=rules[first.uid] if first else None,
        how_many=len(there),
        erased=erased,
        said=said,
        past=past,
        players=[]
        if listed or past or len(there) > NAMED
        else [person(row, entry) for entry in in_order(row, there)],
        programme=any(each.first_plan for each in rows),
        bracket=has_bracket(rows),
        clubs=has_clubs(entries, rows),
        registration=registration if is_announced(registration) else None,
        terms=registration if registration.pk else starter_texts(row),
        hall_clock=hall_clock,
        end=end,
    )


@require_safe
def clock(request: HttpRequest, slug: str) -> HttpResponse:
    """Fragments for open pages: clocks, and marks of tables."""
    with snapshot():
        row = _event(slug)
        now = room_clock(row)
        # of what is frozen, not even that something was entered
        open_stages = takewhile(lambda stage: stage.frozen_after is None, row.stages.order_by("number"))
        marks = {stage.uid: table_marks(stage) for stage in open_stages if stage.state == Stage.State.RUNNING}
    return public_page(request, "public/clock.html", row, tournament=row, clock=now, marks=marks)


@require_safe
def players(request: HttpRequest, slug: str) -> HttpResponse:
    """All players, by initial."""
    with snapshot():
        row = _event(slug)
        entries = in_order(row, present(taking_part(row).values()))
        erased = erased_among(row, entries)
    letters = grouped(
        (initial(entry.public_name, row.language), (entry, person(row, entry))) for entry in entries
    )
    others = letters.pop(OTHER, [])
    return public_page(
        request,
        "public/players.html",
        row,
        tournament=row,
        letters=[*letters.items(), *([(OTHER, others)] if others else [])],
        how_many=len(entries),
        erased=erased,
    )


def present(entries: Iterable[Entry]) -> list[Entry]:
    """Players for lists: without no-shows."""
    return [entry for entry in entries if entry.state != Entry.State.NO_SHOW]


def in_order(tournament: Tournament, entries: Iterable[Entry]) -> list[Entry]:
    """Players by name, in the event's language's order."""
    return sorted(entries, key=lambda entry: in_alphabet(entry.public_name, tournament.language))


@require_safe
def stage(request: HttpRequest, slug: str, stage: UUID, page: int = 1) -> HttpResponse:
    """A stage or a part of it. Heats have the tournament's version, since the next stage decides who advances."""
    if request.path != page_url(slug, stage, page):
        raise Http404  # canonical address
    with making():
        row = _stage(slug, stage)
        whole = whole_of(row.tournament)
        every = going_on(row.tournament, whole.board(stage, pictures=True), whole.stages, whole.entries)
        board = on_page(every, page, slug)
        if board is None:
            raise Http404
        draw = None if board.frozen else whole.draw(stage)
        rules, end, erased, said = whole.rules[stage], whole.end(stage), whole.erased, whole.said
        clock = room_clock(row.tournament) if row.state == Stage.State.RUNNING else None
    context = {
        "tournament": row.tournament,
        "ruleset": ruleset_name(row.tournament.ruleset),
        "stage": board,
        "draw": draw,
        "rules": rules,
        "end": end,
        "erased": erased,
        "said": said,
        "hall_clock": clock if clock and clock.stage in {None, stage} else None,
    }
    of = row.tournament if kind_of(row.kind).one_play else row
    return published_page(request, "public/stage.html", context, scope=str(of.uid), version=of.version)


@require_safe
def podium(_request: HttpRequest, slug: str, stage: UUID) -> HttpResponse:
    """SVG of a finished stage's first three; 404 without a finale."""
    with making():
        row = _stage(slug, stage)
        finale = whole_of(row.tournament).board(stage, pictures=True).finale
    if finale is None or not finale.podium:
        raise Http404
    event = row.tournament
    context = {
        "heading": fitted(event.name, WIDTH, 84),
        "about": fitted(f"{finale.title} · {date_format(event.starts_on, 'DATE_FORMAT')}", WIDTH, 44),
        "rows": podium_rows(finale.first),
        "unit": finale.leader.unit,
        "more": finale.more,
    }
    picture = HttpResponse(
        render_to_string("public/podium.svg", context),
        content_type="image/svg+xml",
        headers={} if event.listed else {"X-Robots-Tag": "noindex"},
    )
    return published(picture, scope=str(row.uid), version=row.version)


@require_safe
def entry(request: HttpRequest, slug: str, entry: UUID) -> HttpResponse:
    """A player's page."""
    with snapshot():
        row = _event(slug)
        rows = list(row.stages.order_by("number"))
        player = taking_part(row, rows, {entry}).get(str(entry))
        if player is None:
            raise Http404
        of_player = player_page(row, rows, player)
        telling = list(tellings(row, of_player))
        players = Entry.objects.filter(tournament=row).taking_part().count()
        erased = erased_among(row, [player])
        clock = clock_for(player, row)
    return public_page(
        request,
        "public/entry.html",
        row,
        tournament=row,
        entry=player,
        state=player.state if player.is_out else "",
        player=of_player,
        telling=telling,
        over=row.state == Tournament.State.FINISHED,
        hall_clock=clock,
        erased=erased,
        spread=min(players // PLAYERS_A_SECOND, MOST_SPREAD_S),
    )


@require_safe
def said(request: HttpRequest, slug: str) -> HttpResponse:
    """Announcements: a fragment for pages that are not reloaded."""
    with snapshot():
        row = _event(slug)
    return public_page(request, "public/said.html", row, tournament=row)


@require_safe
def bracket(request: HttpRequest, slug: str) -> HttpResponse:
    with snapshot():
        row = _event(slug)
        rows = list(row.stages.order_by("number"))
        entries = taking_part(row, rows)
        stages = [shown(each, rows) for each in rows]
        people = {key: who for seen in stages for key, who in everybody_in(row, entries, seen).items()}
    found = bracket_of(row, stages, people)
    if found is None:
        raise Http404
    return public_page(request, "public/bracket.html", row, tournament=row, bracket=found)


@require_safe
def clubs(request: HttpRequest, slug: str) -> HttpResponse:
    """Club standings per stage, latest first; 404 below two clubs."""
    with snapshot():
        row = _event(slug)
        rows = list(row.stages.order_by("number"))
        entries = taking_part(row, rows)
        if not has_clubs(entries, rows):
            raise Http404
        boards = club_boards([shown(each, rows) for each in rows], entries)
    return public_page(request, "public/clubs.html", row, tournament=row, boards=boards[::-1])


@require_safe
def programme(request: HttpRequest, slug: str) -> HttpResponse:
    """The programme; empty until published."""
    with snapshot():
        row = _event(slug)
        now = programme_of(row)
    return public_page(
        request,
        "public/programme.html",
        row,
        tournament=row,
        parts=now.shown if now.published else (),
        gone=now.gone,
    )


@require_safe
@never_cache
def draw_record(_request: HttpRequest, slug: str, stage: UUID) -> JsonResponse:
    """Record to repeat the last draw, without separated pairs. 404 without a draw or while frozen."""
    row = _stage(slug, stage)
    drawn = None if freezing(row) else last_draw(row)
    if drawn is None:
        raise Http404
    return JsonResponse(drawn.public, json_dumps_params={"indent": 1})


@never_cache
@require_safe
def ledger(request: HttpRequest, slug: str) -> HttpResponse:
    """The ledger's last digest; looks up `?head=`, hence unpublished."""
    asked = request.GET.get("head", "")[:LONGEST_HEAD].replace("\0", "")
    digest = digest_in(asked)
    with snapshot():
        tournament = _event(slug)
        found = rows_of_digest(digest, tournament).first()
        end = end_shown(tournament, tournament.stages.all())
    return about_event(
        request,
        "public/ledger.html",
        tournament,
        asked=asked,
        readable=bool(digest),
        found=found,
        after=end.sequence - found.sequence if found and end else 0,
        end=end,
        short=SHORT_DIGEST,
    )


def _event(slug: str) -> Tournament:
    return get_object_or_404(Tournament.objects.visible().select_related("organiser"), slug=slug)


def _stage(slug: str, uid: UUID) -> Stage:
    stages = Stage.objects.select_related("tournament")
    return get_object_or_404(stages, uid=uid, tournament__slug=slug, tournament__put_away=False)


# ---- An event's logo and colour ----


@require_safe
def logo(_request: HttpRequest, slug: str, digest: str) -> HttpResponse:
    """The logo with this digest prefix, else 404."""
    with snapshot():
        row = get_object_or_404(Tournament.objects.visible(), slug=slug)
        if not digest or row.logo[: len(digest)] != digest:
            raise Http404
        content = get_object_or_404(Logo, tournament=row).content
    return published(
        HttpResponse(bytes(content), content_type=CONTENT_TYPE),
        scope=str(row.uid),
        version=row.version,
        keep_s=365 * DAY,  # immutable
    )


@require_safe
def colour(_request: HttpRequest, slug: str, colour: str) -> HttpResponse:
    """Style sheet of a colour (six digits)."""
    del slug  # for static copies
    if not COLOUR.fullmatch(f"#{colour}"):
        raise Http404
    answer = HttpResponse(style_sheet(f"#{colour}"), content_type="text/css; charset=utf-8")
    answer["Cache-Control"] = f"public, max-age={DAY}"  # tones may change with the program
    return answer


# ---- The start page ----


@require_safe
def tournaments(request: HttpRequest) -> HttpResponse:
    """Listed tournaments: running, coming, past."""
    with snapshot():
        version = Tournament.objects.version()
        rows = list(
            Tournament.objects.listed()
            .with_sizes()
            .running_first()
            .select_related("organiser", "registration")
        )
    context = {
        "practice": settings.TRY,
        **with_past_below(rows, lambda row: (row, ruleset_name(row.ruleset))),
    }
    return published_page(request, "public/tournaments.html", context, scope="site", version=version)


# ---- Big screens, published ----


@require_safe
def screen(request: HttpRequest, slug: str, screen: UUID) -> HttpResponse:
    """A screen; the page of a removed one waits until it is back."""
    with snapshot():
        found = Screen.objects.filter(uid=screen, tournament__slug=slug, tournament__put_away=False)
        row = found.select_related("tournament", "stage").first()
        if row is None:
            return render(request, "screen/gone.html", status=NOT_FOUND)
        tournament = row.tournament
        # An extra's scene may show other events.
        version = tournament.organiser.tournaments.version() if {*row.scenes} - SCENES.keys() else None
        stages = list(tournament.stages.order_by("number"))
        hall = Hall(tournament, taking_part(tournament, stages), stages, row.stage)
        scenes = list(scenes_of(row, hall))
        changed_at = last_entered(tournament, hall.stages)
    return public_page(
        request,
        "screen/screen.html",
        tournament,
        version=version,
        tournament=tournament,
        ruleset=ruleset_name(tournament.ruleset),
        screen=row,
        scenes=scenes,
        changed_at=changed_at,
        **(
            _way_to(f"{settings.PUBLIC_URL}{_path(tournament)}")
            if settings.PUBLIC_URL
            else {"way_url": reverse("screen-way", args=[tournament.slug])}
        ),
    )


@require_safe
def screens(request: HttpRequest, slug: str) -> HttpResponse:
    """An event's screens, at a typeable address."""
    with snapshot():
        tournament = get_object_or_404(Tournament.objects.visible(), slug=slug)
        rows = list(Screen.objects.filter(tournament=tournament))
    return public_page(request, "screen/screens.html", tournament, tournament=tournament, screens=rows)


@never_cache
@require_safe
def way(request: HttpRequest, slug: str) -> HttpResponse:
    """Fragment with the event's address, from the request's host."""
    tournament = get_object_or_404(Tournament.objects.visible(), slug=slug)
    return render(request, "screen/_way.html", _way_to(public_address(request, _path(tournament))))


def _path(tournament: Tournament) -> str:
    return f"/t/{tournament.slug}/"


def _way_to(address: str) -> dict[str, Any]:
    return {"address": address.partition("://")[2].strip("/").split("/"), "qr": qr_svg(address)}
