"""The kinds of stages by the names that people look for: a session, heats, a match, a final.

They are views of the rows of `Stage`, for the admin. They hold nothing of their own: ledger, archive and undoing know
`Stage` alone.
"""

from typing import ClassVar, TypeVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.stage import Stage

Kind = TypeVar("Kind", bound=Stage)


class _OfKind(models.Manager[Kind]):
    """The stages of one kind."""

    def __init__(self, kind: Stage.Kind) -> None:
        super().__init__()
        self._kind = kind

    def get_queryset(self) -> models.QuerySet[Kind]:
        return super().get_queryset().filter(kind=self._kind)


class Session(Stage):
    """A stage of games whose points are averaged; seats change between games."""

    objects: ClassVar[_OfKind["Session"]] = _OfKind(Stage.Kind.SESSION)  # type: ignore[assignment]  # of the proxy

    class Meta:
        proxy = True
        verbose_name = _("session")
        verbose_name_plural = _("sessions")


class Heats(Stage):
    """A stage in which one play at each table says who goes through."""

    objects: ClassVar[_OfKind["Heats"]] = _OfKind(Stage.Kind.HEATS)  # type: ignore[assignment]  # of the proxy

    class Meta:
        proxy = True
        verbose_name = _("heats")
        verbose_name_plural = _("heats")


class Match(Stage):
    """A stage of rounds to a target, at each table by itself."""

    objects: ClassVar[_OfKind["Match"]] = _OfKind(Stage.Kind.MATCH)  # type: ignore[assignment]  # of the proxy

    class Meta:
        proxy = True
        verbose_name = _("match")
        verbose_name_plural = _("matches")


class Final(Stage):
    """The last stage: rounds to a target at one table."""

    objects: ClassVar[_OfKind["Final"]] = _OfKind(Stage.Kind.FINAL)  # type: ignore[assignment]  # of the proxy

    class Meta:
        proxy = True
        verbose_name = _("final")
        verbose_name_plural = _("finals")
