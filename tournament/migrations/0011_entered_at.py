from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0010_short_codes'),
    ]

    operations = [
        migrations.AddField(
            model_name='play',
            name='entered_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='first entered'),
        ),
    ]
