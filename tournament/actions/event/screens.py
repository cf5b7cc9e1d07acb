"""Big screens: add, configure, remove. The ledger lacks their names, so nothing here can be undone."""

from collections.abc import Sequence
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from tournament.actions.event.stages import stage_named
from tournament.actions.kernel import (
    UNCHANGED,
    Faults,
    Unchanged,
    Work,
    action,
    check,
    chosen,
    or_refuse,
    refuse,
    refuse_if,
)
from tournament.models import Screen, Stage
from tournament.models.hall import LONGEST_PAGE_S, SHORTEST_PAGE_S
from tournament.results import Fault, Refused, whole
from tournament.words.text import clean

__all__ = ["add_screen", "remove_screen", "set_screen"]

MOST_SCREENS = 20
AT_FIRST = [Screen.Scene.WELCOME]


@action(least="organiser", says=_("added a big screen"), undo="again")
def add_screen(work: Work, *, screen: UUID, name: str) -> None:
    """Add a screen, which shows a welcome at first. Refused `too_many_screens`, name faults."""
    if Screen.objects.filter(tournament=work.tournament).count() >= MOST_SCREENS:
        raise Refused(Fault("too_many_screens", "/name", {"most": MOST_SCREENS}))
    row = Screen(
        uid=screen, tournament=work.tournament, name=clean(name), scenes=[str(each) for each in AT_FIRST]
    )
    check(row)
    work.add(row)


@action(least="organiser", says=_("chose what a big screen shows"), undo="again")
def set_screen(
    work: Work,
    *,
    screen: UUID,
    scenes: Sequence[str] | Unchanged = UNCHANGED,
    seconds: int | Unchanged = UNCHANGED,
    stage: UUID | Unchanged | None = UNCHANGED,
    name: str | Unchanged = UNCHANGED,
) -> None:
    """Set the scenes in rotation, the seconds per page, and the `stage` shown (None: the current one).

    Refused `unknown_screen`, `no_scene`, `unknown_scene`, `unknown_stage`, `field_min_value` or `field_max_value`
    (seconds), `malformed`, name faults.
    """
    row, faults = screen_named(work, screen), Faults()
    with faults:
        row.scenes = row.scenes if scenes is UNCHANGED else _scenes(scenes)
    with faults:
        if stage is not UNCHANGED:
            row.stage = stage_named(work, stage) if stage else None
    with faults:
        row.seconds = whole(chosen(seconds, row.seconds), "/seconds")
        least, most = {"limit_value": SHORTEST_PAGE_S}, {"limit_value": LONGEST_PAGE_S}
        refuse_if(row.seconds < SHORTEST_PAGE_S, Fault("field_min_value", "/seconds", least))
        refuse_if(row.seconds > LONGEST_PAGE_S, Fault("field_max_value", "/seconds", most))
    row.name = clean(chosen(name, row.name))
    with faults:
        check(row)
    refuse(faults)
    work.save(row)


@action(least="organiser", says=_("removed a big screen"), undo="again")
def remove_screen(work: Work, *, screen: UUID) -> None:
    """Remove a screen; a device that shows it says so. Refused `unknown_screen`."""
    work.delete(screen_named(work, screen))


def screen_named(work: Work, screen: UUID) -> Screen:
    """This event's screen of that uid. Refused `unknown_screen`."""
    return or_refuse(
        Screen.objects.filter(tournament=work.tournament, uid=screen).select_related("stage").first(),
        Fault("unknown_screen", "/screen"),
    )


def let_go_of(work: Work, stage: Stage) -> None:
    """Detach the screens from a stage being removed; they then show the current one."""
    for row in Screen.objects.filter(stage=stage):
        work.update(row, stage=None)


def _scenes(scenes: Sequence[str]) -> list[str]:
    if not isinstance(scenes, list | tuple) or not all(isinstance(scene, str) for scene in scenes):
        raise Refused(Fault("malformed", "/scenes"))
    refuse_if(any(scene not in Screen.Scene.values for scene in scenes), Fault("unknown_scene", "/scenes"))
    refuse_if(not scenes, Fault("no_scene", "/scenes"))
    return [str(scene) for scene in dict.fromkeys(scenes)]
