"""When an outbox entry was made, although a phone's clock may be wrong or be set.

Milliseconds: `queued`, `sent` by the phone; `now` by the server; `skew`: the server's lead before the entry, or
None.
"""

from tournament.server import clock

ASK_MS = 2 * 60_000  # tolerated disagreement


def server_ms() -> int:
    return int(clock.now().timestamp() * 1000)


def late_by(now: int, sent: int, queued: int, skew: int | None) -> tuple[int, int | None]:
    """Seconds since the entry, by the contact before it, and None. If a clock was set (both contacts disagree or lie
    in the future), also by the sending contact, for people to choose: the later first, unless in the future."""
    waited = sent - queued
    ago = waited if skew is None else now - skew - queued
    if abs(ago - waited) <= ASK_MS and (ago >= -ASK_MS or skew is None):
        return max(0, ago) // 1000, None
    first, second = (waited, ago) if ago < 0 else sorted((ago, waited))
    return max(0, first) // 1000, max(0, second) // 1000
