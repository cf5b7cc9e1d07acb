from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0017_words'),
    ]

    operations = [
        migrations.AddField(
            model_name='play',
            name='other_start',
            field=models.DateTimeField(blank=True, null=True, verbose_name='or started'),
        ),
    ]
