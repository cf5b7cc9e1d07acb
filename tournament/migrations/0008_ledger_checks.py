import django.db.models.deletion
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0007_wrong_tries'),
    ]

    operations = [
        migrations.CreateModel(
            name='LedgerCheck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('taken_at', models.DateTimeField(verbose_name='begun')),
                ('at', models.DateTimeField(blank=True, null=True, verbose_name='checked')),
                ('rows', models.PositiveBigIntegerField(default=0, verbose_name='rows')),
                ('head', models.CharField(blank=True, max_length=64, verbose_name='digest of the last row')),
                ('findings', models.JSONField(default=list, verbose_name='found')),
                ('found_at', models.DateTimeField(blank=True, null=True, verbose_name='found at')),
                ('tournament', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='ledger_check', to='tournament.tournament')),
            ],
            options={
                'verbose_name': 'check of a ledger',
                'verbose_name_plural': 'checks of ledgers',
                'ordering': ['tournament_id'],
            },
        ),
    ]
