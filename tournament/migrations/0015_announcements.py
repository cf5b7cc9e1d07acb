import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0014_questions'),
    ]

    operations = [
        migrations.CreateModel(
            name='Announcement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('words', models.JSONField(default=dict, verbose_name='in words')),
                ('at', models.DateTimeField(verbose_name='time')),
                ('until', models.DateTimeField(blank=True, null=True, verbose_name='until')),
                ('down_at', models.DateTimeField(blank=True, null=True, verbose_name='taken down')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='announcements', to='tournament.tournament', verbose_name='tournament')),
            ],
            options={
                'verbose_name': 'announcement',
                'verbose_name_plural': 'announcements',
                'ordering': ['tournament_id', 'id'],
            },
        ),
    ]
