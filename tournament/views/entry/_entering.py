"""A form for a whole play and its preview: a page (`step=look`) or a fragment above Save (`step=preview`)."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _, ngettext

from tournament.actions import Receipt
from tournament.forms.plays import PlayForm
from tournament.models import Play
from tournament.pages.components import ComparisonRow, errors_context
from tournament.pages.desk.play import comparison, notes_of
from tournament.pages.desk.standings_changes import as_change, following, in_all, in_play
from tournament.pages.desk.table import Scene, entered
from tournament.pages.public.standings import Board
from tournament.results import (
    Agreed,
    Conflict,
    Fault,
    PlayFacts,
    Refused,
    Settled,
    kind_of,
    number_or_none,
    uuid_or_none,
)
from tournament.views import CONFLICT, LONGEST_SEQUENCE, Attempt, get_scene, page, see_other
from tournament.words.formats import to_the_second
from tournament.words.text import inside, listed, points_text


@dataclass
class Entering(PlayForm):
    """A kind of play form on a page. `record`, `correct`: actions; `fields_template`: the part that players fill
    too."""

    scene: Scene

    template: ClassVar[str]
    fields_template: ClassVar[str]
    record: ClassVar[Callable[..., Receipt]]
    correct: ClassVar[Callable[..., Receipt]]

    @abstractmethod
    def fields(self, wrong: Mapping[str, str]) -> dict[str, Any]:
        """Context of the form's template; `wrong`: error texts by path."""

    def form(self, faults: tuple[Fault, ...] = ()) -> dict[str, Any]:
        """The whole form's context, with `faults` in words."""
        context = errors_context(faults, self.scene.names)
        return {
            **self.scene.context(),
            **context,
            **self.fields(context["wrong"]),
            "entering": self,
            "typed": self.data,
            "kept": "play" not in self.data,
            "command": self.data.get("command") or uuid4(),
            "keep_key": f"{self.scene.table.uid}:{self.number}:{self.version}",
        }

    @property
    def url(self) -> str:
        if self.current:
            return reverse("play-correct", args=[self.current.uid])
        return reverse("table-record", args=[self.scene.table.uid])

    @property
    def version(self) -> int:
        """The version that the editor saw; 0 if new."""
        if self.current is None:
            return 0
        seen = number_or_none(self.typed.text("version"), longest=LONGEST_SEQUENCE)
        return self.current.version if seen is None else seen

    def title(self) -> str:
        """The play being entered, such as "Round 3"."""
        label = self.scene.label(
            self.current or PlayFacts(self.play, self.scene.table.uid, self.number, "entered")
        )
        return _("Correct %(what)s") % {"what": inside(label)} if self.current else label


def look(
    request: HttpRequest, entering: Entering, settled: Settled, hidden: list[tuple[str, str]]
) -> HttpResponse:
    """Preview page; the next tap posts `hidden` and saves."""
    scene, after = entering.scene, _after(entering, settled)
    context, change = _follows(entering, settled), None
    if entering.current:
        change = replace(
            comparison(entering.current, after, scene, yours_by="", theirs_by=""),
            points=as_change(in_play(scene, after.uid, settled)),
            totals=as_change(in_all(scene, settled)),
        )
        if not any(row.differs for row in change.rows) and settled.contest.seats == scene.contest.seats:
            context["follows"] = [_("Nothing changed.")]
    context |= {
        "entering": entering,
        "title": entering.title(),
        "lines": scene.lines(after, settled),
        "notes": notes_of(after, scene),
        "change": change,
        "reason": entering.reason,
        "hidden": hidden,
    }
    return page(request, "desk/look.html", scene.tournament, **context)


def preview(request: HttpRequest, entering: Entering) -> HttpResponse:
    """Preview fragment: standings or faults."""
    in_full = kind_of(entering.scene.contest.kind).seats_change  # only the server knows the order
    return page(
        request, "desk/_preview.html", entering.scene.tournament, **previewed(entering, in_full=in_full)
    )


def previewed(entering: Entering, *, in_full: bool) -> dict[str, Any]:
    """The fragment's context; `in_full` adds each player's line.

    `taken`: the number has another play by now; saving would conflict.
    """
    scene = entering.scene
    entry = entering.read()
    faults: tuple[Fault, ...] = tuple(entering.typed.faults)
    taken = [play for play in scene.plays if play.number == entering.number and play.uid != entering.play]
    context: dict[str, Any] = {
        **scene.context(),
        "taken": scene.label(taken[0]) if taken else "",
        "taken_by": entered(scene, taken[0]) if taken else None,
        "taken_play": taken[0].uid if taken else None,
        "taken_lines": scene.lines(taken[0]) if taken else [],
    }
    if not taken and not faults:
        try:
            settled = entering.settled(entry)
            context |= _follows(entering, settled)
            context["ends"] = _ends(context["board"]) if kind_of(scene.contest.kind).to_target else ""
            if in_full:
                context["lines"] = scene.lines(_after(entering, settled), settled)
        except Refused as refusal:
            faults = refusal.faults
    return context | errors_context(() if taken else faults, scene.names)


def _ends(board: Board | None) -> str:
    if not board or board.state != "finished" or not board.leader:
        return ""
    names = board.leader.names
    return ngettext("%(who)s wins with %(points)s", "%(who)s share the win with %(points)s", len(names)) % {
        "who": listed(names),
        "points": points_text(int(board.leader.value)),
    }


def _after(entering: Entering, settled: Settled) -> PlayFacts:
    after = settled.contest.play(entering.play)
    assert after is not None
    return after


def _follows(entering: Entering, settled: Settled) -> dict[str, Any]:
    scene = entering.scene
    words = {"removed": _("removed"), "withdrawn": _("left")}
    return {
        **scene.context(),
        "out": [
            (scene.names.get(str(seat.entry), ""), words[seat.out_as])
            for seat in settled.contest.seats
            if seat.out_from == entering.number and seat.table == scene.table.number
        ],
        "board": scene.board(settled),
        "moved": []
        if entering.current
        else [(scene.label(play), play.state) for play in settled.moved if play.uid != entering.play],
        "follows": following(scene, settled, entering.play) if entering.current else [],
    }


# ---- Conflicts ----


def conflict_page(
    request: HttpRequest,
    scene: Scene,
    conflict: Conflict,
    mine: Mapping[str, str] | None = None,
    settled: Settled | None = None,
) -> HttpResponse:
    """Both versions, differences first. `mine`: fields that correct the stored version; `settled`: the contest with
    them. Equal versions redirect to the table."""
    scene = get_scene(scene.table)  # current, with the other entry
    zone = scene.tournament.zone
    current = conflict.current
    versions = comparison(
        conflict.offered.play,
        current.play,
        scene,
        yours_by=_("you, not saved"),
        theirs_by=(
            _("%(who)s, %(time)s") % {"who": current.by, "time": to_the_second(current.at.astimezone(zone))}
            if current.at
            else current.by
        ),
    )
    running = current.play.state == Play.State.RUNNING
    if isinstance(conflict, Agreed) or not any(row.differs for row in versions.rows):
        said = isinstance(conflict, Agreed) or not running
        return see_other(f"{scene.url}?same={current.play.uid}" if said else scene.url)
    hidden = {} if mine is None else dict(mine) | {"version": str(current.play.version)}
    points = in_play(scene, current.play.uid, settled) if settled else []
    return page(
        request,
        "desk/conflict.html",
        scene.tournament,
        status=CONFLICT,
        **scene.context(),
        conflict=replace(
            versions,
            rows=sorted(versions.rows, key=lambda row: not row.differs),
            points=[ComparisonRow(what=name, yours=yours, theirs=theirs) for name, theirs, yours in points],
        ),
        label=scene.label(current.play),
        by=current.by,
        current=current.play,
        correct=None if mine is None or running else reverse("play-correct", args=[current.play.uid]),
        hidden=[(name, value) for name, value in hidden.items() if name != "reason"],
        follows=following(scene, settled, current.play.uid) if settled else [],
        settles=uuid_or_none(request.POST.get("command", "")) or "",
        command=uuid4(),
    )


def answer_at_table(
    request: HttpRequest,
    scene: Scene,
    attempt: Attempt,
    again: Callable[[], HttpResponse],
    url: str = "",
    **more: str,
) -> HttpResponse:
    """As `Attempt.answer` (default: the table's page), or the conflict."""
    if attempt.conflict:
        return conflict_page(request, scene, attempt.conflict)
    return attempt.answer(url or scene.url, again, **more)
