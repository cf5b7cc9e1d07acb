"""Big screens, chosen from the organiser's phone: hang one up, show a scene with one tap, or several by turns."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid4, uuid5

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language_info, override
from django.views.decorators.http import require_http_methods

from tournament import actions, live
from tournament.actions import Receipt
from tournament.actions.event.screens import MOST_SCREENS
from tournament.models import Membership, Screen, Stage, Tournament
from tournament.models.screen import LONGEST, SHORTEST
from tournament.pages.errors import Problem
from tournament.results.typed import Typed, uuid_or_none
from tournament.server.venue import public_address, qr_svg
from tournament.views._access import get_tournament, refuse_below, signed_in, user_of
from tournament.views._answer import OK, Attempt, attempt_action, page, receipt_of, saved


@dataclass(frozen=True, slots=True)
class SceneChoice:
    """A scene that a screen can show; `on`: it shows it now, `alone`: nothing else."""

    value: str
    label: str
    on: bool
    alone: bool


@dataclass(frozen=True, slots=True)
class ScreenAddress:
    """Where a screen is in one language, for the browser at the projector."""

    language: str
    name: str
    path: str
    address: str
    current: bool


@dataclass(frozen=True, slots=True)
class ScreenPanel:
    """One screen with what it shows; `name`, `seconds` and `stage` as they were typed, where something did not fit.
    `commands` are new ids, one for each of its forms."""

    row: Screen
    scenes: Sequence[SceneChoice]
    name: str
    seconds: str
    stage: str
    addresses: Sequence[ScreenAddress]
    qr: SafeString
    commands: Mapping[str, UUID]
    problems: Sequence[Problem] = ()

    @property
    def shows(self) -> Sequence[SceneChoice]:
        return [scene for scene in self.scenes if scene.on]


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def screens(request: HttpRequest, slug: str) -> HttpResponse:
    """Every screen of the event; POST hangs one more up."""
    tournament = get_tournament(request, slug)
    if request.method != "POST":
        return _page(request, tournament)
    command = uuid_or_none(request.POST.get("command", "")) or uuid4()
    name = request.POST.get("name", "")
    attempt = attempt_action(
        request, actions.add_screen, tournament.uid, screen=uuid5(command, "screen"), name=name
    )
    return _answer(request, tournament, attempt)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def screen(request: HttpRequest, screen: UUID) -> HttpResponse:
    """What one screen shows: `only` is the one scene of a button, else everything that the form says."""
    row = _screen(request, screen)
    if request.method != "POST":
        return redirect("organise-screens", slug=row.tournament.slug)
    if "only" in request.POST:
        return _change(
            request,
            row,
            actions.set_screen,
            scenes=[request.POST["only"]],
            seconds=row.seconds,
            stage=row.stage.uid if row.stage else None,
        )
    typed = Typed(request.POST.dict())
    seconds = typed.whole("seconds", "/seconds", least=SHORTEST, most=LONGEST)
    return _change(
        request,
        row,
        actions.set_screen,
        typed=typed,
        name=typed.text("name"),
        scenes=request.POST.getlist("scenes"),
        seconds=seconds or 0,
        stage=typed.uid("stage", "/stage"),
    )


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def remove(request: HttpRequest, screen: UUID) -> HttpResponse:
    """Take a screen away."""
    row = _screen(request, screen)
    if request.method != "POST":
        return redirect("organise-screens", slug=row.tournament.slug)
    return _change(request, row, actions.remove_screen)


def _screen(request: HttpRequest, uid: UUID) -> Screen:
    row = Screen.objects.select_related("tournament__organiser", "stage").filter(uid=uid).first()
    if row is None:
        raise Http404
    refuse_below(user_of(request), row.tournament, Membership.Role.ORGANISER)
    return row


def _change(
    request: HttpRequest,
    row: Screen,
    action: Callable[..., Receipt],
    typed: Typed | None = None,
    **arguments: Any,
) -> HttpResponse:
    attempt = attempt_action(request, action, row.tournament.uid, typed=typed, screen=row.uid, **arguments)
    return _answer(request, row.tournament, attempt, row)


def _answer(
    request: HttpRequest, tournament: Tournament, attempt: Attempt, row: Screen | None = None
) -> HttpResponse:
    if attempt.receipt:
        return saved(reverse("organise-screens", args=[tournament.slug]), attempt.receipt)
    return _page(request, tournament, attempt=attempt, about=row)


def _page(
    request: HttpRequest,
    tournament: Tournament,
    *,
    attempt: Attempt | None = None,
    about: Screen | None = None,
) -> HttpResponse:
    """`attempt` is what came of a form, `about` the screen that it was for."""
    version = Tournament.objects.values_list("version", flat=True).get(pk=tournament.pk)
    live.announce({str(tournament.uid): version})  # so that there is a stream, whichever process wrote it
    rows = Screen.objects.filter(tournament=tournament).select_related("stage")
    panels = [_panel(request, tournament, row) for row in rows]
    problems = attempt.context()["errors"] if attempt else []
    if attempt and about:
        panels = [
            _as_typed(panel, request.POST, problems) if panel.row.pk == about.pk else panel
            for panel in panels
        ]
    context = {
        "section": "events",
        "scope": str(tournament.uid),
        "version": version,
        "panels": panels,
        "stages": list(Stage.objects.filter(tournament=tournament).order_by("number")),
        "errors": [] if about else problems,
        "name": "" if about else request.POST.get("name", ""),
        "full": len(panels) >= MOST_SCREENS,
        "seconds": (SHORTEST, LONGEST),
        "typed_address": public_address(request, f"/t/{tournament.slug}/screen/"),
        "command": uuid4(),
        "at": receipt_of(request, tournament),
    }
    status = attempt.status if attempt else OK
    return page(request, "organiser/screens.html", context, tournament, status=status)


def _panel(request: HttpRequest, tournament: Tournament, row: Screen) -> ScreenPanel:
    addresses = [_address(request, tournament, row, code) for code, _name in settings.LANGUAGES]
    current = next(each for each in addresses if each.current)
    return ScreenPanel(
        row=row,
        scenes=[
            SceneChoice(
                value=scene.value,
                label=str(scene.label),
                on=scene.value in row.scenes,
                alone=row.scenes == [scene.value],
            )
            for scene in Screen.Scene
        ],
        name=row.name,
        seconds=str(row.seconds),
        stage=str(row.stage.uid) if row.stage else "",
        addresses=addresses,
        qr=qr_svg(current.address),
        commands={name: uuid4() for name in ("only", "turns", "remove")},
    )


def _address(request: HttpRequest, tournament: Tournament, row: Screen, code: str) -> ScreenAddress:
    with override(code):
        path = reverse("screen", args=[tournament.slug, row.uid])
    name = get_language_info(code)["name_local"].capitalize()
    return ScreenAddress(code, name, path, public_address(request, path), current=code == tournament.language)


def _as_typed(panel: ScreenPanel, data: QueryDict, problems: Sequence[Problem]) -> ScreenPanel:
    """The panel with what was typed and what is wrong with it, each with a link to the panel's own field."""
    here = [replace(each, href=f"{each.href}-{panel.row.uid}" if each.href else "") for each in problems]
    if "seconds" not in data:
        return replace(panel, problems=here)
    chosen = data.getlist("scenes")
    return replace(
        panel,
        scenes=[replace(scene, on=scene.value in chosen) for scene in panel.scenes],
        name=data.get("name", ""),
        seconds=data.get("seconds", ""),
        stage=data.get("stage", ""),
        problems=here,
    )
