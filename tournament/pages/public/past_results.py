"""The results of an event that were brought in from a file, as its page shows them."""

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from tournament.models import PastResult, Tournament
from tournament.pages.components import StandingsRow, StandingsTable


def past_results(tournament: Tournament) -> StandingsTable | None:
    """The table of the event's results from a file, with the columns that the file had; None without any."""
    rows = PastResult.objects.filter(entry__tournament=tournament).select_related("entry")
    averages = any(row.average for row in rows)
    columns = {"points": _("Points"), "games": _("Games"), "wins": _("Won")}
    shown = {name: [_number(getattr(row, name)) for row in rows] for name in columns}
    deciding = [_number(row.average) for row in rows] if averages else shown.pop("points")
    extras = {name: cells for name, cells in shown.items() if any(cells)}
    table = StandingsTable(
        caption=_("Results from a file"),
        unit=_("Average") if averages else _("Points") if any(deciding) else "",
        rows=[
            StandingsRow(
                key=str(row.entry.uid),
                place=row.place,
                name=row.entry.shown_name,
                club=" · ".join(filter(None, (row.entry.club, row.note))),
                value=deciding[at],
                extras=tuple(cells[at] for cells in extras.values()),
            )
            for at, row in enumerate(rows)
        ],
        extras=[columns[name] for name in extras],
    )
    return table if table.rows else None


def _number(value: str | int | None) -> str:
    return "" if value in {None, ""} else number_format(str(value))
