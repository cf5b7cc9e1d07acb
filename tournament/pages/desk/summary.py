"""A play in a few words: who won it and what they got, or who went out first."""

from django.utils.translation import gettext as _

from tournament.models import Result
from tournament.pages.desk.play import ENDINGS
from tournament.pages.desk.table import Scene
from tournament.pages.public.standings import isolated
from tournament.results.facts import PlayFacts
from tournament.results.settle import Settled
from tournament.words.text import clock_text

Outcome = Result.Outcome


def summary(scene: Scene, play: PlayFacts, settled: Settled | None = None) -> str:
    """The play as it stands, or as it would be in the contest that was `settled`."""
    names, points = scene.names, scene.points(play.uid, settled)
    for row in play.results:
        name = isolated([names.get(str(row.entry), "")])
        if row.outcome == Outcome.WON:
            won = points.get(str(row.entry))
            return f"{name} +{won}" if won else name
    finished = sorted(play.with_outcome(Outcome.FINISHED), key=lambda row: row.finish or 0)
    if finished:
        return isolated([names.get(str(row.entry), "") for row in finished])
    out = sorted(play.with_outcome(Outcome.OUT), key=lambda row: row.elapsed_s or 0)
    if out:
        return _("%(name)s first, at %(time)s") % {
            "name": isolated([names.get(str(out[0].entry), "")]),
            "time": clock_text(out[0].elapsed_s or 0),
        }
    return str(ENDINGS.get(play.ended, ""))
