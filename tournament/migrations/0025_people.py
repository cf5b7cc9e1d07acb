from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0024_sources'),
    ]

    operations = [
        migrations.AddField(
            model_name='player',
            name='left_out',
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.AddField(
            model_name='player',
            name='joined_to',
            field=models.UUIDField(blank=True, db_index=True, editable=False, null=True),
        ),
    ]
