"""The admin's forms as a browser sends them."""

import re
from typing import Any

from django.test import Client
from django.urls import reverse

from tournament.models import LedgerRow, Tournament

LINK = re.compile(r'<a (?:class="[^"]*" )?href="([^"]+)"[^>]*>\s*(?:<bdi>)?([^<]+?)\s*<')


def links_of(browser: Client, page: str) -> dict[str, str]:
    """The address of each link of a page, by its words."""
    return {words: address for address, words in LINK.findall(browser.get(page).content.decode())}


def address(model: Any, page: str, *arguments: Any) -> str:
    return reverse(f"admin:tournament_{model._meta.model_name}_{page}", args=arguments)


def form_data(response: Any) -> dict[str, Any]:
    """Give the data that a browser would send from the untouched form of the admin."""
    form = response.context["adminform"].form
    data: dict[str, Any] = {}
    for field in form:
        value = field.value()
        if value not in (None, False):
            data[field.html_name] = value
        if field.field.show_hidden_initial:
            first = field.field.hidden_widget().format_value(value) or ""
            data[field.html_initial_name] = form.data.get(field.html_initial_name, first)
    return data


def changed(browser: Client, row: Any, **values: Any) -> Any:
    """Send the row's form with these values."""
    data = form_data(browser.get(address(type(row), "change", row.pk)))
    return browser.post(address(type(row), "change", row.pk), data | values)


def added(browser: Client, model: Any, **values: Any) -> Any:
    data = form_data(browser.get(address(model, "add")))
    return browser.post(address(model, "add"), data | values)


def last(tournament: Tournament) -> str:
    row = LedgerRow.objects.filter(tournament=tournament).last()
    assert row is not None
    return row.action
