"""The published pages: the list of tournaments, one tournament, its players, one stage in parts, one player.

Each reads the version of its scope first and everything else as of the same moment, and renders after that.
"""

from uuid import UUID

from django.conf import settings
from django.db.models import Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournament.live.pages import published_page
from tournament.models import Entry, Stage, Tournament
from tournament.pages.past_events import with_past_below
from tournament.pages.public.advancing import going_on
from tournament.pages.public.bracket import has_bracket
from tournament.pages.public.event_cache import making, whole_of
from tournament.pages.public.notifications import tellings
from tournament.pages.public.paging import on_page, page_url
from tournament.pages.public.player import player_page
from tournament.pages.public.stage import matters_now, person
from tournament.pages.public.standings import Person
from tournament.queries.personal_data import erased_among
from tournament.queries.registration import is_announced, registration_of
from tournament.queries.visible import taking_part
from tournament.results.kinds import kind_of
from tournament.server.snapshot import snapshot
from tournament.views.public.tour import history_url, tour_url
from tournament.words.faults import ruleset_name
from tournament.words.text import OTHER, in_alphabet, initial

NAMED = 60  # players that the tournament's own page names
# A player's page takes about 35 ms to make, and after a save each of them is asked for: at most so many in a second.
PLAYERS_A_SECOND, MOST_SPREAD_S = 100, 10


@require_safe
def tournaments(request: HttpRequest) -> HttpResponse:
    """The tournaments that are listed: running ones first, then those to come, the past ones under them."""
    with snapshot():
        version = Tournament.objects.aggregate(total=Sum("version"))["total"] or 0
        listed = Tournament.objects.listed().with_sizes().running_first()
        rows = list(listed.select_related("organiser", "registration"))
    context = {
        "practice": settings.TRY,
        **with_past_below(rows, lambda row: (row, ruleset_name(row.ruleset))),
        "organisers": sorted(
            {row.organiser: tour_url(row) for row in rows}.items(),
            key=lambda each: in_alphabet(each[0].name, get_language()),
        ),
    }
    return published_page(request, "public/tournaments.html", context, scope="site", version=version)


@require_safe
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """One tournament: its facts, the standings of the stage that matters now, and every stage."""
    with making():
        row = _tournament(slug)
        whole = whole_of(row)
        rows, entries, rules, end = whole.stages, whole.entries, whole.rules, whole.end()
        erased = whole.erased
        alone = len(rows) == 1
        boards = [whole.board(stage.uid, pictures=alone) for stage in rows]
        stages = [going_on(row, board, rows, entries) for board in boards]
        registration = registration_of(row)
    shown = matters_now(stages)
    listed = len(stages) == 1 and stages[0].state != Stage.State.PLANNED
    context = {
        "tournament": row,
        "ruleset": ruleset_name(row.ruleset),
        "stages": stages,
        "shown": on_page(shown, 1, slug) if shown else None,
        "rules": rules[shown.uid] if shown else None,
        "how_many": len(entries),
        "erased": erased,
        "players": []
        if listed or len(entries) > NAMED
        else [person(row, entry) for entry in entries.values()],
        "programme": any(each.first_plan for each in rows),
        "bracket": has_bracket(rows),
        "registration": registration if is_announced(registration) else None,
        "tour": tour_url(row),
        "end": end,
    }
    return published_page(request, "public/tournament.html", context, scope=str(row.uid), version=row.version)


@require_safe
def players(request: HttpRequest, slug: str) -> HttpResponse:
    """Everybody in a tournament, by the letters that their names begin with."""
    with snapshot():
        row = _tournament(slug)
        entries = taking_part(row)
        erased = erased_among(row, entries.values())
    letters: dict[str, list[tuple[Entry, Person]]] = {}
    for entry in sorted(entries.values(), key=lambda each: in_alphabet(each.public_name, row.language)):
        letters.setdefault(initial(entry.public_name, row.language), []).append((entry, person(row, entry)))
    others = letters.pop(OTHER, [])
    context = {
        "tournament": row,
        "letters": [*letters.items(), *([(OTHER, others)] if others else [])],
        "how_many": len(entries),
        "erased": erased,
    }
    return published_page(request, "public/players.html", context, scope=str(row.uid), version=row.version)


@require_safe
def stage(request: HttpRequest, slug: str, stage: UUID, page: int = 1) -> HttpResponse:
    """One stage, or one part of it: standings, every game or round, heats and who goes through, seats. A page of heats
    has the whole tournament's version, since the stage after them says who goes on in the end."""
    if request.path != page_url(slug, stage, page):
        raise Http404  # each page has one address
    with making():
        row = Stage.objects.select_related("tournament").filter(uid=stage, tournament__slug=slug).first()
        if row is None or row.tournament.put_away:
            raise Http404
        whole = whole_of(row.tournament)
        every = going_on(row.tournament, whole.board(stage, pictures=True), whole.stages, whole.entries)
        board = on_page(every, page, slug)
        if board is None:
            raise Http404
        draw = None if board.frozen else whole.draw(stage)
        rules, end, erased = whole.rules[stage], whole.end(stage), whole.erased
    context = {
        "tournament": row.tournament,
        "ruleset": ruleset_name(row.tournament.ruleset),
        "stage": board,
        "draw": draw,
        "rules": rules,
        "end": end,
        "erased": erased,
    }
    of = row.tournament if kind_of(row.kind).one_play else row
    return published_page(request, "public/stage.html", context, scope=str(of.uid), version=of.version)


@require_safe
def entry(request: HttpRequest, slug: str, entry: UUID) -> HttpResponse:
    """One player in a tournament: my page, for who they are."""
    with snapshot():
        row = _tournament(slug)
        rows = _stages(row)
        player = taking_part(row, rows, {entry}).get(str(entry))
        if player is None:
            raise Http404
        shown = player_page(row, rows, player)
        telling = tellings(row, shown)
        history = history_url(row, player)
        players = Entry.objects.filter(tournament=row).taking_part().count()
        erased = erased_among(row, [player])
    context = {
        "tournament": row,
        "entry": player,
        "state": player.state if player.is_out else "",
        "player": shown,
        "telling": telling,
        "over": row.state == Tournament.State.FINISHED,
        "history": history,
        "erased": erased,
        "spread": min(players // PLAYERS_A_SECOND, MOST_SPREAD_S),
    }
    return published_page(request, "public/entry.html", context, scope=str(row.uid), version=row.version)


def _tournament(slug: str) -> Tournament:
    row = Tournament.objects.visible().filter(slug=slug).select_related("organiser").first()
    if row is None:
        raise Http404
    return row


def _stages(row: Tournament) -> list[Stage]:
    stages = list(Stage.objects.filter(tournament=row).order_by("number"))
    for each in stages:
        each.tournament = row
    return stages
