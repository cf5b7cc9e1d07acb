from django.db import migrations


def proxy(name, plural):
    return migrations.CreateModel(
        name=name,
        fields=[],
        options={
            'verbose_name': name.lower(),
            'verbose_name_plural': plural,
            'proxy': True,
            'indexes': [],
            'constraints': [],
        },
        bases=('tournament.stage',),
    )


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0012_event_face'),
    ]

    operations = [
        proxy('Final', 'finals'),
        proxy('Heats', 'heats'),
        proxy('Match', 'matches'),
        proxy('Session', 'sessions'),
    ]
