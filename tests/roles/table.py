"""Permissions: a row for every address of the site, and which roles may read which secrets. The tests beside it ask.

A row names, for each method, who is let in. Everybody else gets what `Who` says: the way to the sign-in, 401, 403 for a
role that is too low, 404 for what is not theirs. Somebody whom a row lets in may still be refused for what they sent.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.util import find_spec

from tests.roles.world import AWAY, FOREIGN, OTHER
from tournament.settings import EXTRAS

# The kinds of answer to somebody who asks.
OPEN, SIGN_IN, UNKNOWN, FORBIDDEN, HIDDEN, NO_METHOD = (
    "open",
    "sign-in",
    "unknown",
    "forbidden",
    "hidden",
    "no method",
)

VISITOR, LINK, TABLE, HEAD, ORGANISER, STAFF, ADMIN, PROGRAM = ROLES = (
    "visitor",
    "link",
    "table referee",
    "head referee",
    "organiser",
    "staff",
    "site admin",
    "program",
)


@dataclass(frozen=True)
class Who:
    """The answer for each role in an event of its own. `other`: for a table referee at another table; `foreign`: for
    those with a role in somebody else's event; `put_away`: for those who are known, in a rehearsal that was put away,
    but for the roles in `away`. A `program` has a token of the organiser that only reads."""

    visitor: str
    table: str
    head: str
    organiser: str
    staff: str
    admin: str
    link: str = HIDDEN
    program: str = OPEN
    other: str = HIDDEN
    foreign: str = HIDDEN
    away: Mapping[str, str] = field(default_factory=dict)
    put_away: str = HIDDEN

    def gets(self, role: str, place: str) -> str:
        """Give the answer for this role there."""
        own = {
            VISITOR: self.visitor,
            LINK: self.link,
            TABLE: self.table,
            HEAD: self.head,
            ORGANISER: self.organiser,
            STAFF: self.staff,
            ADMIN: self.admin,
            PROGRAM: self.program,
        }[role]
        if place == OTHER:
            return self.other
        if place == FOREIGN:
            return own if role in {STAFF, ADMIN} or own in {SIGN_IN, UNKNOWN} else self.foreign
        if place == AWAY:
            return own if own in {SIGN_IN, UNKNOWN} else self.away.get(role, self.put_away)
        return own


def all_alike(said: str, put_away: str = HIDDEN) -> Who:
    return Who(said, said, said, said, said, said, said, said, other=said, foreign=said, put_away=put_away)


def signed_in(visitor: str, said: str = OPEN) -> Who:
    """Let in everybody who has an account, whatever the role."""
    return Who(visitor, said, said, said, said, said, other=said, foreign=said, put_away=said)


PUBLIC = all_alike(OPEN)  # of an event: not of one that was put away
OF_SEASON = replace(PUBLIC, put_away=OPEN)  # of the organiser: there without events too
ALWAYS = all_alike(OPEN, put_away=OPEN)
NEVER = all_alike(NO_METHOD, put_away=NO_METHOD)
NOTHING = all_alike(HIDDEN)  # there, but not in an event as small as these
BY_LINK = Who(HIDDEN, HIDDEN, HIDDEN, HIDDEN, HIDDEN, HIDDEN, link=OPEN)

ACCOUNT = signed_in(SIGN_IN)
ACCOUNT_NEVER = signed_in(SIGN_IN, NO_METHOD)
AT_TABLE = Who(SIGN_IN, OPEN, OPEN, OPEN, OPEN, OPEN)
AT_TABLE_HEAD = Who(SIGN_IN, FORBIDDEN, OPEN, OPEN, OPEN, OPEN)
HEADS = Who(SIGN_IN, HIDDEN, OPEN, OPEN, OPEN, OPEN)
TABLE_ORGANISERS = Who(SIGN_IN, FORBIDDEN, FORBIDDEN, OPEN, FORBIDDEN, OPEN)
ORGANISERS = Who(SIGN_IN, HIDDEN, FORBIDDEN, OPEN, FORBIDDEN, OPEN)
STAFFS = Who(SIGN_IN, FORBIDDEN, FORBIDDEN, FORBIDDEN, OPEN, OPEN)
REHEARSAL = Who(SIGN_IN, HIDDEN, HIDDEN, OPEN, HIDDEN, OPEN, away={ORGANISER: OPEN, ADMIN: OPEN})
DELETES = Who(SIGN_IN, HIDDEN, HIDDEN, OPEN, HIDDEN, OPEN)
OWN_TOKEN = Who(SIGN_IN, HIDDEN, HIDDEN, OPEN, HIDDEN, HIDDEN, away={ORGANISER: OPEN})

# The API: 401 for anybody without credentials.
KNOWN = signed_in(UNKNOWN)
KNOWN_ORGANISE = replace(KNOWN, program=FORBIDDEN)
KNOWN_NEVER = signed_in(UNKNOWN, NO_METHOD)
KNOWN_NO_GET = replace(KNOWN_NEVER, program=NO_METHOD)
REFEREES_READ = Who(UNKNOWN, OPEN, OPEN, OPEN, OPEN, OPEN)
HEADS_READ = Who(UNKNOWN, HIDDEN, OPEN, OPEN, OPEN, OPEN)
ORGANISERS_READ = Who(UNKNOWN, HIDDEN, FORBIDDEN, OPEN, FORBIDDEN, OPEN)
PRIVATE_READ = Who(UNKNOWN, HIDDEN, FORBIDDEN, OPEN, FORBIDDEN, OPEN, program=FORBIDDEN)
FROZEN_PLAY = Who(HIDDEN, OPEN, OPEN, OPEN, OPEN, OPEN, other=OPEN)
TABLE_WRITES = Who(UNKNOWN, OPEN, OPEN, OPEN, OPEN, OPEN, other=FORBIDDEN)
HEAD_WRITES = Who(UNKNOWN, FORBIDDEN, OPEN, OPEN, OPEN, OPEN, other=FORBIDDEN)
ORGANISER_WRITES = Who(UNKNOWN, FORBIDDEN, FORBIDDEN, OPEN, FORBIDDEN, OPEN, other=FORBIDDEN)
PUTS_AWAY = Who(UNKNOWN, FORBIDDEN, FORBIDDEN, OPEN, FORBIDDEN, OPEN, put_away=FORBIDDEN)
BRINGS_BACK = Who(
    UNKNOWN,
    FORBIDDEN,
    FORBIDDEN,
    OPEN,
    FORBIDDEN,
    OPEN,
    away={ORGANISER: OPEN, ADMIN: OPEN},
    put_away=FORBIDDEN,
)

# The admin asks everybody who is not staff to sign in.
LOOK = Who(SIGN_IN, SIGN_IN, SIGN_IN, SIGN_IN, OPEN, OPEN)
LOOK_NEVER = Who(SIGN_IN, SIGN_IN, SIGN_IN, SIGN_IN, NO_METHOD, NO_METHOD)
LOOK_OWN = Who(SIGN_IN, SIGN_IN, SIGN_IN, SIGN_IN, HIDDEN, OPEN)  # staff only at events that they organise
NOWHERE = Who(SIGN_IN, SIGN_IN, SIGN_IN, SIGN_IN, HIDDEN, HIDDEN)
ADMIN_LOGOUT = Who(OPEN, OPEN, OPEN, OPEN, NO_METHOD, NO_METHOD)
NOT_HERE = Who(SIGN_IN, SIGN_IN, SIGN_IN, SIGN_IN, FORBIDDEN, FORBIDDEN)
ADMINS = Who(SIGN_IN, SIGN_IN, SIGN_IN, SIGN_IN, FORBIDDEN, OPEN)
ADMIN_SIGN_IN = Who(SIGN_IN, SIGN_IN, SIGN_IN, SIGN_IN, SIGN_IN, SIGN_IN)

Row = dict[str, Who]

# A guest who organises an event gets what an organiser gets, but for what needs an account: what they send there is
# refused in words (test_guests.py).
NEEDS_ACCOUNT: dict[str, Mapping[str, object]] = {
    "/organise/t/<slug:slug>/roles/": {"username": "kim", "role": "organiser"},
}

ROWS: dict[str, Row] = {
    # Addresses without a language
    "/favicon.ico": {"GET": ALWAYS, "POST": ALWAYS},
    "/sw.js": {"GET": ALWAYS, "POST": NEVER},
    "/j/<slug:slug>/": {"GET": ALWAYS, "POST": NEVER},
    "/p/<str:token>/": {"GET": BY_LINK, "POST": NEVER},
    "/b/<uuid:entry>/": {"GET": PUBLIC, "POST": NEVER},
    # Pages that everybody may see, and what a link lets its holder do
    "/": {"GET": ALWAYS, "POST": NEVER},
    "/manifest.webmanifest": {"GET": ALWAYS, "POST": NEVER},
    "/no-network/": {"GET": ALWAYS, "POST": NEVER},
    "/try/": {
        "GET": NOTHING,
        "POST": NOTHING,
    },  # only where newcomers may practise: tests/views/public/test_practice.py
    "/try/end/": {"GET": NOTHING, "POST": NOTHING},
    "/rules/": {"GET": ALWAYS, "POST": NEVER},
    "/rules/<slug:ruleset>/": {"GET": ALWAYS, "POST": NEVER},
    "/rules/<slug:ruleset>/<slug:sheet>/": {"GET": ALWAYS, "POST": NEVER},
    "/t/<slug:slug>/": {"GET": PUBLIC, "POST": NEVER},
    "/t/<slug:slug>/logo-<slug:digest>.webp": {"GET": NOTHING, "POST": NEVER},  # it has none
    "/t/<slug:slug>/colour-<slug:colour>.css": {"GET": ALWAYS, "POST": NEVER},  # of the colour alone
    "/t/<slug:slug>/programme/": {"GET": PUBLIC, "POST": NEVER},
    "/t/<slug:slug>/ledger/": {"GET": PUBLIC, "POST": NEVER},
    "/t/<slug:slug>/players/": {"GET": PUBLIC, "POST": NEVER},
    "/t/<slug:slug>/bracket/": {"GET": PUBLIC, "POST": NEVER},
    "/t/<slug:slug>/clubs/": {"GET": NOTHING, "POST": NEVER},  # fewer than two clubs
    "/t/<slug:slug>/stage/<uuid:stage>/": {"GET": PUBLIC, "POST": NEVER},
    "/t/<slug:slug>/stage/<uuid:stage>/<int:page>/": {"GET": NOTHING, "POST": NEVER},
    "/t/<slug:slug>/stage/<uuid:stage>/draw.json": {"GET": PUBLIC, "POST": NEVER},
    "/t/<slug:slug>/stage/<uuid:stage>/podium.svg": {"GET": NOTHING, "POST": NEVER},
    "/t/<slug:slug>/said/": {"GET": PUBLIC, "POST": NEVER},
    "/t/<slug:slug>/clock/": {"GET": PUBLIC, "POST": NEVER},
    "/t/<slug:slug>/screen/": {"GET": PUBLIC, "POST": NEVER},
    "/t/<slug:slug>/screen/way/": {"GET": PUBLIC, "POST": NEVER},
    "/t/<slug:slug>/screen/<uuid:screen>/": {"GET": PUBLIC, "POST": NEVER},
    "/i/<str:token>/": {"GET": BY_LINK, "POST": BY_LINK},
    "/sit/<str:token>/": {"GET": NOTHING, "POST": NOTHING},  # its tables are not open
    "/at/<str:token>/": {"GET": BY_LINK, "POST": NEVER},
    "/at/<str:token>/propose/": {"GET": BY_LINK, "POST": BY_LINK},
    "/at/<str:token>/clock/": {"GET": BY_LINK, "POST": BY_LINK},
    "/at/<str:token>/<slug:what>/": {"GET": BY_LINK, "POST": BY_LINK},
    "/<short:code>/": {"GET": ALWAYS, "POST": ALWAYS},  # its code is looked at by whoever has a cookie
    "/code/": {"GET": ALWAYS, "POST": NEVER},
    "/ask/<str:token>/": {"GET": BY_LINK, "POST": NEVER},
    "/hello/<str:token>/": {"GET": BY_LINK, "POST": BY_LINK},
    "/t/<slug:slug>/join/": {"GET": PUBLIC, "POST": PUBLIC},
    "/p/<str:token>/leave/": {"GET": BY_LINK, "POST": BY_LINK},
    "/p/<str:token>/data/": {"GET": BY_LINK, "POST": BY_LINK},
    "/p/<str:token>/data.json": {"GET": BY_LINK, "POST": NEVER},
    "/p/<str:token>/erase/": {"GET": BY_LINK, "POST": BY_LINK},
    "/p/<str:token>/<slug:what>/": {"GET": BY_LINK, "POST": BY_LINK},
    "/t/<slug:slug>/player/<uuid:entry>/": {"GET": PUBLIC, "POST": NEVER},
    "/sign-in/": {"GET": ALWAYS, "POST": ALWAYS},
    "/password/": {"GET": ACCOUNT, "POST": ACCOUNT},
    "/first/<str:token>/": {"GET": NOTHING, "POST": NOTHING},
    "/sign-out/": {"GET": NEVER, "POST": ALWAYS},
    "/t/<slug:slug>/results.xlsx": {"GET": PUBLIC, "POST": NEVER},
    # The referee's desk
    "/desk/": {"GET": ACCOUNT, "POST": ACCOUNT_NEVER},
    "/desk/send/": {"GET": ALWAYS, "POST": KNOWN},
    "/desk/outbox/": {"GET": ACCOUNT, "POST": ACCOUNT_NEVER},
    "/desk/hand-over/": {"GET": ALWAYS, "POST": ALWAYS},
    "/desk/accept/": {"GET": ACCOUNT, "POST": ACCOUNT_NEVER},
    "/desk/proposal/<uuid:proposal>/accept/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/proposal/<uuid:proposal>/decline/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/play/<uuid:play>/accept/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/play/<uuid:play>/contest/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/play/<uuid:play>/second-look/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/table/<uuid:table>/code/": {"GET": AT_TABLE, "POST": ACCOUNT_NEVER},
    "/desk/table/<uuid:table>/code/renew/": {"GET": AT_TABLE_HEAD, "POST": AT_TABLE_HEAD},
    "/desk/table/<uuid:table>/asks/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/table/<uuid:table>/": {"GET": AT_TABLE, "POST": ACCOUNT_NEVER},
    "/desk/table/<uuid:table>/record/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/table/<uuid:table>/start/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/table/<uuid:table>/roles/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/table/<uuid:table>/target/": {"GET": AT_TABLE_HEAD, "POST": AT_TABLE_HEAD},
    "/desk/table/<uuid:table>/stop/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/table/<uuid:table>/go-on/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/table/<uuid:table>/incidents/": {"GET": AT_TABLE, "POST": ACCOUNT_NEVER},
    "/desk/table/<uuid:table>/incidents/<slug:what>/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/table/<uuid:table>/minutes/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/table/<uuid:table>/call/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/call/<uuid:call>/take-back/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/call/<uuid:call>/answer/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/incident/<uuid:incident>/withdraw/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/t/<slug:slug>/rulings/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/table/<uuid:table>/typing/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/table/<uuid:table>/accept/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/table/<uuid:table>/leave-out/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/table/<uuid:table>/undo/<int:row>/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/table/<uuid:table>/history/": {"GET": AT_TABLE, "POST": ACCOUNT_NEVER},
    "/desk/table/<uuid:table>/players/": {"GET": AT_TABLE, "POST": ACCOUNT_NEVER},
    "/desk/table/<uuid:table>/players/<uuid:entry>/remove/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/table/<uuid:table>/players/<uuid:entry>/leave/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/table/<uuid:table>/players/<uuid:entry>/readmit/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/play/<uuid:play>/": {"GET": AT_TABLE, "POST": ACCOUNT_NEVER},
    "/desk/play/<uuid:play>/correct/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/play/<uuid:play>/back/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/play/<uuid:play>/elsewhere/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/play/<uuid:play>/void/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/play/<uuid:play>/start-time/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/play/<uuid:play>/choose-start/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/play/<uuid:play>/out/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/play/<uuid:play>/take-back/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/play/<uuid:play>/give-up/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/play/<uuid:play>/eject/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/play/<uuid:play>/join/": {"GET": AT_TABLE, "POST": AT_TABLE},
    "/desk/play/<uuid:play>/end/": {"GET": AT_TABLE, "POST": AT_TABLE},
    # Organising
    "/organise/": {"GET": ACCOUNT, "POST": ACCOUNT_NEVER},
    "/organise/new/": {"GET": ACCOUNT, "POST": ACCOUNT},
    "/organise/no-phone/": {"GET": ACCOUNT, "POST": ACCOUNT},
    "/organise/t/<slug:slug>/": {"GET": HEADS, "POST": ACCOUNT_NEVER},
    "/organise/t/<slug:slug>/registration/": {"GET": HEADS, "POST": ORGANISERS},
    "/organise/t/<slug:slug>/registration/approve/": {"GET": HEADS, "POST": HEADS},
    "/organise/t/<slug:slug>/registration/poster/": {"GET": HEADS, "POST": ACCOUNT_NEVER},
    "/organise/t/<slug:slug>/badges/": {"GET": HEADS, "POST": ACCOUNT_NEVER},
    "/organise/registration/<uuid:entry>/decline/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/registration/<uuid:entry>/take/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/registration/<uuid:entry>/renew-link/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/t/<slug:slug>/edit/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/t/<slug:slug>/share/": {"GET": ORGANISERS, "POST": ACCOUNT_NEVER},
    "/organise/t/<slug:slug>/copy/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/t/<slug:slug>/played/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/t/<slug:slug>/rehearse/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/rehearsal/<uuid:tournament>/put-away/": {"GET": REHEARSAL, "POST": REHEARSAL},
    "/organise/rehearsal/<uuid:tournament>/bring-back/": {"GET": REHEARSAL, "POST": REHEARSAL},
    "/organise/event/<uuid:tournament>/delete/": {"GET": DELETES, "POST": DELETES},
    "/organise/t/<slug:slug>/players/": {"GET": HEADS, "POST": ACCOUNT_NEVER},
    "/organise/t/<slug:slug>/questions/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/t/<slug:slug>/paid/": {"GET": HEADS, "POST": HEADS},
    "/organise/t/<slug:slug>/check-in/": {"GET": HEADS, "POST": HEADS},
    "/organise/t/<slug:slug>/no-shows/": {"GET": HEADS, "POST": HEADS},
    "/organise/t/<slug:slug>/walk-in/": {"GET": HEADS, "POST": HEADS},
    "/organise/t/<slug:slug>/duplicates/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/t/<slug:slug>/people/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/t/<slug:slug>/people/part/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/t/<slug:slug>/people/<uuid:player>/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/player/<uuid:entry>/another/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/t/<slug:slug>/roles/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/t/<slug:slug>/levels/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/t/<slug:slug>/programme/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/t/<slug:slug>/programme/publish/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/t/<slug:slug>/announcements/": {"GET": HEADS, "POST": HEADS},
    "/organise/announcement/<uuid:announcement>/down/": {"GET": HEADS, "POST": HEADS},
    "/organise/t/<slug:slug>/screens/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/screen/<uuid:screen>/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/screen/<uuid:screen>/remove/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/t/<slug:slug>/clock/": {"GET": HEADS, "POST": HEADS},
    "/organise/t/<slug:slug>/clock/<slug:what>/": {"GET": HEADS, "POST": HEADS},
    "/organise/t/<slug:slug>/ledger/": {"GET": HEADS, "POST": ACCOUNT_NEVER},
    "/organise/t/<slug:slug>/ledger/<int:row>/undo/": {"GET": HEADS, "POST": HEADS},
    "/organise/player/<uuid:entry>/": {"GET": HEADS, "POST": ORGANISERS},
    "/organise/player/<uuid:entry>/arrive/": {"GET": HEADS, "POST": HEADS},
    "/organise/player/<uuid:entry>/data.json": {"GET": ORGANISERS, "POST": ACCOUNT_NEVER},
    "/organise/player/<uuid:entry>/erase/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/player/<uuid:entry>/<slug:what>/": {"GET": HEADS, "POST": HEADS},
    "/organise/t/<slug:slug>/checklist/": {"GET": HEADS, "POST": HEADS},
    "/organise/t/<slug:slug>/invites/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/invite/<uuid:invite>/": {"GET": ORGANISERS, "POST": ACCOUNT_NEVER},
    "/organise/invite/<uuid:invite>/revoke/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/t/<slug:slug>/referee-tables/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/table/<uuid:table>/referee/": {"GET": TABLE_ORGANISERS, "POST": ACCOUNT_NEVER},
    "/organise/stage/<uuid:stage>/referees/": {"GET": ACCOUNT_NEVER, "POST": ORGANISERS},
    "/organise/role/<uuid:membership>/revoke/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/stage/<uuid:stage>/": {"GET": HEADS, "POST": ORGANISERS},
    "/organise/t/<slug:slug>/stages/add/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/stage/<uuid:stage>/source/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/stage/<uuid:stage>/tie-break/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/stage/<uuid:stage>/start/": {"GET": HEADS, "POST": HEADS},
    "/organise/stage/<uuid:stage>/finish/": {"GET": HEADS, "POST": HEADS},
    "/organise/stage/<uuid:stage>/reopen/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/stage/<uuid:stage>/fill/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/stage/<uuid:stage>/choose/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/stage/<uuid:stage>/call/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/stage/<uuid:stage>/reserves/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/stage/<uuid:stage>/seats/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/stage/<uuid:stage>/codes/": {"GET": HEADS, "POST": ACCOUNT_NEVER},
    "/organise/stage/<uuid:stage>/second-look/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/stage/<uuid:stage>/players-clock/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/stage/<uuid:stage>/open-tables/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/stage/<uuid:stage>/freeze/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/stage/<uuid:stage>/freeze/lift/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/stage/<uuid:stage>/reveal/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/stage/<uuid:stage>/reveal/begin/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/t/<slug:slug>/apart/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/apart/<uuid:pair>/no-more/": {"GET": ORGANISERS, "POST": ORGANISERS},
}

# Ways in which the admin lets people handle the rows of each model.
USERS, CHANGED, ENTERED, GRANTED, ADDED_OWN, LOOKED_AT, LOOKED_AT_OWN = (
    "users",
    "changed",
    "entered",
    "granted",
    "added, seen by its own",
    "seen",
    "seen by its own",
)
MODELS = {
    "user": USERS,
    "tournament": CHANGED,
    **dict.fromkeys(["stage", "session", "heats", "match", "final", "race", "races"], CHANGED),
    "entry": ENTERED,
    "membership": GRANTED,
    "player": ADDED_OWN,
    **dict.fromkeys(
        [
            "season",
            "seasonevening",
            "draw",
            "apart",
            "different",
            "invite",
            "incident",
            "webhook",
            "delivery",
        ],
        LOOKED_AT_OWN,
    ),
    **dict.fromkeys(
        [
            "organiser",
            "table",
            "seat",
            "play",
            "result",
            "decision",
            "registration",
            "tick",
            "proposal",
            "call",
            "screen",
            "announcement",
            "hallclock",
            "pastresult",
            "apitoken",
            "ledgerrow",
            "ledgernote",
            "ledgercheck",
        ],
        LOOKED_AT,
    ),
}
ROW_OF_MODEL = "<path:object_id>/"


def row_of(path: str) -> Row | None:
    """The row of an address; None where it has none."""
    found = re.fullmatch(r"/admin/tournament/(\w+)/(.*)", path)
    if not found or path in ROWS:
        return ROWS.get(path)
    kind, page = MODELS.get(found[1]), found[2]
    if kind is None:
        return None
    if kind == USERS:
        both: Row = {"GET": ADMINS, "POST": ADMINS}
        return {"GET": LOOK, "POST": LOOK} if page == ROW_OF_MODEL else both
    look = LOOK_OWN if kind in {ADDED_OWN, LOOKED_AT_OWN} else LOOK
    return {
        "": {"GET": LOOK, "POST": LOOK},
        ROW_OF_MODEL: {"GET": LOOK, "POST": LOOK},
        "add/": dict.fromkeys(("GET", "POST"), _who_adds(found[1], kind)),
        ROW_OF_MODEL + "history/": {"GET": look, "POST": look},
        ROW_OF_MODEL + "delete/": dict.fromkeys(
            ("GET", "POST"), ADMINS if kind in {ENTERED, GRANTED} else NOT_HERE
        ),
        ROW_OF_MODEL + "change/": {"GET": look, "POST": ADMINS if kind in {CHANGED, ENTERED} else NOT_HERE},
    }.get(page)


def _who_adds(model: str, kind: str) -> Who:
    """Staff add events, and to events that they organise."""
    if model == "tournament":
        return LOOK
    return ADMINS if kind in {CHANGED, ENTERED, GRANTED, ADDED_OWN} else NOT_HERE


# The roles that may read each secret in an event where they have the role; staff and site admins have theirs
# everywhere. The holder of links has one player's own and one table's.
REFEREES = {TABLE, HEAD, ORGANISER, STAFF, ADMIN}
THOSE_WHO_RUN_IT = {HEAD, ORGANISER, STAFF, ADMIN}
NOBODY: set[str] = set()
MAY_READ: dict[str, set[str]] = {
    "own birth date": {LINK, ORGANISER, ADMIN},
    "own answer": {LINK, ORGANISER, ADMIN},
    "answers": {ORGANISER, ADMIN},
    "own contact": {LINK, ORGANISER, ADMIN},
    "own name": {LINK, *THOSE_WHO_RUN_IT},  # behind a nickname
    "birth dates": {ORGANISER, ADMIN},
    "contacts": {ORGANISER, ADMIN},
    "names": THOSE_WHO_RUN_IT,
    "who asks": {PROGRAM, *THOSE_WHO_RUN_IT},  # to take part
    "own link": {LINK, ORGANISER, ADMIN},
    "others' links": {ORGANISER, ADMIN},
    "table's code": {LINK, *REFEREES},
    "table's short code": {LINK, *REFEREES},
    "other table's code": THOSE_WHO_RUN_IT,
    "invite's link": {LINK, ORGANISER, ADMIN},
    "invite's label": {ORGANISER, ADMIN},
    "frozen": {LINK, PROGRAM, *REFEREES},  # at one's own table
    "rulings": {PROGRAM, *REFEREES},
    "incident": {PROGRAM, *REFEREES},
    "other table's incident": {PROGRAM, *REFEREES},  # so that every table judges alike
    "reasons": {PROGRAM, *REFEREES},
    "webhook's address": {ORGANISER, ADMIN},
    "webhook's secret": NOBODY,
    "token's digest": NOBODY,
    "token's secret": NOBODY,
    "password": NOBODY,
    "mail": NOBODY,
}

# Statements that a safe request may write: when a token was last used.
MAY_WRITE = {PROGRAM: {"tournament_apitoken"}}

# Files that an organiser takes home to show to others, of extras: written as everybody may read them.
AS_EVERYBODY: set[str] = set()

# Addresses answered in front of Django, and to whom: streams to everybody, numbers to addresses that the operator
# named.
IN_FRONT = {"/live/": 200, "/healthz": 200, "/readyz": 200, "/metrics": 404}

# The extras' rows stand in the `roles.py` of their tests.
for name in EXTRAS:
    if find_spec(f"tests.extras.{name}.roles"):
        of_extra = import_module(f"tests.extras.{name}.roles")
        ROWS |= of_extra.ROWS
        NEEDS_ACCOUNT |= getattr(of_extra, "NEEDS_ACCOUNT", {})
        AS_EVERYBODY |= getattr(of_extra, "AS_EVERYBODY", set())
        MAY_READ |= getattr(of_extra, "MAY_READ", {})
if "programs" not in EXTRAS:  # what others add to the API goes with it
    ROWS = {path: row for path, row in ROWS.items() if not path.startswith("/api/")}
