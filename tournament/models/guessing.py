"""Wrong tries at passwords, counted in the database so that every server process knows of them."""

from django.db import models

from tournament.models.base import FieldTable


class WrongTries(models.Model):
    """The tries in a row at one account from one place that were not right; see
    tournament/actions/upkeep/password_tries.py.

    `digest` is keyed, of the account and the place: neither names nor addresses lie here. No fact of a tournament, and
    gone a day after the last try.
    """

    digest = models.CharField(max_length=64, unique=True, editable=False)
    tries = models.PositiveIntegerField()
    at = models.DateTimeField(db_index=True)
    until = models.DateTimeField()  # no other try before

    FIELDS = FieldTable(apart="who tried a wrong password from where, which is no event's")

    def __str__(self) -> str:
        return f"{self.tries} until {self.until}"
