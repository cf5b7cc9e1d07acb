"""Demo: six events and their referee, from fixtures/demo, written by actions (event.py).

earlier.json  finished KPGUT session, four weeks ago
kpgut.json    KPGUT session, to be finished
mattel.json   Mattel match to 500, one round short
tite.json     championship, heats to a final in progress
race.json     race over three tables in new company, one game short
open.json     KPGUT session in a week, registration open
"""

import secrets
from itertools import count
from pathlib import Path
from uuid import uuid5

from django.conf import settings

from tournament.models import User
from tournament.practice import DEMO

DEMO_EVENTS = ("earlier", "kpgut", "mattel", "tite", "race", "open")
REFEREE = uuid5(DEMO, "referee")  # by uid: the username may be taken
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # no lookalikes


def make_demo() -> int:
    """Create missing parts; returns the number of steps done. Idempotent."""
    from tournament.practice.demo.event import play, read  # imports all actions

    referee = _referee()
    done = sum(play(read(name), referee) for name in DEMO_EVENTS)
    _give_password(referee)
    return done


def sign_in_words() -> str | None:
    """How to sign in as the referee; None without a demo."""
    referee = User.objects.filter(uid=REFEREE).first()
    path = password_path()
    if referee is None or not path.exists():
        return None
    password = path.read_text().strip()
    said = password if referee.check_password(password) else "that you chose"
    return f"Sign in as {referee.username} with the password {said}"


def password_path() -> Path:
    """Password file, private to its owner."""
    return Path(settings.DATA_DIR) / "demo-referee"


def _referee() -> User:
    referee = User.objects.filter(uid=REFEREE).first()
    if referee is None:
        names = ("referee" if number == 1 else f"demo-referee-{number}" for number in count(1))
        free = next(name for name in names if not User.objects.filter(username=name).exists())
        referee = User(uid=REFEREE, username=free, first_name="Demo", last_name="Referee", is_staff=True)
        referee.set_unusable_password()
        referee.save()
    return referee


def _give_password(referee: User) -> None:
    """The file, written last, marks completion."""
    path = password_path()
    if path.exists() and referee.has_usable_password():
        return
    password = "-".join("".join(secrets.choice(LETTERS) for _letter in range(5)) for _group in range(2))
    referee.set_password(password)
    referee.save(update_fields=["password"])
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_text(password + "\n")
