"""Printed results: public standings; certificates by true places, written before the reveal."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from tournament.extras.printing.views.prints import number_in, on_paper
from tournament.ledger.chain import end_shown
from tournament.models import Entry, Membership, Stage
from tournament.pages.public.clubs import club_boards
from tournament.pages.public.stage import going_on, stage_board
from tournament.pages.public.standings import past_results
from tournament.queries.visible import freezing, shown, taking_part
from tournament.results import ContestResults, kind_of, stage_results
from tournament.server.database import snapshot
from tournament.views import get_tournament, page, signed_in_page
from tournament.views.organiser.on_paper import paper_context

FIRST_PLACES = 3
MOST_PLACES = 999
LONGEST_TEXT = 200  # characters per line
PLACES_IN_WORDS: Sequence[str | Promise] = (
    gettext_lazy("First place"),
    gettext_lazy("Second place"),
    gettext_lazy("Third place"),
    gettext_lazy("Fourth place"),
    gettext_lazy("Fifth place"),
    gettext_lazy("Sixth place"),
    gettext_lazy("Seventh place"),
    gettext_lazy("Eighth place"),
    gettext_lazy("Ninth place"),
    gettext_lazy("Tenth place"),
)


@signed_in_page
def results(request: HttpRequest, slug: str) -> HttpResponse:
    """Standings of begun stages, or `?stage=`; frozen as public."""
    tournament = get_tournament(request, slug, Membership.Role.HEAD_REFEREE)
    wanted = number_in(request, "stage", 0, 99_999)
    with snapshot(), timezone.override(tournament.zone), on_paper(request, tournament):
        tournament.refresh_from_db(fields=["version", "ledger_head"])
        stages = list(tournament.stages.order_by("number"))
        entries = taking_part(tournament, stages)
        boards = [
            going_on(tournament, stage_board(tournament, stage, entries, stages), stages, entries)
            for stage in _begun(stages)
            if wanted in {0, stage.number}
        ]
        clubs = [
            board
            for board in club_boards([shown(stage, stages) for stage in stages], entries)
            if wanted in {0, board.stage.number}
        ]
        end = end_shown(tournament, stages)
    return page(
        request,
        "printing/results.html",
        tournament,
        **paper_context(request, tournament),
        stages=_begun(stages),
        wanted=wanted,
        boards=boards,
        clubs=clubs,
        past=None if stages else past_results(tournament),
        printed_at=timezone.now(),
        end=end,
    )


@signed_in_page
def certificates(request: HttpRequest, slug: str) -> HttpResponse:
    """Certificates of the last begun stage, or `?stage=`. Query: `names=real`, `text`, signers."""
    tournament = get_tournament(request, slug, Membership.Role.HEAD_REFEREE)
    most = number_in(request, "places", FIRST_PLACES, MOST_PLACES)
    with snapshot(), on_paper(request, tournament):
        stages = list(tournament.stages.order_by("number"))
        begun = [stage for stage in _begun(stages) if not kind_of(stage.kind).one_play]
        wanted = number_in(request, "stage", 0, 99_999)
        chosen = next((stage for stage in begun if stage.number == wanted), begun[-1] if begun else None)
        real = request.GET.get("names") == "real"
        known = Entry.objects.filter(tournament=tournament).exclude(player__name="")
        names = {str(uid): name for uid, name in known.values_list("uid", "player__name")} if real else {}
        made = _certificates(stage_results(chosen), most, names) if chosen else []
        signed = [tournament.organiser.name, _("Head referee")]
    return page(
        request,
        "printing/certificates.html",
        tournament,
        **paper_context(request, tournament),
        stages=begun,
        stage=chosen,
        places=most,
        most_places=MOST_PLACES,
        certificates=made,
        hidden=chosen is not None and freezing(chosen, stages) is not None,
        real=real,
        text=_typed(request, "text", ""),
        signed=[_typed(request, f"signed_{number}", usual) for number, usual in enumerate(signed, 1)],
        longest=LONGEST_TEXT,
    )


def place_in_words(place: int) -> str:
    if place <= len(PLACES_IN_WORDS):
        return str(PLACES_IN_WORDS[place - 1])
    return _("Place %(place)s") % {"place": place}


def _begun(stages: Sequence[Stage]) -> list[Stage]:
    return [stage for stage in stages if stage.state != Stage.State.PLANNED]


def _typed(request: HttpRequest, field: str, usual: str) -> str:
    return request.GET.get(field, usual)[:LONGEST_TEXT].replace("\0", "").strip()


def _certificates(
    contests: Sequence[ContestResults], most: int, real: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Per contest, first place first."""
    made: list[dict[str, Any]] = []
    for results in contests:
        ranked = [row for row in results.answer.standings if row.place is not None]
        places = [row.place for row in ranked]
        made += [
            {
                "name": real.get(row.player) or results.names[row.player],
                "place": place_in_words(row.place),
                "of": len(ranked),
                "shared": places.count(row.place) > 1,
                "table": results.table_number if len(contests) > 1 else None,
            }
            for row in ranked
            if row.earned and row.place is not None and row.place <= most
        ]
    return made
