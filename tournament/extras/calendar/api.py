"""Links of an event in the API: the address's name, and what it leads to."""

LINKS = {
    "calendar": ("calendar", "The programme, to subscribe to (iCalendar)."),
    "feed": ("feed", "Results as they come (Atom)."),
}
