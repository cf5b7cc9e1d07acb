"""Words of a season."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

# Of a player, by `SeasonStanding.status`
STATUSES: Mapping[str, str | Promise] = {
    "ranked": _("ranked"),
    "not_eligible": _("Plays outside the ranking"),
    "too_few_evenings": _("Too few evenings"),
    "too_few_games": _("Too few games"),
}
