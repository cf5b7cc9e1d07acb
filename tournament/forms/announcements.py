"""Form of an announcement: a text per language, and how long it stands."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import get_language_info, gettext_lazy as _, ngettext

from tournament.models import Tournament

UNTIL_DOWN = "down"
MINUTES = (5, 15, 30, 60)
AT_FIRST = "15"


class AnnouncementForm(forms.Form):
    """A field per language, the event's first. Only the action limits the length: `maxlength` would cut pasted text."""

    minutes = forms.ChoiceField(
        label=_("Shown for"),
        # per form: a text with a count cannot be lazy
        choices=lambda: [
            *((str(n), ngettext("%(n)d minute", "%(n)d minutes", n) % {"n": n}) for n in MINUTES),
            (UNTIL_DOWN, _("Until you remove it")),
        ],
        initial=AT_FIRST,
        widget=forms.RadioSelect,
    )

    def __init__(self, tournament: Tournament, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        others = [code for code, _name in settings.LANGUAGES if code != tournament.language]
        for code in (tournament.language, *others):
            self.fields[code] = forms.CharField(
                label=_("Announcement")
                if code == tournament.language
                else get_language_info(code)["name_local"].capitalize(),
                required=code == tournament.language,
                widget=forms.Textarea(attrs={"rows": 2, "lang": code, "dir": "auto"}),
            )
        self.order_fields([tournament.language, *others, "minutes"])
        self._codes = (tournament.language, *others)

    @property
    def first(self) -> forms.BoundField:
        return self[self._codes[0]]

    @property
    def others(self) -> list[forms.BoundField]:
        return [self[code] for code in self._codes[1:]]

    @property
    def opened(self) -> bool:
        """Whether another language has text or errors."""
        return any(field.value() or field.errors for field in self.others)

    def arguments(self) -> dict[str, Any]:
        """Arguments of `announce`."""
        minutes = self.cleaned_data["minutes"]
        return {
            "words": {code: self.cleaned_data[code] for code in self._codes},
            "minutes": None if minutes == UNTIL_DOWN else int(minutes),
        }
