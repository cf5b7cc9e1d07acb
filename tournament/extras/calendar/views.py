"""Programme as a calendar (RFC 5545), results as a feed (RFC 4287)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import get_language, gettext as _, ngettext
from django.views.decorators.http import require_safe

from scoring import PlayAnswer
from tournament.live.pages import published
from tournament.models import LedgerRow, Stage, Tournament
from tournament.pages.public.stage import play_label
from tournament.pages.public.standings import isolated
from tournament.queries.programme import Part, programme as programme_of
from tournament.queries.visible import shown
from tournament.results import COUNTS, ContestResults, PlayFacts, kind_of
from tournament.server.database import snapshot
from tournament.server.venue import public_address
from tournament.words.kinds import KINDS
from tournament.words.text import amount_text, clean, listed

if TYPE_CHECKING:  # slow imports
    from icalendar import Event

CALENDAR_TYPE = "text/calendar; charset=utf-8"
FEED_TYPE = "application/atom+xml; charset=utf-8"
NEWEST = 50  # feed entries
ASK_AGAIN = timedelta(minutes=15)  # calendar refresh


@dataclass(frozen=True, slots=True)
class News:
    """A play that counts; `version`: its last ledger row."""

    play: UUID
    version: int
    title: str
    text: str
    stage: Stage


class Feed(Atom1Feed):
    """Atom feed dated by the tournament's last change."""

    def latest_post_date(self) -> datetime:
        changed: datetime = self.feed["changed"]
        return changed


class ToCalendar(HttpResponseRedirect):
    """Redirect to a `webcal` URL."""

    allowed_schemes = ["webcal"]


@require_safe
def subscribe(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the calendar app."""
    row = get_object_or_404(Tournament.objects.visible(), slug=slug)
    address = public_address(request, reverse("calendar", args=[row.slug]))
    return ToCalendar(f"webcal://{address.partition('://')[2]}")


@require_safe
def calendar(_request: HttpRequest, slug: str) -> HttpResponse:
    """Published programme, perhaps empty."""
    from icalendar import Calendar

    with snapshot():
        row = get_object_or_404(Tournament.objects.visible(), slug=slug)
        now = programme_of(row)
        changed = _changed(row)
    file = Calendar()
    file.add("prodid", f"-//Lastcard//Programme//{(get_language() or 'en').upper()}")
    file.add("version", "2.0")
    file.calendar_name = clean(row.name)
    file.add("refresh-interval", ASK_AGAIN, parameters={"VALUE": "DURATION"})
    file.add("x-published-ttl", ASK_AGAIN)  # for older Outlooks
    for part in now.shown if now.published else ():
        if part.plan.starts_at:
            file.add_component(_event(row, part, changed))
    response = HttpResponse(file.to_ical(), content_type=CALENDAR_TYPE)
    response["Content-Disposition"] = f'inline; filename="{row.slug}.ics"'
    return published(response, scope=str(row.uid), version=row.version)


@require_safe
def feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Newest public results first."""
    with snapshot():
        row = get_object_or_404(Tournament.objects.visible(), slug=slug)
        newest = sorted(
            _news(list(row.stages.order_by("number"))), key=lambda news: news.version, reverse=True
        )[:NEWEST]
        rows = LedgerRow.objects.filter(tournament=row, sequence__in={news.version for news in newest})
        written = dict(rows.values_list("sequence", "at"))
        changed = _changed(row)
    file = Feed(
        title=_("Results of %(name)s") % {"name": row.name},
        link=reverse("tournament", args=[row.slug]),
        description="",
        language=get_language(),
        feed_url=request.path,
        feed_guid=row.uid.urn,
        changed=changed,
    )
    for news in newest:
        file.add_item(
            title=news.title,
            link=reverse("stage", args=[row.slug, news.stage.uid]),
            description=news.text,
            unique_id=news.play.urn,
            updateddate=written[news.version],
        )
    response = HttpResponse(file.writeString("utf-8"), content_type=FEED_TYPE)
    return published(response, scope=str(row.uid), version=row.version)


def _changed(row: Tournament) -> datetime:
    at: datetime = (
        LedgerRow.objects.filter(tournament=row, sequence=row.version).values_list("at", flat=True).get()
    )
    return at


def _event(row: Tournament, part: Part, changed: datetime) -> "Event":
    from icalendar import Event

    event = Event()
    event.add("uid", f"{part.stage.uid}@lastcard")
    event.add("dtstamp", changed)
    event.add("sequence", row.version)  # newest copy wins
    if settings.PUBLIC_URL:
        event.add("url", f"{settings.PUBLIC_URL}{reverse('programme', args=[row.slug])}")
    event.add("dtstart", part.plan.starts_at)
    if part.plan.ends_at:
        event.add("dtend", part.plan.ends_at)
    event.add("summary", f"{clean(row.name)}: {part.name}")
    if row.place:
        event.add("location", clean(row.place))
    if part.plan.players:
        count = part.plan.players
        event.add("description", ngettext("%(n)s player", "%(n)s players", count) % {"n": count})
    return event


def _news(stages: Sequence[Stage]) -> Iterator[News]:
    for stage in stages:
        everything = shown(stage, stages).results
        for results in everything:
            for play, answer in results.counted:
                if play.state in COUNTS:
                    yield News(
                        play.uid,
                        play.version,
                        _title(stage, results, play, alone=len(everything) == 1),
                        _text(results, answer),
                        stage,
                    )


def _title(stage: Stage, results: ContestResults, play: PlayFacts, *, alone: bool) -> str:
    label = play_label(results.contest, play)
    if results.table_number is not None and not alone:
        values = {"table": results.table_number, "number": play.number}
        label = str(KINDS[results.contest.kind].play_at) % values
    return f"{stage}: {label}"


def _text(results: ContestResults, answer: PlayAnswer) -> str:
    """A game's best, a round's points, or who advances from a heat."""
    kind = kind_of(results.contest.kind)
    if kind.one_play:
        through = [results.names[row.player] for row in answer.results if row.advances]
        return (
            _("Through: %(names)s") % {"names": isolated(through)} if through else _("Nobody is through yet.")
        )
    best = [row for row in answer.results if (row.place == 1 if kind.by_average else row.points)]
    points = ((isolated([results.names[row.player]]), row.points or 0) for row in best)
    return listed(
        [
            ngettext("%(name)s %(n)s point", "%(name)s %(n)s points", int(count))
            % {"name": name, "n": amount_text(count)}
            for name, count in points
        ]
    )
