"""Big screens. Their names are not in the ledger, so nothing can be undone."""

from collections.abc import Sequence
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from tournament.actions.event.stages import stage_named
from tournament.actions.kernel import (
    UNCHANGED,
    Unchanged,
    Work,
    action,
    between,
    check,
    chosen,
    or_refuse,
    refuse_if,
)
from tournament.models import LONGEST_PAGE_S, SHORTEST_PAGE_S, Screen
from tournament.results import Fault
from tournament.words.text import clean

__all__ = ["add_screen", "remove_screen", "set_screen"]

MOST_SCREENS = 20
AT_FIRST = [Screen.Scene.WELCOME]


@action(least="organiser", says=_("added a big screen"), undo="again")
def add_screen(work: Work, *, screen: UUID, name: str) -> None:
    """Add a screen. Refused `too_many_screens`."""
    refuse_if(
        Screen.objects.filter(tournament=work.tournament).count() >= MOST_SCREENS,
        Fault("too_many_screens", "/name", {"most": MOST_SCREENS}),
    )
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
    """Set the scenes in rotation, the seconds per page, and the `stage` shown (None: the current one). Refused
    `no_scene`, `unknown_scene`, as `between` (seconds)."""
    row = screen_named(work, screen)
    with work.faults:
        if scenes is not UNCHANGED:
            wrong = not isinstance(scenes, list | tuple) or not all(
                isinstance(scene, str) for scene in scenes
            )
            refuse_if(wrong, Fault("malformed", "/scenes"))
            refuse_if({*scenes} - {*Screen.Scene.values}, Fault("unknown_scene", "/scenes"))
            refuse_if(not scenes, Fault("no_scene", "/scenes"))
            row.scenes = [str(scene) for scene in dict.fromkeys(scenes)]
    with work.faults:
        if stage is not UNCHANGED:
            row.stage = stage_named(work, stage) if stage else None
    with work.faults:
        row.seconds = between(chosen(seconds, row.seconds), "/seconds", SHORTEST_PAGE_S, LONGEST_PAGE_S)
    row.name = clean(chosen(name, row.name))
    check(row)
    work.save(row)


@action(least="organiser", says=_("removed a big screen"), undo="again")
def remove_screen(work: Work, *, screen: UUID) -> None:
    """Remove a screen."""
    work.delete(screen_named(work, screen))


def screen_named(work: Work, screen: UUID) -> Screen:
    """This event's screen of that uid."""
    return or_refuse(
        Screen.objects.filter(tournament=work.tournament, uid=screen).select_related("stage").first(),
        Fault("unknown_screen", "/screen"),
    )
