"""The hall clock, and extra minutes per table."""

import re
from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from tournament import actions
from tournament.actions.event.hall_clock import LONGEST_CLOCK_MINUTES
from tournament.models import Tournament
from tournament.models.hall import MOST_EXTRA
from tournament.pages.organiser.tiles import hall_panel
from tournament.pages.public.scenes import clock_at
from tournament.permissions import may
from tournament.results import Fault, Typed, readings, uuid_or_none
from tournament.views import (
    Attempt,
    Role,
    attempt_action,
    get_tournament,
    page,
    receipt_of,
    scene_at,
    signed_in_desk,
    signed_in_form,
    user_of,
)

LAST_HANDS = (0, 1, 2, 5, 10)  # minutes before the end
MORE = (1, 2, 5, 10)  # minutes per tap
TIME = re.compile(r"([01]?[0-9]|2[0-3])[:.]([0-5][0-9])", re.ASCII)


@signed_in_form
def clock(request: HttpRequest, slug: str) -> HttpResponse:
    """Clock with its controls."""
    return _page(request, get_tournament(request, slug, Role.HEAD_REFEREE), Attempt())


@signed_in_form
def move(request: HttpRequest, slug: str, what: str) -> HttpResponse:
    """POST `start`, `pause`, `resume`, `extend`, `stop` or `bell`."""
    tournament = get_tournament(request, slug, Role.HEAD_REFEREE)
    typed = Typed(request.POST.dict())
    moves: dict[str, tuple[Callable[..., actions.Receipt], Callable[[], dict[str, Any]]]] = {
        "start": (
            actions.start_hall_clock,
            lambda: {
                "stage": typed.uid("stage", "/stage") or uuid4(),
                "minutes": _minutes(typed, LONGEST_CLOCK_MINUTES),
                "last_hand": typed.whole("last_hand", "/last_hand", most=LONGEST_CLOCK_MINUTES) or 0,
            },
        ),
        "pause": (actions.pause_hall_clock, lambda: {"goes_on_at": _goes_on(typed, tournament)}),
        "resume": (actions.resume_hall_clock, dict),
        "extend": (actions.extend_hall_clock, lambda: {"minutes": _minutes(typed, MOST_EXTRA)}),
        "stop": (actions.stop_hall_clock, dict),
        "bell": (actions.stop_at_bell, dict),
    }
    if what not in moves:
        raise Http404
    action, arguments = moves[what]
    attempt = attempt_action(request, action, tournament.uid, typed=typed, **arguments())
    return attempt.answer_button(
        request, _back(request, tournament), lambda: _page(request, tournament, attempt)
    )


@signed_in_desk
def minutes(request: HttpRequest, table: UUID) -> HttpResponse:
    """A table's extra minutes; POST sets them."""
    scene = scene_at(request, table)
    typed = Typed(request.POST.dict())
    wanted = _minutes(typed, MOST_EXTRA, least=0) if request.method == "POST" else 0
    attempt = attempt_action(
        request,
        actions.give_table_minutes,
        scene.tournament.uid,
        typed=typed,
        table=scene.table.uid,
        minutes=wanted,
    )
    back = (
        reverse("organise-clock", args=[scene.tournament.slug])
        if "room" in request.GET and may(user_of(request), "start_hall_clock", scene.tournament)
        else scene.url
    )
    context = attempt.context()
    return attempt.answer(
        back,
        lambda: page(
            request,
            "desk/minutes.html",
            scene.tournament,
            status=attempt.status,
            **scene.context(),
            **context,
            error=context["wrong"].get("/minutes", ""),
            runs=bool((now := clock_at(scene.table)) and now.stage),
            extra=now.extra if now else 0,
            more=MORE,
            most=MOST_EXTRA,
            back=back,
        ),
    )


def _minutes(typed: Typed, most: int, least: int = 1) -> int:
    found = typed.whole("minutes", "/minutes", least=least, most=most)
    if found is None and not typed.faults:
        typed.faults.append(Fault("not_a_number", "/minutes", {"least": least, "most": most}))
    return found or 0


def _goes_on(typed: Typed, tournament: Tournament) -> datetime | None:
    """The next moment at this local time (DST)."""
    text = typed.text("goes_on_at")
    if not text:
        return None
    found = TIME.fullmatch(text)
    if found is None:
        typed.faults.append(Fault("break_passed", "/goes_on_at"))
        return None
    now, zone, at = timezone.now(), tournament.zone, time(int(found[1]), int(found[2]))
    days = [timezone.localdate(now, zone) + timedelta(days=day) for day in (0, 1, 2)]
    moments = (each for day in days for each in readings(datetime.combine(day, at), zone))
    return next(each for each in moments if each > now and each.astimezone(zone).time() == at)


def _back(request: HttpRequest, tournament: Tournament) -> str:
    back = request.POST.get("back", "")
    if back == "board":
        return reverse("organise-board", args=[tournament.slug])
    if (stage := uuid_or_none(back)) and tournament.stages.filter(uid=stage).exists():
        return reverse("organise-stage", args=[stage])
    return reverse("organise-clock", args=[tournament.slug])


def _page(request: HttpRequest, tournament: Tournament, attempt: Attempt) -> HttpResponse:
    return page(
        request,
        "organiser/clock.html",
        tournament,
        status=attempt.status,
        section="events",
        scope=str(tournament.uid),
        version=Tournament.objects.values_list("version", flat=True).get(pk=tournament.pk),
        hall=hall_panel(tournament, tournament.stages.order_by("number")),
        last_hands=LAST_HANDS,
        most=LONGEST_CLOCK_MINUTES,
        typed=request.POST,
        at=receipt_of(request, tournament),
        **attempt.context(),
    )
