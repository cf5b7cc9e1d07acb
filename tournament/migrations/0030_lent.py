from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("tournament", "0029_versions_told"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="lent",
            field=models.JSONField(blank=True, default=list, editable=False),
        ),
    ]
