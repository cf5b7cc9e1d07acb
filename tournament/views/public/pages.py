"""The published pages: the list of tournaments, one tournament, one stage, one player's games.

Each reads the version of its scope first and everything else as of the same moment, and renders after that.
"""

from uuid import UUID

from django.db.models import Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournament.live.pages import published_page
from tournament.live.snapshot import snapshot
from tournament.models import Stage, Tournament
from tournament.registering import is_announced, registration_of
from tournament.rules_set import rules_set
from tournament.shown import taking_part
from tournament.views.public.players import player_stages
from tournament.views.public.seat_boards import draw_note
from tournament.views.public.stage_boards import matters_now, person, stage_board
from tournament.words import ruleset_name


@require_safe
def tournaments(request: HttpRequest) -> HttpResponse:
    """The tournaments that are listed, running ones first."""
    with snapshot():
        version = Tournament.objects.aggregate(total=Sum("version"))["total"] or 0
        rows = list(Tournament.objects.listed().with_sizes().running_first())
    listed = [(row, ruleset_name(row.ruleset)) for row in rows]
    return published_page(
        request, "public/tournaments.html", {"tournaments": listed}, scope="site", version=version
    )


@require_safe
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """One tournament: its facts, the standings of the stage that matters now, and every stage."""
    with snapshot():
        row = _tournament(slug)
        rows = _stages(row)
        entries = taking_part(row, rows)
        stages = [stage_board(row, stage, entries, rows) for stage in rows]
        rules = rules_set(row, rows)
        registration = registration_of(row)
    shown = matters_now(stages)
    context = {
        "tournament": row,
        "ruleset": ruleset_name(row.ruleset),
        "stages": stages,
        "shown": shown,
        "rules": rules[shown.uid] if shown else None,
        "everybody_shown": len(stages) == 1 and stages[0].state != Stage.State.PLANNED,
        "players": [person(row, entry) for entry in entries.values()],
        "programme": any(each.first_plan for each in rows),
        "registration": registration if is_announced(registration) else None,
    }
    return published_page(request, "public/tournament.html", context, scope=str(row.uid), version=row.version)


@require_safe
def stage(request: HttpRequest, slug: str, stage: UUID) -> HttpResponse:
    """One stage: standings, every game or round, heats and who goes through, seats."""
    with snapshot():
        row = Stage.objects.select_related("tournament").filter(uid=stage, tournament__slug=slug).first()
        if row is None or row.tournament.put_away:
            raise Http404
        stages = _stages(row.tournament)
        entries = taking_part(row.tournament, stages)
        board = stage_board(row.tournament, row, entries, stages)
        draw = None if board.frozen else draw_note(row, entries)
        rules = rules_set(row.tournament, [row])[row.uid]
    context = {
        "tournament": row.tournament,
        "ruleset": ruleset_name(row.tournament.ruleset),
        "stage": board,
        "draw": draw,
        "rules": rules,
    }
    return published_page(request, "public/stage.html", context, scope=str(row.uid), version=row.version)


@require_safe
def entry(request: HttpRequest, slug: str, entry: UUID) -> HttpResponse:
    """One player's games in a tournament."""
    with snapshot():
        row = _tournament(slug)
        rows = _stages(row)
        entries = taking_part(row, rows)
        player = entries.get(str(entry))
        if player is None:
            raise Http404
        stages = player_stages(row, rows, player, entries)
    context = {
        "tournament": row,
        "entry": player,
        "state": player.state if player.is_out else "",
        "stages": stages,
    }
    return published_page(request, "public/entry.html", context, scope=str(row.uid), version=row.version)


def _tournament(slug: str) -> Tournament:
    row = Tournament.objects.visible().filter(slug=slug).first()
    if row is None:
        raise Http404
    return row


def _stages(row: Tournament) -> list[Stage]:
    stages = list(Stage.objects.filter(tournament=row).order_by("number"))
    for each in stages:
        each.tournament = row
    return stages
