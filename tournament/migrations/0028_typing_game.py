from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("tournament", "0027_races"),
    ]

    operations = [
        migrations.AddField(
            model_name="typing",
            name="game",
            field=models.TextField(blank=True, default=""),
            preserve_default=False,
        ),
    ]
