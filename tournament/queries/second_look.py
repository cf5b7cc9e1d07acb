"""Plays that wait until a second person accepts them."""

from collections.abc import Sequence
from datetime import timedelta

from tournament.models import Play
from tournament.results import Contest, Fault, PlayFacts

ACCEPT_WITHIN = timedelta(minutes=15)  # after entry, by players at the table
BY_PLAYERS = "contest_play_at_table"  # the action that contests a play; players may take it back
FAULTS = {Play.SecondLook.WANTED: "play_unaccepted", Play.SecondLook.CONTESTED: "play_contested"}


def waits(play: PlayFacts | Play) -> bool:
    """Whether the play must be accepted or settled before its stage finishes."""
    return play.state == Play.State.ENTERED and play.second_look in FAULTS


def look_of(play: PlayFacts | Play) -> str:
    """Status shown: pending or accepted second look, else the state."""
    return play.second_look if play.state == Play.State.ENTERED and play.second_look else play.state


def seen_text(play: PlayFacts | Play) -> str:
    """Play and version as sent by forms (`plays_of`, views/_answer.py)."""
    return f"{play.uid}:{play.version}"


def waiting_in(contests: Sequence[Contest]) -> list[tuple[Contest, PlayFacts]]:
    """Waiting plays, in sheet order."""
    return [(contest, play) for contest in contests for play in contest.in_order if waits(play)]


def faults_of(contests: Sequence[Contest]) -> list[Fault]:
    """`play_unaccepted` or `play_contested` per waiting play, with table, number and contest kind."""
    return [
        Fault(
            FAULTS[Play.SecondLook(play.second_look)],
            f"/plays/{play.uid}",
            {
                "table": contest.table_numbers[play.table],
                "number": play.number,
                "contest": contest.kind,
            },
        )
        for contest, play in waiting_in(contests)
    ]
