"""Forms for exporting and importing an archive."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.extras.archive.files.schema import People

MOST_BYTES = 15 * 1024 * 1024  # bytes; the front takes 16 MB

PEOPLE = [
    (People.EVERYTHING.value, _("Everything, to restore the event as it was")),
    (
        People.PUBLIC_NAMES.value,
        _("Without real names, birth dates, contact details and notes about people"),
    ),
    (People.ANONYMOUS.value, _("Also without public names and clubs (“Player 7”)")),
]


class ExportForm(forms.Form):
    """Choice of the personal data in an archive."""

    people = forms.ChoiceField(
        label=_("Personal data in the file"),
        choices=PEOPLE,
        initial=People.EVERYTHING.value,
        widget=forms.RadioSelect,
    )


class ImportForm(forms.Form):
    """The uploaded archive."""

    file = forms.FileField(
        label=_("Archive"),
        error_messages={"required": _("Choose a file first.")},
        allow_empty_file=True,  # reading it gives a better error
        widget=forms.FileInput(attrs={"accept": ".zip"}),
        help_text=_(
            "A .zip from Lastcard, at most 15 MB. For a larger one, ask whoever runs this Lastcard server."
        ),
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MOST_BYTES:  # the upload handler has discarded it
            raise forms.ValidationError(
                _("The file is larger than 15 MB. Ask whoever runs this Lastcard server for help.")
            )
        return file
