"""Proxy models of `Stage` for the admin; ledger, archive and undo use `Stage` only."""

from typing import ClassVar, TypeVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.stage import Stage

Kind = TypeVar("Kind", bound=Stage)


class _OfKind(models.Manager[Kind]):
    def __init__(self, kind: Stage.Kind) -> None:
        super().__init__()
        self._kind = kind

    def get_queryset(self) -> models.QuerySet[Kind]:
        return super().get_queryset().filter(kind=self._kind)


class Session(Stage):
    """Games with averaged points; seats change between games."""

    objects: ClassVar[_OfKind["Session"]] = _OfKind(Stage.Kind.SESSION)  # type: ignore[assignment]  # of the proxy

    class Meta:
        proxy = True
        verbose_name = _("session")
        verbose_name_plural = _("sessions")


class Heats(Stage):
    """One play per table decides who goes through."""

    objects: ClassVar[_OfKind["Heats"]] = _OfKind(Stage.Kind.HEATS)  # type: ignore[assignment]  # of the proxy

    class Meta:
        proxy = True
        verbose_name = _("heats")
        verbose_name_plural = _("heats")


class Match(Stage):
    """Rounds to a target, a match per table."""

    objects: ClassVar[_OfKind["Match"]] = _OfKind(Stage.Kind.MATCH)  # type: ignore[assignment]  # of the proxy

    class Meta:
        proxy = True
        verbose_name = _("match")
        verbose_name_plural = _("matches")


class Final(Stage):
    """Rounds to a target at one table."""

    objects: ClassVar[_OfKind["Final"]] = _OfKind(Stage.Kind.FINAL)  # type: ignore[assignment]  # of the proxy

    class Meta:
        proxy = True
        verbose_name = _("final")
        verbose_name_plural = _("finals")


class Race(Stage):
    """Hands at changing tables, one race over all of them."""

    objects: ClassVar[_OfKind["Race"]] = _OfKind(Stage.Kind.RACE)  # type: ignore[assignment]  # of the proxy

    class Meta:
        proxy = True
        verbose_name = _("race")
        verbose_name_plural = _("races")


class Races(Stage):
    """Hands at tables, a race per table."""

    objects: ClassVar[_OfKind["Races"]] = _OfKind(Stage.Kind.RACES)  # type: ignore[assignment]  # of the proxy

    class Meta:
        proxy = True
        verbose_name = _("race at each table")
        verbose_name_plural = _("races at each table")
