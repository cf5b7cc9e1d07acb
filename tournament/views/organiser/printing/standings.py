"""Results on paper: standings for the wall, as everybody may see them; certificates by the true places, since they are
written before the reveal."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from tournament.ledger.chain import end_shown
from tournament.models import Membership, Stage
from tournament.pages.public.advancing import going_on
from tournament.pages.public.stage import stage_board
from tournament.queries.visible import freezing, taking_part
from tournament.results import ContestResults, kind_of, stage_results
from tournament.server.database import snapshot
from tournament.views import get_tournament, page, signed_in_page
from tournament.views.organiser.printing.prints import number_in, on_paper, paper_context

FIRST_PLACES = 3
MOST_PLACES = 999
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
    """The standings of every stage that began, or of the one that the address names by its number; frozen ones as
    everybody sees them."""
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
        end = end_shown(tournament, stages)
    return page(
        request,
        "organiser/print/results.html",
        tournament,
        **paper_context(request, tournament),
        stages=_begun(stages),
        wanted=wanted,
        boards=boards,
        printed_at=timezone.now(),
        end=end,
    )


@signed_in_page
def certificates(request: HttpRequest, slug: str) -> HttpResponse:
    """A page for everybody who has one of the first places of a stage: the last that began, or the one that the address
    names by its number."""
    tournament = get_tournament(request, slug, Membership.Role.HEAD_REFEREE)
    most = number_in(request, "places", FIRST_PLACES, MOST_PLACES)
    with snapshot(), on_paper(request, tournament):
        stages = list(tournament.stages.order_by("number"))
        begun = [stage for stage in _begun(stages) if not kind_of(stage.kind).one_play]
        wanted = number_in(request, "stage", 0, 99_999)
        chosen = next((stage for stage in begun if stage.number == wanted), begun[-1] if begun else None)
        made = _certificates(stage_results(chosen), most) if chosen else []
    return page(
        request,
        "organiser/print/certificates.html",
        tournament,
        **paper_context(request, tournament),
        stages=begun,
        stage=chosen,
        places=most,
        most_places=MOST_PLACES,
        certificates=made,
        hidden=chosen is not None and freezing(chosen, stages) is not None,
    )


def place_in_words(place: int) -> str:
    if place <= len(PLACES_IN_WORDS):
        return str(PLACES_IN_WORDS[place - 1])
    return _("Place %(place)s") % {"place": place}


def _begun(stages: Sequence[Stage]) -> list[Stage]:
    return [stage for stage in stages if stage.state != Stage.State.PLANNED]


def _certificates(contests: Sequence[ContestResults], most: int) -> list[dict[str, Any]]:
    """The certificates of each contest, the first place first: for whom, for which `place` `of` how many; `table` if
    several tables play for first places of their own, `shared` if somebody else has this place too."""
    made: list[dict[str, Any]] = []
    for results in contests:
        ranked = [(row.place, row.player) for row in results.answer.standings if row.place is not None]
        places = [place for place, _player in ranked]
        made += [
            {
                "name": results.names[player],
                "place": place_in_words(place),
                "of": len(ranked),
                "shared": places.count(place) > 1,
                "table": results.table_number if len(contests) > 1 else None,
            }
            for place, player in ranked
            if place <= most
        ]
    return made
