"""A player's own link, for the organiser who gives it out again (organiser/_own_link.html)."""

from dataclasses import dataclass
from uuid import UUID, uuid4

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString

from tournament.links import token_for
from tournament.models import Entry
from tournament.server.venue import public_address, qr_svg

register = template.Library()


@dataclass(frozen=True, slots=True)
class OwnLink:
    """The address, its code, and the id of the command that would end it."""

    address: str
    qr: SafeString
    command: UUID


@register.simple_tag(takes_context=True)
def own_link(context: template.Context, entry: Entry) -> OwnLink:
    """The own link that this player has now; needs the page's request."""
    token = token_for("player", entry.uid, entry.link_number)
    address = public_address(context["request"], reverse("short-own", args=[token]))
    return OwnLink(address, qr_svg(address), uuid4())
