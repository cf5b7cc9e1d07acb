"""Whether contests say the same."""

from collections.abc import Sequence

from tournament.results.bridge import Contest


def same(known: Sequence[Contest], read: Sequence[Contest]) -> bool:
    """Whether these contests are equal, down to the order and the versions of their plays."""
    return list(known) == list(read) and [
        [(play.uid, play.version) for play in contest.plays] for contest in known
    ] == [[(play.uid, play.version) for play in contest.plays] for contest in read]
