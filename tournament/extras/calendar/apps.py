"""The programme as a calendar and the results as a feed, to subscribe to."""

from django.apps import AppConfig


class CalendarConfig(AppConfig):
    """Addresses, a button on the programme, and links in the API."""

    name = "tournament.extras.calendar"
    addresses = ["tournament.extras.calendar.urls"]
    buttons = [("below-programme", "calendar/_buttons.html")]
    api = ["tournament.extras.calendar.urls"]
