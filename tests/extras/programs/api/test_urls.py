"""Addresses of the interface."""

from typing import Any

from tournament.extras.programs.api.urls import urlpatterns
from tournament.extras.programs.api.writes import commands

ROUTES: dict[str, Any] = {str(pattern.pattern): pattern.callback for pattern in urlpatterns}


def test_no_address_ends_with_a_slash() -> None:
    assert len(ROUTES) == len(urlpatterns) > 50
    assert [route for route in ROUTES if route.endswith("/")] == []


def test_every_address_is_one_commands() -> None:
    assert len({(write.method, write.path) for write in commands()}) == len(commands())


def test_every_command_is_taken_at_its_address() -> None:
    assert [
        write for write in commands() if not hasattr(ROUTES[write.path].view_class, write.method.lower())
    ] == []
