from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("tournament", "0023_players_clock"),
    ]

    operations = [
        migrations.AddField(
            model_name="stage",
            name="source",
            field=models.JSONField(blank=True, default=dict, editable=False, verbose_name="where the players come from"),
        ),
        migrations.AddField(
            model_name="entry",
            name="division",
            field=models.CharField(blank=True, max_length=40, verbose_name="division"),
        ),
    ]
