"""Forms for the export of an archive, with how much it tells about people, and for the import of one."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.files.archive.schema import People

MOST_BYTES = 15 * 1024 * 1024  # of an archive that comes through a page; the front takes a body of 16 MB

PEOPLE = [
    (People.EVERYTHING.value, _("Everything, to bring the event back as it was")),
    (
        People.PUBLIC_NAMES.value,
        _("Without real names, birth dates, contacts and what was written about people"),
    ),
    (People.ANONYMOUS.value, _("Without public names and clubs too: “Player 7”")),
]


class ExportForm(forms.Form):
    """How much an archive tells about people."""

    people = forms.ChoiceField(
        label=_("What it tells of people"),
        choices=PEOPLE,
        initial=People.EVERYTHING.value,
        widget=forms.RadioSelect,
    )


class CopyForm(forms.Form):
    """Whether the archive lies beside the copied pages."""

    archive = forms.BooleanField(
        label=_("The archive beside the pages"),
        required=False,
        help_text=_(
            "Without personal data, but with every penalty and the pairs kept apart. Leave it out of a copy that you"
            " publish."
        ),
    )


class ImportForm(forms.Form):
    """The archive that somebody brings."""

    file = forms.FileField(
        label=_("Archive"),
        error_messages={"required": _("Choose a file first.")},
        allow_empty_file=True,  # reading it says so in better words
        widget=forms.FileInput(attrs={"accept": ".zip"}),
        help_text=_(
            "A .zip that Lastcard made, at most 15 MB. For a larger one, ask whoever runs this Lastcard."
        ),
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MOST_BYTES:  # its content was dropped as it arrived
            raise forms.ValidationError(_("The file is larger than 15 MB."))
        return file
