import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('metrics', '0001_initial'),
        ('metrics', '0002_comparisons_and_corpora'),
        ('metrics', '0003_part_attempts'),
        ('metrics', '0004_levels'),
        ('metrics', '0005_one_index_each'),
        ('metrics', '0006_bitexts_and_linked_texts'),
        ('metrics', '0007_baseline_jobs'),
        ('metrics', '0001_squashed_0007_baseline_jobs'),
        ('metrics', '0008_metric_spans'),
    ]

    dependencies = [
        ('judgments', '0001_squashed_0074_words'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Bitext',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100)),
                ('source_language', models.CharField(max_length=35, validators=[django.core.validators.RegexValidator('^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', 'Use a language tag such as de, pt-BR or zh-Hant.')])),
                ('target_language', models.CharField(max_length=35, validators=[django.core.validators.RegexValidator('^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', 'Use a language tag such as de, pt-BR or zh-Hant.')])),
                ('data', models.BinaryField()),
                ('digest', models.CharField(max_length=64)),
                ('n_pairs', models.PositiveIntegerField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('owner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='bitexts', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='BaselineJob',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('name', models.CharField(max_length=200)),
                ('has_bitext', models.BooleanField(default=False)),
                ('seed', models.PositiveIntegerField(default=1)),
                ('status', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='queued', max_length=10)),
                ('step', models.CharField(blank=True, max_length=100)),
                ('total', models.PositiveIntegerField(default=0)),
                ('done', models.PositiveIntegerField(default=0)),
                ('message', models.TextField(blank=True)),
                ('made', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('moved_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('system', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='judgments.system')),
                ('test_set', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='baseline_jobs', to='judgments.testset')),
                ('bitext', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='metrics.bitext')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Comparison',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('references', models.JSONField()),
                ('signature', models.CharField(max_length=300)),
                ('unit', models.CharField(max_length=10)),
                ('fingerprint', models.CharField(max_length=64)),
                ('result', models.JSONField()),
                ('created_at', models.DateTimeField(auto_now=True)),
                ('test_set', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='comparisons', to='judgments.testset')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='LinkedTexts',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='queued', max_length=10)),
                ('total', models.PositiveIntegerField(default=0)),
                ('done', models.PositiveIntegerField(default=0)),
                ('message', models.TextField(blank=True)),
                ('moved_at', models.DateTimeField()),
                ('sides', models.JSONField(default=list)),
                ('n_segments', models.PositiveIntegerField(default=0)),
                ('n_cut', models.PositiveIntegerField(default=0)),
                ('texts_mark', models.CharField(blank=True, max_length=64)),
                ('data', models.BinaryField(default=bytes)),
                ('moses', models.BinaryField(default=bytes)),
                ('linked_at', models.DateTimeField(null=True)),
                ('bitext', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='linked_texts', to='metrics.bitext')),
                ('test_set', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='linked_texts', to='judgments.testset')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='MetricScore',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('references', models.JSONField()),
                ('metric', models.CharField(max_length=40)),
                ('options', models.JSONField()),
                ('signature', models.CharField(max_length=300)),
                ('segment_signature', models.CharField(max_length=300)),
                ('score', models.FloatField()),
                ('n_segments', models.PositiveIntegerField()),
                ('segment_data', models.BinaryField()),
                ('statistics_data', models.BinaryField(default=bytes)),
                ('statistics_width', models.PositiveIntegerField(default=0)),
                ('levels', models.JSONField(blank=True, default=dict)),
                ('texts_hash', models.CharField(max_length=64)),
                ('created_at', models.DateTimeField()),
                ('system', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='metric_scores', to='judgments.system')),
                ('test_set', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='metric_scores', to='judgments.testset')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='MetricSpans',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('data', models.JSONField()),
                ('n_errors', models.PositiveIntegerField()),
                ('score', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='spans', to='metrics.metricscore')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='MonolingualCorpus',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100)),
                ('language', models.CharField(max_length=35, validators=[django.core.validators.RegexValidator('^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', 'Use a language tag such as de, pt-BR or zh-Hant.')])),
                ('data', models.BinaryField()),
                ('digest', models.CharField(max_length=64)),
                ('n_lines', models.PositiveIntegerField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('owner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='monolingual_corpora', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='ScoringJob',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('metrics', models.JSONField()),
                ('references', models.JSONField()),
                ('status', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='queued', max_length=10)),
                ('total', models.PositiveIntegerField(default=0)),
                ('done', models.PositiveIntegerField(default=0)),
                ('message', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('moved_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('test_set', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='scoring_jobs', to='judgments.testset')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='ScoringPart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('metric_index', models.PositiveSmallIntegerField()),
                ('status', models.CharField(choices=[('waiting', 'Waiting'), ('done', 'Done'), ('failed', 'Failed')], default='waiting', max_length=10)),
                ('message', models.TextField(blank=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('is_slow', models.BooleanField(default=False)),
                ('job', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='metrics.scoringjob')),
                ('system', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='judgments.system')),
            ],
            options={
                'ordering': ['job', 'metric_index', 'system'],
            },
        ),
        migrations.AddConstraint(
            model_name='bitext',
            constraint=models.UniqueConstraint(fields=('owner', 'name'), name='bitext_name_once'),
        ),
        migrations.AddConstraint(
            model_name='comparison',
            constraint=models.UniqueConstraint(fields=('test_set', 'references', 'signature', 'unit'), name='comparison_once'),
        ),
        migrations.AddConstraint(
            model_name='linkedtexts',
            constraint=models.CheckConstraint(condition=models.Q(('test_set__isnull', True), ('bitext__isnull', True), _connector='XOR'), name='linked_texts_of_one'),
        ),
        migrations.AddIndex(
            model_name='metricscore',
            index=models.Index(fields=['test_set', 'metric'], name='metrics_met_test_se_db2ba2_idx'),
        ),
        migrations.AddConstraint(
            model_name='metricscore',
            constraint=models.UniqueConstraint(fields=('system', 'references', 'signature'), name='metric_score_once'),
        ),
        migrations.AddConstraint(
            model_name='monolingualcorpus',
            constraint=models.UniqueConstraint(fields=('owner', 'name'), name='corpus_name_once'),
        ),
        migrations.AddConstraint(
            model_name='scoringpart',
            constraint=models.UniqueConstraint(fields=('job', 'metric_index', 'system'), name='part_once'),
        ),
    ]
