"""An event as a whole: create it, and change its name, date and place."""

from datetime import date
from uuid import UUID

from django.utils.text import slugify
from django.utils.translation import gettext, gettext_lazy as _

from rulesets import RULESETS
from tournament.actions.kernel import (
    Work,
    action,
    check,
    count,
    founding_action,
    or_refuse,
    planned_for,
    refuse_if,
)
from tournament.models import Membership, Organiser, Stage, Tournament, User
from tournament.permissions import is_limited, may_list
from tournament.results import Fault, Forbidden, Refused
from tournament.server.rate_limits import EventThrottle
from tournament.words.text import clean
from tournament.words.zones import ZONES

__all__ = ["create_tournament", "edit_tournament"]


@founding_action(says=_("created the tournament"), undo="whole_event")
def create_tournament(
    work: Work,
    tournament: UUID,
    *,
    name: str,
    starts_on: date,
    ruleset: str,
    organiser: UUID | None = None,
    organiser_name: str = "",
    slug: str = "",
    place: str = "",
    time_zone: str = "Europe/Helsinki",
    language: str = "en",
    listed: bool = True,
    rehearsal: bool = False,
) -> None:
    """Create the tournament of this uid; its actor becomes its organiser.

    It belongs to `organiser`, or to a new one of `organiser_name`. Without a `slug` the public address
    follows from the name. A `rehearsal` is never listed, whatever is asked. Staff may create for everybody; others for
    organisers whose tournaments they run, and unlisted ones for a new organiser. A guest chooses neither `slug` nor
    `organiser_name`. Raises Forbidden, Refused `unknown_ruleset`, `slug_taken`, `account_needed`, and faults of single
    fields.
    """
    planned_for(starts_on, "/starts_on")
    user = work.command.actor
    guest = is_limited(user)
    for field, chosen in (("/slug", slug), ("/organiser_name", organiser_name)):
        refuse_if(guest and clean(chosen), Fault("account_needed", field))
    if guest:
        count("guest_events", EventThrottle())
    owner = _owner(user, organiser, organiser_name)
    listed = listed and not rehearsal
    refuse_if(listed and not may_list(user, owner), Fault("not_listed", "/listed"))
    refuse_if(ruleset not in RULESETS, Fault("unknown_ruleset", "/ruleset", {"ruleset": ruleset}))
    name, slug = clean(name), clean(slug)
    refuse_if(
        slug and Tournament.objects.filter(slug=slug).exists(), Fault("slug_taken", "/slug", {"slug": slug})
    )
    row = Tournament(
        uid=tournament,
        organiser=owner,
        slug=slug
        or free_slug(f"guest {tournament.hex[:8]}" if guest else name, starts_on, rehearsal=rehearsal),
        name=name,
        starts_on=starts_on,
        place=clean(place),
        time_zone=time_zone,
        language=language,
        ruleset=ruleset,
        ruleset_revision=RULESETS[ruleset].revision,
        listed=listed,
        rehearsal=rehearsal,
    )
    _check_zone(time_zone)
    check(row, unique=False)  # `_written` tries again where somebody takes the address at this moment
    row.save(force_insert=True)
    work.created(row)
    work.changed(Membership.objects.create(tournament=row, user=user, role=Membership.Role.ORGANISER))


@action(least="organiser", says=_("changed the tournament"), undo="again")
def edit_tournament(
    work: Work,
    *,
    name: str,
    starts_on: date,
    place: str = "",
    time_zone: str = "Europe/Helsinki",
    language: str = "en",
    slug: str | None = None,
    listed: bool = True,
) -> None:
    """Change how the tournament is shown; every page of it is published anew. Raises Refused with faults of
    single fields, `slug_taken`, `rehearsal_not_listed`, for a guest's other address `account_needed`."""
    row = work.tournament
    refuse_if(listed and row.rehearsal, Fault("rehearsal_not_listed", "/listed"))
    planned_for(starts_on, "/starts_on")
    slug = row.slug if slug is None else clean(slug)
    refuse_if(slug != row.slug and is_limited(work.command.actor, row), Fault("account_needed", "/slug"))
    if Tournament.objects.filter(slug=slug).exclude(pk=row.pk).exists():
        raise Refused(Fault("slug_taken", "/slug", {"slug": slug}))
    if listed and not row.listed and not may_list(work.command.actor, row.organiser):
        raise Refused(Fault("not_listed", "/listed"))
    row.name, row.place, row.starts_on = clean(name), clean(place), starts_on
    row.time_zone, row.language, row.listed = time_zone, language, listed
    row.slug = slug
    _check_zone(time_zone)
    check(row)
    work.save(row)
    all_readers(work)


def free_slug(name: str, starts_on: date, *, rehearsal: bool = False) -> str:
    """Give a free public address: the name and the year, with a number if that is taken; a rehearsal's is marked as
    one."""
    name = f"rehearsal {name}" if rehearsal else name
    stem = (slugify(name) or "event")[:48].strip("-")
    year = str(starts_on.year)
    stem = stem if year in stem else f"{stem}-{year}"
    slug, number = stem, 1
    while Tournament.objects.filter(slug=slug).exists():
        number += 1
        slug = f"{stem}-{number}"
    return slug


def _owner(user: User, organiser: UUID | None, organiser_name: str) -> Organiser:
    if organiser is None:
        if not user.is_active:
            raise Forbidden("create_tournament")
        owner = Organiser(
            name=gettext("Guest") if is_limited(user) else clean(organiser_name) or user.display_name()
        )
        check(owner, "/organiser_name")
        owner.save()
        return owner
    found = or_refuse(
        Organiser.objects.filter(uid=organiser).first(), Fault("unknown_organiser", "/organiser")
    )
    # An invite gives a role in one event only: not in the organiser's other events, nor access to their players.
    runs = Membership.objects.filter(
        user=user, role=Membership.Role.ORGANISER, invite__isnull=True, tournament__organiser=found
    )
    if not (user.is_staff or runs.exists()):
        raise Forbidden("create_tournament")
    return found


def all_readers(work: Work) -> None:
    """Refresh every stage of the tournament for its readers."""
    work.readers_of(*Stage.objects.filter(tournament=work.tournament))


def _check_zone(time_zone: str) -> None:
    if time_zone not in ZONES:
        raise Refused(Fault("unknown_time_zone", "/time_zone", {"time_zone": time_zone[:60]}))
