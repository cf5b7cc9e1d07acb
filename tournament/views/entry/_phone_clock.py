"""When an entry of an outbox was made: a phone's clock may be wrong, and may be set while the entry waits.

The phone says by its own clock when it made the entry (`queued`) and when it sends it (`sent`), and by how much the
server's was ahead at the last contact before the entry (`skew`, None if it never met the server); in milliseconds, as
the server's `now`.
"""

from tournament.server import clock

ASK_MS = 2 * 60_000  # by which the two contacts may disagree


def server_ms() -> int:
    return int(clock.now().timestamp() * 1000)


def late_by(now: int, sent: int, queued: int, skew: int | None) -> tuple[int, int | None]:
    """Give how many seconds ago the entry was made, by the contact before it; and by the contact that brings it where
    they disagree, or both say that it is still to come: then a clock was set in between, and people are asked. The
    later of both comes first, unless it is still to come."""
    waited = sent - queued
    ago = waited if skew is None else now - skew - queued
    if abs(ago - waited) <= ASK_MS and (ago >= -ASK_MS or skew is None):
        return max(0, ago) // 1000, None
    first, second = (waited, ago) if ago < 0 else sorted((ago, waited))
    return max(0, first) // 1000, max(0, second) // 1000
