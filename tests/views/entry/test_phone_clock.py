"""How long ago an entry of an outbox was made, whatever the phone's clock did; and when people are asked."""

import pytest

from tournament.views.entry.outbox import late_by

NOW = 1_800_000_000_000  # ms, by the server
MINUTE, DAY = 60, 86_400


@pytest.mark.parametrize(
    ("wrong_s", "set_before_s", "set_after_s", "late"),
    [
        (0, 0, 0, (600, None)),
        (2 * DAY, 0, 0, (600, None)),
        (-2 * DAY, 0, 0, (600, None)),
        (0, 0, 119, (600, None)),
        (0, 0, -119, (600, None)),
        (0, 119, 0, (481, None)),  # wrong by less than two minutes
        # Set on after the entry, as phones do when the network comes back: the first reading is right, and later.
        (-26 * 3600, 0, 26 * 3600, (600, 600 + 26 * 3600)),
        (0, 0, 121, (600, 721)),
        # Set on before it: by the first reading it would be later, here still to come.
        (0, 300, 0, (300, 600)),
        (0, 3 * 3600, 0, (600, 0)),
        # Set back, where the phone cannot tell: the second reading is later.
        (0, -1200, 0, (600, 1800)),
        (0, 0, -400, (200, 600)),
        (0, 0, -3 * 3600, (0, 600)),
        (0, 1200, -1200, (0, 0)),  # twice: neither can be right
        (0, 550, -550, (50, None)),  # twice, and nothing of it to be seen
    ],
)
def test_a_phone_whose_clock_was_set_asks_and_any_other_is_right(
    wrong_s: int, set_before_s: int, set_after_s: int, late: tuple[int, int | None]
) -> None:
    """The entry was made 600 s ago; the clock was set before it and after it, since it last met the server."""
    entered_s = wrong_s + set_before_s - 600
    sent_s = wrong_s + set_before_s + set_after_s
    found = late_by(NOW, sent=NOW + 1000 * sent_s, queued=NOW + 1000 * entered_s, skew=-1000 * wrong_s)
    assert found == late


def test_a_clock_that_was_set_back_while_its_phone_slept_is_read_by_the_contact_after() -> None:
    """The phone slept 63 s meanwhile and cannot know it; more than two minutes are asked about."""
    for slept_s, late in [(63, (600, None)), (121, (600, 721))]:
        skew = 1_200_000 - slept_s * 1000
        assert late_by(NOW, sent=NOW - 1_200_000, queued=NOW - 1_800_000, skew=skew, guessed=True) == late


def test_a_phone_that_never_met_the_server_has_one_reading() -> None:
    assert late_by(NOW, sent=5_000_000, queued=4_000_000, skew=None) == (1000, None)
    assert late_by(NOW, sent=4_000_000, queued=5_000_000, skew=None) == (0, None)
