"""What stands in answers: the shapes that the OpenAPI document describes, and plays as every answer writes them."""

from typing import Any

from tournament.facts import PlayFacts


def play_json(play: PlayFacts) -> dict[str, Any]:
    """A play with its version, as every answer writes it."""
    return {"uid": str(play.uid), "second_look": "", **play.as_json(), "version": play.version}
