"""What stands after a public name where others of the event have one that reads the same."""

import unicodedata
from collections import Counter

from django.db import migrations, models


def name_suffixes(apps, schema_editor):
    """As the program did when this was written; a command that touches an entry of the event does it again."""
    entries = apps.get_model("tournament", "Entry").objects.exclude(state="cancelled")
    rows = [
        (pk, (event, read(name)), read(club))
        for pk, event, name, club in entries.values_list("pk", "tournament_id", "public_name", "club")
    ]
    names = Counter(name for _pk, name, _club in rows)
    clubs = Counter((name, club) for _pk, name, club in rows)
    for pk, name, club in rows:
        if names[name] > 1:
            suffix = "club" if club and clubs[name, club] == 1 else "number"
            entries.filter(pk=pk).update(name_suffix=suffix)


def read(text):
    letters = unicodedata.normalize("NFKD", text).casefold()
    return " ".join("".join(each for each in letters if unicodedata.category(each) not in {"Mn", "Cf"}).split())


class Migration(migrations.Migration):

    dependencies = [
        ("tournament", "0019_other_start"),
    ]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="name_suffix",
            field=models.CharField(blank=True, choices=[("club", "club or group"), ("number", "start number")], editable=False, max_length=6),
        ),
        migrations.RunPython(name_suffixes, migrations.RunPython.noop, elidable=False),
    ]
