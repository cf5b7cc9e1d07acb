"""The sheets of the referees: incidents, only for readers of the ledger since they name people, and the rulings by
which the event was played."""

from collections import Counter
from collections.abc import Iterator

from django.utils.translation import gettext as _

from tournament.files.workbook.cells import Row
from tournament.files.workbook.event import Event
from tournament.words.faults import ruleset_name
from tournament.words.rulings import rulings_of


def incident_headings(zone: str) -> list[str]:
    """The headings of the sheet of incidents; times are in this zone."""
    return [
        _("Time (%(zone)s)") % {"zone": zone},
        _("Where"),
        _("Player"),
        _("What happened"),
        _("Consequence in the rules"),
        _("Cards to draw"),
        _("Describe it"),
        _("Ruling"),
        _("Answer given"),
        _("Person"),
        _("Withdrawn"),
    ]


def incident_rows(event: Event) -> Iterator[Row]:
    """List every incident, also those taken back, the oldest first."""
    for line in event.incidents or ():
        yield [
            line.at,
            line.where,
            line.player or None,
            line.title,
            line.rule or None,
            line.cards,
            line.text or None,
            line.ruling or None,
            line.answer or None,
            line.by,
            _("yes") if line.withdrawn else None,
        ]


def ruling_headings(event: Event) -> list[str]:
    """List the headings of the sheet of rulings, with the count of incidents for readers of those."""
    return [
        _("Source"),
        _("Question"),
        _("Ruling"),
        *([] if event.incidents is None else [_("Penalties and notes")]),
    ]


def ruling_rows(event: Event) -> Iterator[Row]:
    """List the rulings of the ruleset once something is played by them; for readers of the incidents also the rules
    that those name, with their counts, and the referees' own rulings."""
    if not any(read.results for read in event.stages):
        return
    ruleset = ruleset_name(event.tournament.ruleset)
    for question, ruling in rulings_of(event.tournament.ruleset):
        yield [ruleset, question, ruling]
    stand = [line for line in event.incidents or () if not line.withdrawn]
    for (title, rule), count in Counter((line.title, line.rule) for line in stand if line.rule).items():
        yield [_("Rule sheet"), title, rule, count]
    for line in stand:
        if line.ruling or line.answer:
            yield [_("Referees"), line.text or line.title, line.ruling or line.answer, 1]
