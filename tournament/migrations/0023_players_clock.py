from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("tournament", "0022_past_results"),
    ]

    operations = [
        migrations.AddField(
            model_name="stage",
            name="players_clock",
            field=models.BooleanField(default=False, verbose_name="players run the clock"),
        ),
    ]
