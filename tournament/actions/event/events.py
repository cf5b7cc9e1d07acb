"""Create and edit an event."""

import logging
from base64 import b64decode
from binascii import Error as NoBase64
from datetime import date, datetime, time, timedelta, tzinfo
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.utils.text import slugify
from django.utils.translation import gettext, gettext_lazy as _

from rulesets import RULESETS
from tournament.actions.kernel import (
    UNCHANGED,
    Command,
    Faults,
    Unchanged,
    Work,
    action,
    check,
    chosen,
    count,
    founding_action,
    or_refuse,
    planned_for,
    refuse,
    refuse_if,
    writing,
)
from tournament.backup import before as back_up_before
from tournament.ledger.purge import take_back
from tournament.models import Logo, Membership, Organiser, Registration, Stage, Tournament, User
from tournament.permissions import is_limited, may, may_list, organisers_of, run_by_account, runs_organiser
from tournament.queries.programme import Plan
from tournament.results import Fault, Forbidden, Refused, same_time, unclear
from tournament.server.pictures import NoPicture, stored_picture
from tournament.server.rate_limits import EventThrottle
from tournament.words.text import PLAIN, ZONES, as_read, clean, clean_lines, numbered

__all__ = ["bring_back", "create_tournament", "delete_event", "edit_tournament", "put_away"]


def _read_logo(
    _tournament: Tournament, *, logo: str | Unchanged = UNCHANGED, **_others: Any
) -> tuple[str, bytes, Faults]:
    sent, picture, faults = chosen(logo, ""), b"", Faults()
    with faults:
        try:
            picture = stored_picture(b64decode(sent, validate=True)) if sent else b""
        except NoPicture as wrong:
            raise Refused(Fault(wrong.code, "/logo")) from None
        except (NoBase64, ValueError):
            raise Refused(Fault("no_picture", "/logo")) from None
    return sent, picture, faults


@founding_action(says=_("created the event"), undo="whole_event")
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
    description: str = "",
    doors_at: str = "",
    starts_at: str = "",
    fee: str = "",
    bring: str = "",
    colour: str = "",
    logo: str = "",
) -> None:
    """Create the tournament with this uid; the actor organises it. Details as in `edit_tournament`.

    It belongs to `organiser`; else to the actor's own or a new one named `organiser_name`; without both to the actor's
    only one, or their own or a new one of their name; for guests always to a new one. Names are compared as `as_read`.
    The default `slug` follows from the name. A `rehearsal` is never listed. Superusers create for any organiser,
    others for their own or a new one, whose first event only staff list. Guests choose neither `slug` nor
    `organiser_name`. Raises Forbidden; Refused `which_organiser` (runs several, or several of that name),
    `unknown_ruleset`, `not_listed`, `slug_taken`, `account_needed`, `no_picture`, `picture_too_large`.
    """
    user, listed = work.command.actor, listed and not rehearsal
    owner = _founder(user, organiser, organiser_name, slug=slug, logo=logo, listed=listed)
    refuse_if(ruleset not in RULESETS, Fault("unknown_ruleset", "/ruleset", {"ruleset": ruleset}))
    row = Tournament(
        uid=tournament,
        organiser=owner,
        starts_on=starts_on,
        time_zone=time_zone,
        language=language,
        ruleset=ruleset,
        ruleset_revision=RULESETS[ruleset].revision,
        listed=listed,
        rehearsal=rehearsal,
    )
    _sent, picture, faults = _read_logo(row, logo=logo)
    _describe(
        row, faults, name=name, place=place, description=description, fee=fee, bring=bring, colour=colour
    )
    _describe(row, faults, doors_at=doors_at, starts_at=starts_at)
    with faults:
        row.slug = _address(row, clean(slug), guest=is_limited(user))
    row.logo = sha256(picture).hexdigest() if picture else ""
    _refuse_wrong(row, faults)
    row.save(force_insert=True)
    _keep(row, picture)
    work.created(row)
    work.changed(Membership.objects.create(tournament=row, user=user, role=Membership.Role.ORGANISER))


@action(least="organiser", says=_("changed the event"), undo="again", ahead=_read_logo)
def edit_tournament(
    work: Work,
    *,
    name: str | Unchanged = UNCHANGED,
    starts_on: date | Unchanged = UNCHANGED,
    place: str | Unchanged = UNCHANGED,
    time_zone: str | Unchanged = UNCHANGED,
    language: str | Unchanged = UNCHANGED,
    slug: str | Unchanged = UNCHANGED,
    listed: bool | Unchanged = UNCHANGED,
    description: str | Unchanged = UNCHANGED,
    doors_at: str | Unchanged | None = UNCHANGED,
    starts_at: str | Unchanged | None = UNCHANGED,
    fee: str | Unchanged = UNCHANGED,
    bring: str | Unchanged = UNCHANGED,
    colour: str | Unchanged = UNCHANGED,
    logo: str | Unchanged = UNCHANGED,
) -> None:
    """Edit details. In a new time zone planned wall times stay; with a new date the programme moves.

    `doors_at`, `starts_at`: `18:00`, "" or None. `colour`: `#rrggbb` or "" (default). `logo`: base64 PNG, JPEG, WebP
    or GIF, stored small without metadata; "": none. Refused `slug_taken`, `rehearsal_not_listed`, `not_listed`,
    `no_picture`, `picture_too_large`, `account_needed` (a guest's new address or logo).
    """
    row, user, faults = work.tournament, work.command.actor, Faults()
    zone, day, was_listed, address = row.zone, row.starts_on, row.listed, row.slug
    row.starts_on, row.listed = chosen(starts_on, day), chosen(listed, was_listed)
    row.time_zone, row.language = chosen(time_zone, row.time_zone), chosen(language, row.language)
    _describe(row, faults, name=name, place=place, slug=slug, description=description, fee=fee, bring=bring)
    _describe(row, faults, doors_at=doors_at, starts_at=starts_at, colour=colour)
    faults.add_if(row.listed and row.rehearsal, Fault("rehearsal_not_listed", "/listed"))
    unlisted = row.listed and not was_listed and not may_list(user, row.organiser)
    faults.add_if(unlisted, Fault("not_listed", "/listed"))
    faults.add_if(row.slug != address and is_limited(user, row), Fault("account_needed", "/slug"))
    taken = Tournament.objects.filter(slug=row.slug).exclude(pk=row.pk).exists()
    faults.add_if(taken, Fault("slug_taken", "/slug", {"slug": row.slug}))
    if logo is not UNCHANGED:
        sent, picture, wrong = work.ready or _read_logo(row, logo=logo)
        assert sent == logo
        with faults:
            refuse_if(logo and is_limited(user, row), Fault("account_needed", "/logo"))
            refuse(wrong)
        row.logo = sha256(picture).hexdigest() if picture else ""
    _refuse_wrong(row, faults)
    if logo is not UNCHANGED:
        _keep(row, picture)
    work.save(row)
    _keep_wall_times(work, zone, row.starts_on - day)
    all_readers(work)


def _keep_wall_times(work: Work, zone: tzinfo, days: timedelta) -> None:
    def moved(planned: Any, days: timedelta) -> Any:
        if isinstance(planned, datetime):
            return same_time(planned, zone, work.tournament.zone, days)
        at = planned and Plan.of(planned).starts_at
        return {**planned, "starts_at": moved(at, days).isoformat()} if at else planned

    for model in (Stage, Registration) if days or zone != work.tournament.zone else ():
        walls = [field.name for field in model.FIELDS.fields if field.wall]
        for row in model.objects.filter(tournament=work.tournament):
            work.update(row, **{name: moved(getattr(row, name), days * (name == "plan")) for name in walls})


def _describe(row: Tournament, faults: Faults, **said: str | Unchanged | None) -> None:
    for name, text in said.items():
        match name:
            case _ if text is UNCHANGED:
                continue
            case "description":
                row.description = clean_lines(text or "")
            case "doors_at" | "starts_at":
                try:
                    at = (
                        time.fromisoformat(text).replace(second=0, microsecond=0, tzinfo=None)
                        if text
                        else None
                    )
                    setattr(row, name, at)
                except ValueError:
                    faults.append(Fault("field_invalid", f"/{name}"))
            case "colour":
                row.colour = clean(text or "").lower()
            case _:
                setattr(row, name, clean(text or ""))


def _keep(row: Tournament, picture: bytes) -> None:
    if picture:
        Logo.objects.update_or_create(tournament=row, defaults={"content": picture})
    else:
        Logo.objects.filter(tournament=row).delete()


def free_slug(name: str, starts_on: date, *, rehearsal: bool = False) -> str:
    """A free address from name and year; a `rehearsal`'s is marked."""
    name = f"rehearsal {name}" if rehearsal else name
    stem = (slugify(name.casefold().translate(PLAIN)) or "event")[:48].strip("-")
    year = str(starts_on.year)
    slugs = numbered(stem if year in stem else f"{stem}-{year}", "-{}")
    return next(slug for slug in slugs if not Tournament.objects.filter(slug=slug).exists())


def _address(row: Tournament, wanted: str, *, guest: bool) -> str:
    taken = wanted and Tournament.objects.filter(slug=wanted).exists()
    refuse_if(taken, Fault("slug_taken", "/slug", {"slug": wanted}))
    name = f"guest {row.uid.hex[:8]}" if guest else row.name
    return wanted or free_slug(name, row.starts_on, rehearsal=row.rehearsal)


def _founder(
    user: User, organiser: UUID | None, organiser_name: str, *, slug: str, logo: str, listed: bool
) -> Organiser:
    guest = is_limited(user)
    for field, text in (("/slug", slug), ("/organiser_name", organiser_name), ("/logo", logo)):
        refuse_if(guest and clean(text), Fault("account_needed", field))
    if guest:
        count("guest_events", EventThrottle())
    owner = _owner(user, organiser, clean(organiser_name))
    refuse_if(listed and not may_list(user, owner), Fault("not_listed", "/listed"))
    return owner


def _owner(user: User, organiser: UUID | None, organiser_name: str) -> Organiser:
    if organiser is None:
        if not user.is_active:
            raise Forbidden("create_tournament")
        if not is_limited(user) and (own := _own(user, organiser_name)):
            return own
        owner = Organiser(
            name=gettext("Guest") if is_limited(user) else organiser_name or user.display_name()
        )
        check(owner, "/organiser_name")
        owner.save()
        return owner
    found = or_refuse(
        Organiser.objects.filter(uid=organiser).first(), Fault("unknown_organiser", "/organiser")
    )
    if not runs_organiser(user, found):
        raise Forbidden("create_tournament")
    return found


def _own(user: User, name: str) -> Organiser | None:
    known = list(organisers_of(user))
    own = [each for each in known if as_read(each.name) == as_read(name or user.display_name())]
    if not name:
        own = known if len(known) == 1 else own[:1]
    asked = len(own) > 1 or (known and not own and not name)
    names = ", ".join(f"{each.name} ({each.uid})" for each in own or known)
    refuse_if(asked, Fault("which_organiser", "/organiser", {"allowed": names}))
    return own[0] if own else None


def all_readers(work: Work) -> None:
    """Refresh the pages of all stages."""
    work.readers_of(*Stage.objects.filter(tournament=work.tournament))


def _refuse_wrong(row: Tournament, faults: Faults) -> None:
    with faults:
        planned_for(row.starts_on, "/starts_on")
        refuse_if(
            row.time_zone not in ZONES,
            Fault("unknown_time_zone", "/time_zone", {"time_zone": row.time_zone[:60]}),
        )
        refuse(
            Fault("time_skipped", f"/{name}")
            for name in ("doors_at", "starts_at")
            if (at := getattr(row, name))
            and unclear(datetime.combine(row.starts_on, at), row.zone) == "time_skipped"
        )
    with faults:
        check(row, unique=False)  # `_written` retries if the address is taken meanwhile
    refuse(faults)


# ---- Hide, restore and delete events ----

logger = logging.getLogger(__name__)


@action(least="organiser", says=_("hid the event"), undo="whole_event")
def put_away(work: Work) -> None:
    """Hide an event except in its organisers' list. Then all actions but `bring_back` raise Forbidden."""
    work.tournament.put_away = True
    work.save(work.tournament, "put_away")


@action(least="organiser", says=_("showed the event again"), undo="whole_event")
def bring_back(work: Work) -> None:
    """Restore a hidden event. Refused `not_put_away`."""
    refuse_if(not work.tournament.put_away, Fault("not_put_away"))
    work.tournament.put_away = False
    work.save(work.tournament, "put_away")


def delete_event(command: Command, tournament: Tournament) -> None:
    """Back up, then delete a never played event with its ledger, players of no other event and referees without
    account. Idempotent. Raises Forbidden for non-organisers, Refused `already_played`."""
    if may(command.actor, "put_away", tournament) and run_by_account(tournament):
        back_up_before("delete_event")
    with writing():
        row = Tournament.objects.select_for_update().filter(pk=tournament.pk).first()
        if row is None:
            return
        if not may(command.actor, "put_away", row):
            raise Forbidden("delete_event")
        refuse_if(row.was_played(), Fault("already_played"))
        take_back(row.uid, keep=command.actor)
    logger.info("User %s deleted event %s, in which nothing was played.", command.actor.uid, tournament.uid)
