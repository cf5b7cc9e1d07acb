"""Django's admin over the models of events, for staff."""

from django.apps import AppConfig


class AdministrationConfig(AppConfig):
    """Addresses, a link in the account's menu, and `admin/`."""

    name = "tournament.extras.administration"
    addresses = ["tournament.extras.administration.urls"]
    buttons = [("account", "administration/_account.html")]
