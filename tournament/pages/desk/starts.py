"""The starts of games whose order puts one on hold, for people who correct them."""

from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils.translation import gettext as _

from tournament.models import Play
from tournament.pages.public.stage import play_label
from tournament.pages.public.standings import isolated
from tournament.results import Contest, PlayFacts, ejection_before
from tournament.words.formats import to_the_second


def held_starts(contest: Contest, play: PlayFacts, zone: ZoneInfo) -> list[tuple[str, str]]:
    """When a game began that an ejection in another game puts on hold, and when that one did: (text, address of its
    correction) of both. Empty for other plays."""
    found = ejection_before(contest, play) if play.state == Play.State.SET_ASIDE else None
    if found is None:
        return []
    other, entry = found
    games = [(each, None if each.other_start else each.started_at) for each in (play, other)]
    times = [at.astimezone(zone) for each, began in games if (at := began or each.entered_at)]
    if len(times) < 2:
        return []  # entered before times were kept: by number
    texts = (
        _("%(what)s began at %(time)s."),
        _("%(what)s, in which %(name)s was ejected, began at %(time)s."),
        _("%(what)s was entered at %(time)s; its start is unknown."),
        _("%(what)s, in which %(name)s was ejected, was entered at %(time)s; its start is unknown."),
    )
    form = "TIME_FORMAT" if times[0].date() == times[1].date() else "SHORT_DATETIME_FORMAT"
    name = isolated([contest.names.get(str(entry), "")])
    return [
        (
            texts[index + (0 if began else 2)]
            % {"what": play_label(contest, each), "name": name, "time": to_the_second(times[index], form)},
            reverse("play-correct", args=[each.uid]) + "#id_started_at",
        )
        for index, (each, began) in enumerate(games)
    ]
