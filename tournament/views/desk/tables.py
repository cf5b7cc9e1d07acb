"""My tables, and the page of one: the clock, the card pad or the heat, by the kind of its stage."""

from collections.abc import Callable, Mapping
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_http_methods, require_safe

from tournament.models import Stage, Table
from tournament.pages.desk.plays import finished_lists
from tournament.pages.desk.table import Scene
from tournament.results.contests import contest_now
from tournament.results.faults import Fault, Refused
from tournament.results.kinds import kind_of
from tournament.views._access import get_play, get_scene, get_table, play_in, signed_in
from tournament.views._answer import Attempt, page, refused
from tournament.views.desk._page import receipt_context
from tournament.views.entry._entering import Entering
from tournament.views.entry._entry import attempt_play, enter
from tournament.views.entry._submission import Sent
from tournament.views.entry.games import show_clock
from tournament.views.entry.heats import EnteringHeat, show_heat
from tournament.views.entry.paper_game import EnteringGame, show_game
from tournament.views.entry.rounds import EnteringRound, show_round

Show = Callable[..., HttpResponse]
KINDS: Mapping[str, tuple[type[Entering], Show]] = {
    Stage.Kind.SESSION: (EnteringGame, show_game),
    Stage.Kind.HEATS: (EnteringHeat, show_heat),
    Stage.Kind.MATCH: (EnteringRound, show_round),
    Stage.Kind.FINAL: (EnteringRound, show_round),
}


@signed_in
@require_safe
def table(request: HttpRequest, table: UUID) -> HttpResponse:
    """One table: what comes next is the largest thing on it."""
    scene = get_scene(get_table(request, table))
    if not scene.open:
        return _closed(request, scene)
    if kind_of(scene.stage.kind).seats_change:
        return show_clock(request, scene)
    form, show = KINDS[scene.stage.kind]
    return show(request, form(scene, None, {}))


def _closed(request: HttpRequest, scene: Scene) -> HttpResponse:
    """A table of a stage that has not begun, or that is finished."""
    context = {
        **scene.context(),
        **receipt_context(request, scene),
        **finished_lists(scene),
        "players": scene.named(scene.seated),
    }
    return page(request, "desk/closed.html", context, scene.tournament)


@signed_in
@require_http_methods(["GET", "POST"])
def record(request: HttpRequest, table: UUID) -> HttpResponse:
    """Enter a whole round, heat, or game from paper."""
    scene = get_scene(get_table(request, table))
    _form, show = KINDS[scene.stage.kind]
    if not scene.open or (request.method == "GET" and not kind_of(scene.stage.kind).seats_change):
        return HttpResponseRedirect(scene.url)
    entering = new_play(scene, request.POST.dict() if request.method == "POST" else {})
    return _answer(request, entering, show)


def new_play(scene: Scene, data: Mapping[str, str]) -> Entering:
    """The form for a new play at this table, as it was typed."""
    form, _show = KINDS[scene.stage.kind]
    return form(scene, None, data)


def attempt_record(sent: Sent, table: Table) -> Attempt:
    """Enter the new play that a form holds. Reading it needs no standings."""
    try:
        contest = contest_now(table)
    except Refused as gone:
        return refused(*gone.faults)
    return attempt_play(sent, new_play(Scene(table, contest, None), sent.fields))


@signed_in
@require_http_methods(["GET", "POST"])
def correct(request: HttpRequest, play: UUID) -> HttpResponse:
    """Enter a play anew in its stored version's place."""
    row = get_play(request, play)
    scene = get_scene(get_table(request, row.table.uid))
    form, show = KINDS[scene.stage.kind]
    current = play_in(scene, row.uid)
    entering = form(scene, current, request.POST.dict() if request.method == "POST" else {})
    return _answer(request, entering, show)


def _answer(request: HttpRequest, entering: Entering, show: Show) -> HttpResponse:
    if request.method != "POST":
        return show(request, entering)

    def shown(entering: Entering, faults: tuple[Fault, ...], status: int) -> HttpResponse:
        return show(request, entering, faults, status)

    return enter(request, entering, show=shown)
