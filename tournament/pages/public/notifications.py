"""Notifications: seat, call at the table, final place.

Published to all; js/watch/notifications.js shows new ones to the player who opted in. None while frozen.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournament.models import Call, Stage, Tournament
from tournament.pages.public.player import PlayerPage, PlayerStage


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """Notification; new if the `value` of its `slot` changed."""

    slot: str
    value: str
    title: str
    text: str


def tellings(tournament: Tournament, page: PlayerPage) -> list[Telling]:
    """All notifications of the page's player."""
    stages = [each for each in (page.main, *page.others) if each and each.anchor and not each.frozen]
    return [telling for stage in stages for telling in _of_stage(tournament, stage)]


def _of_stage(tournament: Tournament, stage: PlayerStage) -> Iterator[Telling]:
    text = f"{stage.title}, {tournament.name}"
    seat = stage.seat
    if seat and not seat.over:
        values = {"table": seat.table, "seat": seat.position}
        running = stage.state == Stage.State.RUNNING
        title = (
            _("Play begins. Table %(table)s, seat %(seat)s")
            if running
            else _("Your seat is ready. Table %(table)s, seat %(seat)s")
        )
        value = f"{seat.table}-{seat.position}-{stage.state}"
        yield Telling(slot=f"seat-{stage.uid}", value=value, title=title % values, text=text)
        if running:
            yield from _calls(stage, seat.table, text)
    if stage.state == Stage.State.FINISHED and (title := _over(stage)):
        yield Telling(
            slot=f"over-{stage.uid}", value=f"{stage.place or stage.status}", title=title, text=text
        )


def _calls(stage: PlayerStage, table: int, text: str) -> Iterator[Telling]:
    calls = Call.objects.filter(table__stage__uid=stage.uid, table__number=table, answered_at=None)
    for uid in calls.order_by("at", "uid").values_list("uid", flat=True)[:2]:
        title = _("Table %(table)s has called a referee") % {"table": table}
        yield Telling(slot=f"call-{uid}", value="open", title=title, text=text)


def _over(stage: PlayerStage) -> str:
    if stage.place:
        return _("Final place: %(place)s") % {"place": stage.place}
    return {"through": _("You are through"), "not_through": _("You are not through")}.get(stage.status, "")
