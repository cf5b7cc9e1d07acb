"""What an archive holds: each kind of row, in the order in which they can be stored, and the type of each field.

A row of a kind is an object on one line of `rows/<kind>.jsonl`; the order of the lines is that in which they were
written. Rows name each other by uid (`of` says which kind). Nothing here knows the database: a test holds this table
against the models, so that a field which comes with a later version is added here or named in `LEFT_OUT`.

| type | in JSON |
| --- | --- |
| `uid`, `ref` | a UUID as text; a `ref` is the uid of another row |
| `text` | a text without the character 0 |
| `int`, `bool` | a number without a fraction; true or false |
| `date`, `moment` | ISO 8601; a moment in UTC to the microsecond |
| `object`, `list` | JSON of its own, see the models and docs/score-sheet.md |
"""

from dataclasses import dataclass
from enum import StrEnum

VERSION = 1  # of this schema; goes up when an older program could not read what is written, or would lose some of it

ROWS, SHEETS, ANSWERS = "rows", "sheets", "answers"
MANIFEST = "manifest.json"


class People(StrEnum):
    """How much of the people an archive tells."""

    EVERYTHING = "everything"
    PUBLIC_NAMES = "public names"  # no real names, birth dates, contacts, free texts about them
    ANONYMOUS = "anonymous"  # nor public names and clubs


class Tells(StrEnum):
    """What a field tells of a person, and so from which archives it is left out."""

    NOTHING = "nothing"
    PRIVATE = "private"
    PUBLIC = "public"


@dataclass(frozen=True, slots=True)
class Field:
    """A field's `type`; `of` is the kind of row that a ref names; `null` where there may be none."""

    type: str
    null: bool = False
    of: str = ""
    tells: Tells = Tells.NOTHING

    def left_out(self, people: People) -> bool:
        """Whether an archive that tells so much leaves this field's value out."""
        if self.tells is Tells.PRIVATE:
            return people is not People.EVERYTHING
        return self.tells is Tells.PUBLIC and people is People.ANONYMOUS


Kind = dict[str, Field]


def ref(of: str, *, null: bool = False) -> Field:
    return Field("ref", null, of)


UID, TEXT, INT, BOOL = Field("uid"), Field("text"), Field("int"), Field("bool")
DATE, MOMENT, OBJECT, LIST = Field("date"), Field("moment"), Field("object"), Field("list")
MAYBE_INT, MAYBE_MOMENT = Field("int", null=True), Field("moment", null=True)
PRIVATE_TEXT = Field("text", tells=Tells.PRIVATE)
PUBLIC_TEXT = Field("text", tells=Tells.PUBLIC)

# A row can be stored when those before it are, but for refs between rows of one kind, of which there are none.
KINDS: dict[str, Kind] = {
    "organiser": {"uid": UID, "name": PUBLIC_TEXT},  # of a table of friends it is one of them
    # Everybody who acted or has a role: no account, only the name under which the event knows them. `own_link` is the
    # one in whose name stands what players wrote by their links.
    "user": {"uid": UID, "name": PRIVATE_TEXT, "own_link": BOOL},
    "tournament": {
        "uid": UID,
        "organiser": ref("organiser"),
        "slug": TEXT,
        "name": TEXT,
        "starts_on": DATE,
        "place": TEXT,
        "time_zone": TEXT,
        "language": TEXT,
        "ruleset": TEXT,
        "ruleset_revision": TEXT,
        "state": TEXT,
        "listed": BOOL,
        "rehearsal": BOOL,
        "put_away": BOOL,
        "decks": MAYBE_INT,
        "version": INT,
        "ledger_head": TEXT,
    },
    "player": {
        "uid": UID,
        "organiser": ref("organiser"),
        "name": PRIVATE_TEXT,
        "birth_date": Field("date", null=True, tells=Tells.PRIVATE),
        "contact": PRIVATE_TEXT,
    },
    "entry": {
        "uid": UID,
        "tournament": ref("tournament"),
        "player": ref("player"),
        "public_name": PUBLIC_TEXT,
        "club": PUBLIC_TEXT,
        "start_number": INT,
        "state": TEXT,
        "guardian": BOOL,
        "accepted_at": MAYBE_MOMENT,
        "link_number": INT,
    },
    "apart": {"uid": UID, "tournament": ref("tournament"), "first": ref("entry"), "second": ref("entry")},
    "registration": {
        "uid": UID,
        "tournament": ref("tournament"),
        "opened": BOOL,
        "closes_at": MAYBE_MOMENT,
        "approval": BOOL,
        "most": MAYBE_INT,
        "check_in_from": MAYBE_MOMENT,
        "check_in_until": MAYBE_MOMENT,
        "terms": TEXT,
        "safer_space": TEXT,
        "contact_person": PRIVATE_TEXT,
    },
    "invite": {
        "uid": UID,
        "tournament": ref("tournament"),
        "role": TEXT,
        "tables": LIST,
        "label": PRIVATE_TEXT,
        "most": MAYBE_INT,
        "expires_at": MOMENT,
        "revoked_at": MAYBE_MOMENT,
    },
    "stage": {
        "uid": UID,
        "tournament": ref("tournament"),
        "number": INT,
        "kind": TEXT,
        "name": TEXT,
        "settings": OBJECT,
        "card_texts": LIST,
        "plan": OBJECT,
        "first_plan": OBJECT,
        "state": TEXT,
        "second_look": BOOL,
        "frozen_after": MAYBE_INT,
        "revealed": MAYBE_INT,
        "version": INT,
    },
    "draw": {"uid": UID, "stage": ref("stage"), "number": INT, "record": OBJECT},
    "table": {
        "uid": UID,
        "stage": ref("stage"),
        "number": INT,
        "stopped": BOOL,
        "oldest": ref("entry", null=True),
        "youngest": ref("entry", null=True),
        "starter": ref("entry", null=True),
        "link_number": INT,
    },
    "seat": {
        "uid": UID,
        "table": ref("table"),
        "entry": ref("entry"),
        "position": INT,
        "out_as": TEXT,
        "out_from": MAYBE_INT,
    },
    "play": {
        "uid": UID,
        "table": ref("table"),
        "number": INT,
        "state": TEXT,
        "started_at": MAYBE_MOMENT,
        "ended": TEXT,
        "duration_s": MAYBE_INT,
        "decks": MAYBE_INT,
        "last_cards": OBJECT,
        "drew": ref("entry", null=True),
        "advance": MAYBE_INT,
        "second_look": TEXT,
        "version": INT,
    },
    "result": {
        "uid": UID,
        "play": ref("play"),
        "entry": ref("entry"),
        "outcome": TEXT,
        "elapsed_s": MAYBE_INT,
        "hand": OBJECT,
        "finish": MAYBE_INT,
    },
    "decision": {
        "uid": UID,
        "stage": ref("stage"),
        "kind": TEXT,
        "entry": ref("entry"),
        "rank": MAYBE_INT,
    },
    "membership": {
        "uid": UID,
        "tournament": ref("tournament"),
        "user": ref("user"),
        "role": TEXT,
        "table": ref("table", null=True),
        "invite": ref("invite", null=True),
    },
    "tick": {
        "uid": UID,
        "tournament": ref("tournament"),
        "item": TEXT,
        "at": MOMENT,
        "by": ref("user"),
    },
    "proposal": {
        "uid": UID,
        "table": ref("table"),
        "number": INT,
        "play": UID,
        "fields": OBJECT,
        "state": TEXT,
        "at": MOMENT,
    },
    "call": {
        "uid": UID,
        "table": ref("table"),
        "kind": TEXT,
        "play": ref("play", null=True),
        "at": MOMENT,
        "answered_at": MAYBE_MOMENT,
        "answered_by": ref("user", null=True),
    },
    "incident": {
        "uid": UID,
        "tournament": ref("tournament"),
        "table": ref("table", null=True),
        "play": ref("play", null=True),
        "entry": ref("entry", null=True),
        "kind": TEXT,
        "code": TEXT,
        "cards": MAYBE_INT,
        "at": MOMENT,
        "by": ref("user"),
        "text": PRIVATE_TEXT,
        "ruling": PRIVATE_TEXT,
        "decided": TEXT,
        "yes": Field("bool", null=True),
        "votes_yes": MAYBE_INT,
        "votes_no": MAYBE_INT,
        "withdrawn": BOOL,
    },
    "screen": {
        "uid": UID,
        "tournament": ref("tournament"),
        "name": TEXT,
        "scenes": LIST,
        "stage": ref("stage", null=True),
        "seconds": INT,
    },
    "ledgerrow": {
        "uid": UID,
        "tournament": ref("tournament"),
        "sequence": INT,
        "at": MOMENT,
        "actor": ref("user"),
        "device": TEXT,
        "command": UID,
        "action": TEXT,
        "replaces": MAYBE_INT,
        "payload": OBJECT,
        "content": TEXT,
        "previous": TEXT,
        "digest": TEXT,
    },
    "ledgernote": {"uid": UID, "row": ref("ledgerrow"), "text": PRIVATE_TEXT},
}

# Kinds of rows that no archive holds, and why.
LEFT_OUT = {
    "apitoken": "a program's way in belongs to a person, not to an event",
    "delivery": "what became of a message to a webhook, which belongs to the server that sent it",
    "ledgercheck": "what the server that has the event saw of its ledger",
    "typing": "no fact: who types at this moment",
    "webhook": "holds a secret, and another server that told the same address would tell it twice",
    "wrongtries": "who tried a wrong password from where, which is no event's",
}


def rows_file(kind: str) -> str:
    """Where an archive keeps the rows of this kind."""
    return f"{ROWS}/{kind}.jsonl"


def contest_files(stage: int, table: int | None) -> tuple[str, str]:
    """Where an archive keeps a contest's score sheet and the answer to it; `table` where each table is a contest."""
    name = f"stage-{stage}.json" if table is None else f"stage-{stage}-table-{table}.json"
    return f"{SHEETS}/{name}", f"{ANSWERS}/{name}"
