import django.core.validators
import django.db.models.deletion
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0021_webhook_kinds'),
    ]

    operations = [
        migrations.CreateModel(
            name='PastResult',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('place', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='place')),
                ('points', models.CharField(blank=True, max_length=15, validators=[django.core.validators.RegexValidator('\\A-?[0-9]{1,9}(\\.[0-9]{1,4})?\\Z')], verbose_name='points')),
                ('average', models.CharField(blank=True, max_length=15, validators=[django.core.validators.RegexValidator('\\A-?[0-9]{1,9}(\\.[0-9]{1,4})?\\Z')], verbose_name='average')),
                ('games', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='games')),
                ('wins', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='wins')),
                ('note', models.CharField(blank=True, max_length=1000, verbose_name='note')),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='past_results', to='tournament.entry', verbose_name='participant')),
            ],
            options={
                'verbose_name': 'result from a file',
                'verbose_name_plural': 'results from a file',
                'ordering': [models.OrderBy(models.F('place'), nulls_last=True), 'pk'],
                'constraints': [models.UniqueConstraint(fields=('entry',), name='past_result_once')],
            },
        ),
    ]
