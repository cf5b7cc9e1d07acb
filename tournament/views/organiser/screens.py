"""Big screens, controlled by phone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language_info, gettext as _, override

from tournament import actions
from tournament.actions.event.screens import MOST_SCREENS
from tournament.forms.fields import merged
from tournament.models import Screen, Stage, Tournament
from tournament.models.hall import LONGEST_PAGE_S, SHORTEST_PAGE_S
from tournament.pages.components import Problem
from tournament.pages.public.scenes import scenes_to_show
from tournament.results import Typed, kind_of
from tournament.server.venue import public_address, qr_svg
from tournament.views import (
    Attempt,
    attempt_action,
    get_row,
    get_tournament,
    new_uid,
    page,
    receipt_of,
    signed_in_form,
    unchanged,
)

SCREENS = Screen.objects.select_related("tournament__organiser", "stage")


@dataclass(frozen=True, slots=True)
class SceneChoice:
    value: str
    label: str
    on: bool
    alone: bool


@dataclass(frozen=True, slots=True)
class ScreenPanel:
    """A screen; `name`, `seconds`, `stage` as typed; `commands`: ids per form."""

    row: Screen
    stored: Mapping[str, str]
    scenes: Sequence[SceneChoice]
    name: str
    seconds: str
    stage: str
    addresses: Sequence[Mapping[str, Any]]
    qr: SafeString
    commands: Mapping[str, UUID]
    problems: Sequence[Problem] = ()

    @classmethod
    def of(cls, request: HttpRequest, row: Screen, empty: set[str]) -> "ScreenPanel":
        """The stored screen, without `empty` scenes."""
        addresses = []
        for code, _name in settings.LANGUAGES:
            with override(code):
                path = reverse("screen", args=[row.tournament.slug, row.uid])
            addresses.append(
                {
                    "language": code,
                    "name": get_language_info(code)["name_local"].capitalize(),
                    "path": path,
                    "address": public_address(request, path),
                    "current": code == row.tournament.language,
                }
            )
        scenes = [scene for scene in Screen.Scene if scene not in empty or scene in row.scenes]
        return cls(
            row=row,
            stored=_texts(row),
            scenes=[
                SceneChoice(scene.value, str(scene.label), scene in row.scenes, row.scenes == [scene.value])
                for scene in scenes
            ],
            name=row.name,
            seconds=str(row.seconds),
            stage=str(row.stage.uid) if row.stage else "",
            addresses=addresses,
            qr=qr_svg(next(each for each in addresses if each["current"])["address"]),
            commands={name: uuid4() for name in ("only", "turns", "remove")},
        )

    @property
    def shows(self) -> Sequence[SceneChoice]:
        return [scene for scene in self.scenes if scene.on]

    def typed(self, data: QueryDict, problems: Sequence[Problem]) -> "ScreenPanel":
        """As typed, with the problems linked to its fields."""
        href = f"-{self.row.uid}"
        here = [replace(each, href=each.href and each.href + href) for each in problems]
        if "seconds" not in data:
            return replace(self, problems=here)
        return replace(
            self,
            scenes=[replace(scene, on=scene.value in data.getlist("scenes")) for scene in self.scenes],
            name=data.get("name", ""),
            seconds=data.get("seconds", ""),
            stage=data.get("stage", ""),
            problems=here,
        )


@signed_in_form
def screens(request: HttpRequest, slug: str) -> HttpResponse:
    """List screens; POST adds one."""
    tournament = get_tournament(request, slug)
    attempt = attempt_action(
        request,
        actions.add_screen,
        tournament.uid,
        screen=new_uid(request, "screen"),
        name=request.POST.get("name", ""),
    )
    return attempt.answer(_address(tournament), lambda: _page(request, tournament, attempt))


@signed_in_form
def screen(request: HttpRequest, screen: UUID) -> HttpResponse:
    """Set a screen: `only` one scene, or the whole form."""
    row = get_row(request, SCREENS, uid=screen)
    if "only" in request.POST:
        return _change(
            request,
            row,
            actions.set_screen,
            scenes=[request.POST["only"]],
        )
    typed, stored = request.POST.dict(), _texts(row)
    typed["scenes"] = ",".join(sorted(request.POST.getlist("scenes")))
    scenes = [str(Screen.Scene(scene).label) for scene in row.scenes]
    changed, faults = merged(
        typed, stored, {"scenes": ", ".join(scenes), "stage": str(row.stage or _("The current stage"))}
    )
    if request.method == "POST" and not changed:
        return unchanged(request).answer(_address(row.tournament), HttpResponse)
    form = Typed(stored | changed, faults)
    given = {
        "name": form.text("name"),
        "scenes": request.POST.getlist("scenes"),
        "seconds": form.whole("seconds", "/seconds", least=SHORTEST_PAGE_S, most=LONGEST_PAGE_S) or 0,
        "stage": form.uid("stage", "/stage"),
    }
    named = {name: value for name, value in given.items() if name in changed}
    return _change(request, row, actions.set_screen, typed=form, **named)


def _texts(row: Screen) -> dict[str, str]:
    return {
        "name": row.name,
        "scenes": ",".join(sorted(row.scenes)),
        "seconds": str(row.seconds),
        "stage": str(row.stage.uid) if row.stage else "",
    }


@signed_in_form
def remove(request: HttpRequest, screen: UUID) -> HttpResponse:
    return _change(request, get_row(request, SCREENS, uid=screen), actions.remove_screen)


def _change(
    request: HttpRequest,
    row: Screen,
    action: Callable[..., actions.Receipt],
    typed: Typed | None = None,
    **arguments: Any,
) -> HttpResponse:
    attempt = attempt_action(request, action, row.tournament.uid, typed=typed, screen=row.uid, **arguments)
    return attempt.answer_button(
        request, _address(row.tournament), partial(_page, request, row.tournament, attempt, row)
    )


def _address(tournament: Tournament) -> str:
    return reverse("organise-screens", args=[tournament.slug])


def _page(
    request: HttpRequest, tournament: Tournament, attempt: Attempt, about: Screen | None = None
) -> HttpResponse:
    version = Tournament.objects.values_list("version", flat=True).get(pk=tournament.pk)
    rows = Screen.objects.filter(tournament=tournament).select_related("stage", "tournament")
    stages = list(Stage.objects.filter(tournament=tournament).order_by("number"))
    empty = {*Screen.Scene.values} - scenes_to_show()
    if len(stages) == 1:
        empty.add(Screen.Scene.BRACKET)
    if stages and not any(kind_of(stage.kind).all_together for stage in stages):
        empty.add(Screen.Scene.FINAL)
    panels = [ScreenPanel.of(request, row, empty) for row in rows]
    problems = attempt.context()["errors"]
    if about:
        panels = [
            panel.typed(request.POST, problems) if panel.row.pk == about.pk else panel for panel in panels
        ]
    return page(
        request,
        "organiser/screens.html",
        tournament,
        status=attempt.status,
        section="events",
        scope=str(tournament.uid),
        version=version,
        panels=panels,
        stages=stages,
        errors=[] if about else problems,
        name="" if about else request.POST.get("name", ""),
        full=len(panels) >= MOST_SCREENS,
        seconds=(SHORTEST_PAGE_S, LONGEST_PAGE_S),
        typed_address=public_address(request, f"/t/{tournament.slug}/screen/"),
        command=uuid4(),
        at=receipt_of(request, tournament),
    )
