"""The demo: five believable events, and the referee who runs them.

    earlier.json  a KPGUT session of four weeks ago, finished, by some who play again now
    kpgut.json    a KPGUT session over an evening, to be finished
    mattel.json   a Mattel match to 500 that one more round may decide
    tite.json     a championship from six heats to a final in progress
    open.json     a KPGUT session in a week, open for registration

Each file in fixtures/demo lists an event's steps (tournament/practice/demo/event.py); everything is written by actions.
"""

import secrets
from itertools import count
from pathlib import Path
from uuid import uuid5

from django.conf import settings

from tournament.models import User
from tournament.practice import DEMO

NAMES = ("earlier", "kpgut", "mattel", "tite", "open")
REFEREE = uuid5(DEMO, "referee")  # its uid: somebody else may be called so
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that look alike on a phone


def make_demo() -> int:
    """Make the missing parts of the demo; gives the number of steps done. A second call does nothing."""
    from tournament.practice.demo.event import play, read  # and every action

    referee = _referee()
    done = sum(play(read(name), referee) for name in NAMES)
    _give_password(referee)
    return done


def sign_in_words() -> str | None:
    """Say how to sign in as the demo's referee; None until the demo is made."""
    referee = User.objects.filter(uid=REFEREE).first()
    path = password_path()
    if referee is None or not path.exists():
        return None
    password = path.read_text().strip()
    said = password if referee.check_password(password) else "that you chose"
    return f"Sign in as {referee.username} with the password {said}"


def password_path() -> Path:
    """Give the file of the demo referee's password, which only its owner can read."""
    return Path(settings.DATA_DIR) / "demo-referee"


def _referee() -> User:
    referee = User.objects.filter(uid=REFEREE).first()
    if referee is None:
        referee = User(
            uid=REFEREE, username=_free_name(), first_name="Demo", last_name="Referee", is_staff=True
        )
        referee.set_unusable_password()
        referee.save()
    return referee


def _free_name() -> str:
    """Give "referee", or another name where a person has that one, so that nobody's account is taken over."""
    names = ("referee" if number == 1 else f"demo-referee-{number}" for number in count(1))
    return next(name for name in names if not User.objects.filter(username=name).exists())


def _give_password(referee: User) -> None:
    """Make the password once; the file is written last, so that its presence says that everything is made."""
    path = password_path()
    if path.exists() and referee.has_usable_password():
        return
    password = "-".join("".join(secrets.choice(LETTERS) for _letter in range(5)) for _group in range(2))
    referee.set_password(password)
    referee.save(update_fields=["password"])
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_text(password + "\n")
