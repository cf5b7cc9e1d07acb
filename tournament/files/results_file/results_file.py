"""The results of an event as an Excel file for people: values only, which can be sorted, filtered and printed."""

from tournament.files.workbook.event import Event


def results_file(event: Event) -> bytes:
    """Write the event's results as an .xlsx file in the reader's language.

    `event` comes from `read_event(tournament, everything=..., language=...)`: with `everything`, for organisers, there
    are also who entered and corrected what, and the sheet of money; without it the file obeys the freeze.
    """
    raise NotImplementedError
