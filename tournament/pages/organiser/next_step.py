"""The board's next step: the first row of `STEPS` that holds.

It is the only primary button; a table's call precedes it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _, ngettext

from tournament.models import Entry, Stage, Tournament
from tournament.pages.components import Tile
from tournament.pages.organiser.stages import StageView
from tournament.queries.programme import outgrown
from tournament.results import kind_of

State = Stage.State


@dataclass(frozen=True, slots=True)
class NextStep:
    """Next thing to do. `state`: row of `STEPS`; `needs`: action that must be permitted; `first`: optional step
    before."""

    state: str
    text: str
    action: str
    url: str
    needs: str
    first: "NextStep | None" = None


@dataclass(frozen=True, slots=True)
class Evening:
    """The event: `views` of stages in order, `entries`: players per state."""

    tournament: Tournament
    views: Sequence[StageView]
    entries: Mapping[str, int]

    @property
    def entered(self) -> int:
        return sum(count for state, count in self.entries.items() if state not in Entry.ASKING)

    @property
    def begun(self) -> bool:
        return any(view.stage.state != State.PLANNED for view in self.views)

    @property
    def ahead(self) -> bool:
        """Whether the event's day is in the future."""
        return self.tournament.starts_on > timezone.localdate(timezone=self.tournament.zone)

    @property
    def here(self) -> StageView | None:
        """First unfinished stage."""
        return next((view for view in self.views if view.stage.state != State.FINISHED), None)

    @property
    def differing(self) -> StageView | None:
        """First stage seated with others than the heats' qualifiers."""
        return next((view for view in self.views if view.differs), None)

    @property
    def acting(self) -> Tile | None:
        """First table with an `act`."""
        tiles = (tile for view in self.views for tile in view.tiles)
        return next((tile for tile in tiles if tile.act), None)

    def count(self, state: Entry.State) -> int:
        return self.entries.get(state, 0)

    def planned(self, *, seated: bool, later: bool = False) -> bool:
        """Whether the next stage is planned, `seated` or not; `later`: after another."""
        view = self.here
        return (
            view is not None
            and view.stage.state == State.PLANNED
            and bool(view.seated) == seated
            and (seated or (view.stage.number > 1) == later)
        )

    def over(self, *, waiting: bool) -> bool:
        """Whether all is played, with or without results `waiting` for a second person."""
        return self.here is not None and self.here.over and bool(self.here.waiting) == waiting

    @property
    def between_games(self) -> bool:
        """Whether a session has played and no table plays now."""
        view = self.here
        return (
            view is not None
            and view.stage.state == State.RUNNING
            and kind_of(view.stage.kind).seats_change
            and any(tile.last for tile in view.tiles)
            and all(tile.state != "running" for tile in view.tiles)
        )


@dataclass(frozen=True, slots=True)
class Row:
    """State of the event: when it `holds`, its `text`, and `action` at `url`."""

    state: str
    holds: Callable[[Evening], object]
    text: Callable[[Evening], str]
    action: str | Promise
    url: Callable[[Evening], str]
    needs: str


def next_step(
    tournament: Tournament, views: Sequence[StageView], entries: Mapping[str, int]
) -> NextStep | None:
    """Next step; None for an event with players but no stages. `entries`: players per state."""
    evening = Evening(tournament, views, entries)
    row = next((row for row in STEPS if row.holds(evening)), None)
    if row is None:
        return None
    action = str(row.action) % {"table": evening.acting.number if evening.acting else ""}
    step = NextStep(row.state, row.text(evening), action, row.url(evening), row.needs)
    return replace(step, first=_plan_again(evening))


def _plan_again(evening: Evening) -> NextStep | None:
    """Replan if the players here need another number of heats."""
    if not evening.planned(seated=False) or evening.here is None:
        return None
    text = outgrown(evening.here.stage, evening.count(Entry.State.CHECKED_IN))
    page = _event("organise-levels")(evening)
    return NextStep("outgrown", text, gettext("Plan again"), page, "set_levels") if text else None


def _said(text: str | Promise) -> Callable[[Evening], str]:
    return lambda evening: str(text) % {"stage": evening.here.stage if evening.here else ""}


def _event(name: str) -> Callable[[Evening], str]:
    return lambda evening: reverse(name, args=[evening.tournament.slug])


def _stage(name: str, more: str = "") -> Callable[[Evening], str]:
    return lambda evening: reverse(name, args=[evening.here.stage.uid]) + more if evening.here else ""


def _waiting(evening: Evening) -> str:
    n = evening.here.waiting if evening.here else 0
    text = ngettext(
        "%(n)s result is waiting for confirmation", "%(n)s results are waiting for confirmation", n
    )
    return text % {"n": n}


def _asked(evening: Evening) -> str:
    n = evening.count(Entry.State.APPLIED)
    return ngettext("%(n)d person is asking to take part.", "%(n)d people are asking to take part.", n) % {
        "n": n
    }


def _expected(evening: Evening) -> str:
    count = evening.count(Entry.State.REGISTERED)
    text = ngettext("%(count)d player is not checked in.", "%(count)d players are not checked in.", count)
    return text % {"count": count}


def _entered(evening: Evening) -> str:
    text = ngettext(
        "%(n)d player so far. Check-in is on the day of the event.",
        "%(n)d players so far. Check-in is on the day of the event.",
        evening.entered,
    )
    return text % {"n": evening.entered}


def _differing(evening: Evening) -> str:
    return str(evening.differing.stage.uid) if evening.differing else ""


STEPS = (
    Row(
        "asked",
        lambda evening: not evening.begun and evening.count(Entry.State.APPLIED),
        _asked,
        _("Answer"),
        _event("organise-registration"),
        "approve_entries",
    ),
    Row(
        "no players",
        lambda evening: not evening.entered,
        _said(_("No players yet.")),
        _("Add players"),
        _event("organise-players"),
        "enter_players",
    ),
    Row(
        "others sit",
        lambda evening: evening.differing,
        _said(_("The players with seats are not the ones who went through.")),
        _("Decide"),
        lambda evening: reverse("organise-stage", args=[_differing(evening)]),
        "fill_stage",
    ),
    Row(
        "finished",
        lambda evening: evening.views and evening.here is None,
        _said(_("Everything has been played, and the results are official.")),
        _("Show on a big screen"),
        _event("organise-screens"),
        "set_screen",
    ),
    Row(
        "day ahead",
        lambda evening: not evening.begun and evening.ahead and evening.count(Entry.State.REGISTERED),
        _entered,
        _("See the players"),
        _event("organise-players"),
        "check_in",
    ),
    Row(
        "players expected",
        lambda evening: not evening.begun and evening.count(Entry.State.REGISTERED),
        _expected,
        _("Check in players"),
        _event("organise-players"),
        "check_in",
    ),
    Row(
        "seats missing",
        lambda evening: evening.planned(seated=False),
        _said(_("%(stage)s: nobody has a seat yet.")),
        _("Seat the players"),
        _stage("organise-seats"),
        "seat_stage",
    ),
    Row(
        "through to decide",
        lambda evening: evening.planned(seated=False, later=True),
        _said(_("%(stage)s: the heats are over.")),
        _("See who goes through"),
        _stage("organise-stage"),
        "fill_stage",
    ),
    Row(
        "seated",
        lambda evening: evening.planned(seated=True),
        _said(_("%(stage)s: everyone has a seat.")),
        _("Check and start"),
        _stage("organise-stage"),
        "start_stage",
    ),
    Row(
        "second looks",
        lambda evening: evening.over(waiting=True),
        _waiting,
        _("Check these"),
        _stage("organise-stage", "#unaccepted"),
        "accept_plays",
    ),
    Row(
        "everything played",
        lambda evening: evening.over(waiting=False),
        _said(_("%(stage)s: everything has been played.")),
        _("Finish the stage"),
        _stage("organise-stage"),
        "finish_stage",
    ),
    Row(
        "table needs somebody",
        lambda evening: evening.acting,
        lambda evening: f"{evening.acting.title}: {evening.acting.act}" if evening.acting else "",
        _("Go to table %(table)s"),
        lambda evening: (evening.acting.url or "") if evening.acting else "",
        "accept_plays",
    ),
    Row(
        "between games",
        lambda evening: evening.between_games,
        _said(_("%(stage)s: no game is running.")),
        _("Draw next game’s seats"),
        _stage("organise-seats", "?draw=1"),
        "seat_stage",
    ),
    Row(
        "running",
        lambda evening: evening.here,
        _said(_("Now running: %(stage)s.")),
        _("Enter a result"),
        lambda _evening: reverse("desk"),
        "accept_plays",
    ),
)
