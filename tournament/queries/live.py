"""Reads for the page server: versions of scopes, rights of sessions, whether games need a steady clock."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from datetime import datetime, timedelta

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from tournament.models import LedgerRow, Membership, Play, Stage, Tournament, User

PART = 500  # sessions per query; within SQLite's parameter limit
LONGEST_GAME = timedelta(hours=2)  # older running plays are abandoned

Standing = tuple[object, ...] | None


def read_versions() -> dict[str, int]:
    """Return the version of each scope from the database; put-away events have none."""
    tournaments = Tournament.objects.order_by().values_list("uid", "version", "put_away", "organiser__uid")
    stages = Stage.objects.filter(tournament__put_away=False).order_by().values_list("uid", "version")
    tours: Counter[str] = Counter()
    for _, version, _, organiser in tournaments:
        tours[str(organiser)] += version
    return {
        **{str(uid): version for uid, version in stages},
        **{str(uid): version for uid, version, put_away, _ in tournaments if not put_away},
        **tours,
        "site": tours.total(),
    }


def standings(sessions: Collection[str]) -> dict[str, Standing]:
    """Comparable rights by session key; None if invalid."""
    holders: dict[str, tuple[str, str]] = {
        row.session_key: (said[SESSION_KEY], said.get(HASH_SESSION_KEY, ""))
        for keys in _parts(sessions)
        for row in Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
        if SESSION_KEY in (said := row.get_decoded())
    }
    users: dict[str, User] = {}
    roles: defaultdict[str, list[tuple[object, ...]]] = defaultdict(list)
    for pks in _parts({user for user, _ in holders.values()}):
        users |= {str(user.pk): user for user in User.objects.filter(pk__in=pks, is_active=True)}
        for holder, *role in (
            Membership.objects.filter(user__in=pks)
            .order_by("pk")
            .values_list("user", "tournament", "role", "table")
        ):
            roles[str(holder)].append(tuple(role))
    return dict.fromkeys(sessions) | {
        key: (pk, user.is_staff, user.is_superuser, *roles[pk])
        for key, (pk, proof) in holders.items()
        if (user := users.get(pk)) and constant_time_compare(proof, user.get_session_auth_hash())
    }


def games_need_time(now: datetime) -> bool:
    """Whether the time must run on steadily at `now`: a play is running, or the system clock went back with a
    running stage."""
    played = Play.objects.filter(state=Play.State.RUNNING, started_at__gt=now - LONGEST_GAME)
    running = LedgerRow.objects.filter(tournament__stages__state=Stage.State.RUNNING)
    set_back = timezone.now() < now
    return played.exists() or (set_back and running.filter(at__gt=now - LONGEST_GAME).exists())


def _parts(values: Collection[str]) -> Iterator[list[str]]:
    ordered = sorted(values)
    return (ordered[begin : begin + PART] for begin in range(0, len(ordered), PART))
