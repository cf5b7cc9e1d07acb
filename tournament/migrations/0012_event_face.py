import django.core.validators
import django.db.models.deletion
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0011_entered_at'),
    ]

    operations = [
        migrations.AddField(
            model_name='tournament',
            name='bring',
            field=models.CharField(blank=True, max_length=300, verbose_name='bring along'),
        ),
        migrations.AddField(
            model_name='tournament',
            name='colour',
            field=models.CharField(blank=True, max_length=7, validators=[django.core.validators.RegexValidator('\\A#[0-9a-f]{6}\\Z')], verbose_name='colour'),
        ),
        migrations.AddField(
            model_name='tournament',
            name='description',
            field=models.TextField(blank=True, validators=[django.core.validators.MaxLengthValidator(5000)], verbose_name='description'),
        ),
        migrations.AddField(
            model_name='tournament',
            name='doors_at',
            field=models.TimeField(blank=True, null=True, verbose_name='doors open'),
        ),
        migrations.AddField(
            model_name='tournament',
            name='fee',
            field=models.CharField(blank=True, max_length=100, verbose_name='fee'),
        ),
        migrations.AddField(
            model_name='tournament',
            name='logo',
            field=models.CharField(blank=True, editable=False, max_length=64, validators=[django.core.validators.RegexValidator('\\A[0-9a-f]{64}\\Z')]),
        ),
        migrations.AddField(
            model_name='tournament',
            name='starts_at',
            field=models.TimeField(blank=True, null=True, verbose_name='start'),
        ),
        migrations.CreateModel(
            name='Logo',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('content', models.BinaryField(max_length=150000)),
                ('tournament', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='picture', to='tournament.tournament', verbose_name='tournament')),
            ],
            options={
                'abstract': False,
            },
        ),
    ]
