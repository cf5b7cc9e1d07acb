from django.db import migrations, models


def proxy(name, plural, label):
    return migrations.CreateModel(
        name=name,
        fields=[],
        options={
            'verbose_name': label,
            'verbose_name_plural': plural,
            'proxy': True,
            'indexes': [],
            'constraints': [],
        },
        bases=('tournament.stage',),
    )


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0026_seasons'),
    ]

    operations = [
        proxy('Race', 'races', 'race'),
        proxy('Races', 'races at each table', 'race at each table'),
        migrations.RemoveConstraint(
            model_name='stage',
            name='stage_kind',
        ),
        migrations.AlterField(
            model_name='stage',
            name='kind',
            field=models.CharField(choices=[('session', 'Session'), ('heats', 'Heats'), ('match', 'Match'), ('final', 'Final'), ('race', 'Race'), ('races', 'Race at each table')], max_length=8, verbose_name='kind'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['session', 'heats', 'match', 'final', 'race', 'races'])), name='stage_kind'),
        ),
    ]
