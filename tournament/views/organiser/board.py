"""The board of a tournament.

Personal, hence unpublished; js/watch/live.js reloads it by version, js/organise/board.js by time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from tournament.models import Announcement, Call, Entry, Membership, Play, Stage, Tournament
from tournament.pages.calls import call_lines
from tournament.pages.desk.table import asked_starts
from tournament.pages.organiser.health import backups_of, ledger_seen, troubles
from tournament.pages.organiser.next_step import checklist_of, freeze_of, next_step
from tournament.pages.organiser.tiles import StageView, hall_panel, stage_views, urgency
from tournament.pages.public.reveal import Finale, finale_of
from tournament.permissions import may
from tournament.queries.programme import late, programme
from tournament.queries.visible import announced, shown
from tournament.results import ends
from tournament.server.database import broken_promises, snapshot
from tournament.views import get_tournament, page, receipt_of, signed_in_page, user_of
from tournament.views.organiser.checklist import no_phone_address
from tournament.views.organiser.stages import moves_of
from tournament.words.kinds import KINDS

MOST_AWAITED = 5  # players with a button of their own
# finished stages are folded
ORDER = {Stage.State.RUNNING: 0, Stage.State.PLANNED: 1, Stage.State.FINISHED: 2}


@signed_in_page
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """All stages and tables."""
    tournament = get_tournament(request, slug, Membership.Role.HEAD_REFEREE)
    organises = may(user_of(request), "plan_stage", tournament)
    with snapshot(), timezone.override(tournament.zone):
        views = stage_views(tournament, user_of(request))
        counts = dict(
            Entry.objects.filter(tournament=tournament)
            .order_by()
            .values_list("state")
            .annotate(count=Count("id"))
        )
        beside = _beside(tournament, views)
        runs = (
            late(programme(tournament).parts, timezone.now())
            if organises and any(view.stage.plan for view in views)
            else None
        )
    step = next_step(tournament, views, counts)
    unfinished = [view.stage for view in views if view.stage.state != Stage.State.FINISHED]
    return page(
        request,
        "organiser/board.html",
        tournament,
        section="events",
        scope=str(tournament.uid),
        version=tournament.version,  # what is shown may be newer
        views=in_order(views),
        running=[view for view in views if view.stage.state == Stage.State.RUNNING],
        calls_back="board",
        acts=sum(view.acts for view in views),
        differing=[view for view in views if view.differs],
        late=runs,
        moves=moves_of(runs) if runs else [],
        last_stage=unfinished[0].pk if len(unfinished) == 1 else None,
        last_uid=views[-1].stage.uid if views else None,
        organises=organises,
        no_phone=no_phone_address(request) if tournament.state == Tournament.State.PLANNED else "",
        troubles=troubles(),
        venue_mode=not settings.HTTPS,
        counts=counts,
        awaited=awaited(tournament, counts),
        entered=sum(count for state, count in counts.items() if state not in (*Entry.ASKING, *Entry.OUT)),
        next=step if step and may(user_of(request), step.needs, tournament) else None,
        at=receipt_of(request, tournament),
        **beside,
    )


def _beside(tournament: Tournament, views: Sequence[StageView]) -> dict[str, Any]:
    stages = [view.stage for view in views]
    frozen = [stage for stage in stages if stage.frozen_after is not None]
    running = [stage for stage in stages if stage.state == Stage.State.RUNNING]
    in_question = Play.objects.filter(table__stage__in=running, other_start__isnull=False)
    said = Announcement.objects.filter(tournament=tournament).standing(timezone.now())
    return {
        "freezes": [freeze for stage in frozen if (freeze := freeze_of(stage, frozen))],
        "asked": asked_starts(
            (play, KINDS["session"].play_at % {"table": play.table.number, "number": play.number})
            for play in in_question.select_related("table").order_by("table__number", "number")
        ),
        "calls": call_lines(Call.objects.filter(table__stage__tournament=tournament, answered_at=None)),
        "checklist": checklist_of(tournament, stages),
        "standing": [(each, uuid4()) for each in said],
        "hall": hall_panel(tournament, stages),
        "backups": backups_of(tournament),
        "ledger": ledger_seen(tournament),
        "unsafe": broken_promises(),
        "finales": [
            finale
            for stage in (ends(stages) if tournament.state == Tournament.State.FINISHED else ())
            for finale in finales_of(stage)
        ],
    }


def finales_of(stage: Stage) -> list[Finale]:
    """Public finale per contest; call within one `snapshot()`."""
    seen = shown(stage)
    return [finale for results in announced(seen) if (finale := finale_of(seen, [results]))]


def in_order(views: Sequence[StageView]) -> list[StageView]:
    """Board order; urgent tables first."""
    views = [replace(view, tiles=tuple(sorted(view.tiles, key=urgency))) for view in views]
    return sorted(
        views,
        key=lambda view: (not view.acts, ORDER[Stage.State(view.stage.state)], view.stage.number),
    )


def awaited(tournament: Tournament, counts: Mapping[str, int]) -> list[Entry]:
    """Players expected while others play; none if many."""
    expected = sum(counts.get(state, 0) for state in Entry.EXPECTED)
    if tournament.state != Tournament.State.RUNNING or not 0 < expected <= MOST_AWAITED:
        return []
    return list(
        Entry.objects.filter(tournament=tournament, state__in=Entry.EXPECTED).order_by("start_number")
    )
