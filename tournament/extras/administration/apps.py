"""Django's admin over the models of events, for staff."""

from django.apps import AppConfig


class AdministrationConfig(AppConfig):
    """Addresses, a link in the account's menu, and in `admin/` what Django registers at their first request."""

    name = "tournament.extras.administration"
    addresses = ["tournament.extras.administration.urls"]
    buttons = [("account", "administration/_account.html")]
