"""The plays that wait for a second person, and how long the players at the table may accept them themselves."""

from collections.abc import Sequence
from datetime import timedelta

from tournament.models import Play
from tournament.results import Contest, Fault, PlayFacts

ACCEPT_WITHIN = timedelta(minutes=15)  # of the entry, for the players at the table
BY_PLAYERS = "contest_play_at_table"  # the action by which players contest, and which they may take back
FAULTS = {Play.SecondLook.WANTED: "play_unaccepted", Play.SecondLook.CONTESTED: "play_contested"}


def waits(play: PlayFacts | Play) -> bool:
    """Tell whether somebody has to accept or settle the play before its stage can be finished."""
    return play.state == Play.State.ENTERED and play.second_look in FAULTS


def look_of(play: PlayFacts | Play) -> str:
    """Give the status that readers see: the second look while it waits or when it was accepted, else the state."""
    return play.second_look if play.state == Play.State.ENTERED and play.second_look else play.state


def seen_text(play: PlayFacts | Play) -> str:
    """Name the play and its version as a form sends it along (`plays_of`, views/_answer.py)."""
    return f"{play.uid}:{play.version}"


def waiting_in(contests: Sequence[Contest]) -> list[tuple[Contest, PlayFacts]]:
    """List the plays that wait, in the order of their sheets."""
    return [(contest, play) for contest in contests for play in contest.in_order if waits(play)]


def faults_of(contests: Sequence[Contest]) -> list[Fault]:
    """List why a stage with these contests cannot be finished: `play_unaccepted` or `play_contested` for each play that
    waits, with its table, its number and the kind of its contest."""
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
