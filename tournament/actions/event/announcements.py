"""Announcements. Their words are not in the ledger: only taking one down can be undone."""

from collections.abc import Mapping
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from tournament.actions.kernel import Work, action, between, check, fit, or_refuse, refuse, refuse_if
from tournament.models import LONGEST_ANNOUNCEMENT, Announcement
from tournament.results import Fault

__all__ = ["announce", "take_down"]

MOST_STANDING = 3
LONGEST_MINUTES = 12 * 60


@action(least="head_referee", says=_("made an announcement"), undo="again")
def announce(work: Work, *, announcement: UUID, words: Mapping[str, str], minutes: int | None = None) -> None:
    """Show `words` (by language) for these minutes (None: until taken down). Refused `field_required` (event's
    language), `field_max_length`, `too_many_announcements`, as `between` (minutes)."""
    row = Announcement(uid=announcement, tournament=work.tournament, at=work.at)
    with work.faults:
        row.words = _words(work, words)
    if minutes is not None:
        row.until = work.at + timedelta(minutes=between(minutes, "/minutes", 1, LONGEST_MINUTES))
    refuse_if(
        Announcement.objects.filter(tournament=work.tournament).standing(work.at).count() >= MOST_STANDING,
        Fault("too_many_announcements", "", {"most": MOST_STANDING}),
    )
    refuse(work.faults)
    check(row)
    work.add(row)
    work.readers_of(*work.tournament.stages.all())


@action(least="head_referee", says=_("took down an announcement"), undo="ledger")
def take_down(work: Work, *, announcement: UUID) -> None:
    """Take an announcement down. Refused `announcement_down` (already)."""
    row = or_refuse(
        Announcement.objects.filter(tournament=work.tournament, uid=announcement).first(),
        Fault("unknown_announcement", "/announcement"),
    )
    refuse_if(row.down_at, Fault("announcement_down", "/announcement"))
    work.update(row, down_at=work.at)
    work.readers_of(*work.tournament.stages.all())


def _words(work: Work, words: Mapping[str, str]) -> dict[str, str]:
    languages = [code for code, _name in settings.LANGUAGES]
    refuse_if(
        not isinstance(words, Mapping) or not all(isinstance(text, str) for text in words.values()),
        Fault("malformed", "/words"),
    )
    refuse(Fault("malformed", f"/words/{code}") for code in words if code not in languages)
    fitted = {
        code: fit(" ".join(words[code].split()), f"/words/{code}", LONGEST_ANNOUNCEMENT)
        for code in languages
        if code in words
    }
    said = {code: text for code, text in fitted.items() if text}
    refuse_if(
        work.tournament.language not in said, Fault("field_required", f"/words/{work.tournament.language}")
    )
    return said
