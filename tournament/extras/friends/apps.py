"""Score sheets for a table of friends, without an event."""

from django.apps import AppConfig


class FriendsConfig(AppConfig):
    """An address, and links to it."""

    name = "tournament.extras.friends"
    addresses = ["tournament.extras.friends.urls"]
    buttons = [
        ("nav", "friends/_nav.html"),
        ("no-events", "friends/_no_events.html"),
        ("app-icon", "friends/_nav.html", "tournament.extras.friends.pages.score.on_app_icon"),
    ]
