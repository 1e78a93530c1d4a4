from pathlib import Path

import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import judgments.models.campaign
import judgments.models.notices
from django.conf import settings
from django.db import migrations, models

ONLY_ADDED = (Path(__file__).parent / 'only_added.sql').read_text(encoding='utf-8')


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('judgments', '0001_initial'),
        ('judgments', '0002_targeted_references'),
        ('judgments', '0003_decisions'),
        ('judgments', '0004_observations'),
        ('judgments', '0005_stopping_plans'),
        ('judgments', '0006_spending'),
        ('judgments', '0007_append_only'),
        ('judgments', '0008_first_chains'),
        ('judgments', '0009_links_and_devices'),
        ('judgments', '0010_tokens'),
        ('judgments', '0011_audit_log'),
        ('judgments', '0012_test_sets_without_texts'),
        ('judgments', '0013_empty_spans'),
        ('judgments', '0014_exclusions'),
        ('judgments', '0015_deletions'),
        ('judgments', '0016_release'),
        ('judgments', '0017_published_figures'),
        ('judgments', '0018_uploads'),
        ('judgments', '0019_plans_and_controls'),
        ('judgments', '0020_registered_controls'),
        ('judgments', '0021_verdict_rules'),
        ('judgments', '0022_people_and_pay'),
        ('judgments', '0023_watching'),
        ('judgments', '0024_indexes_of_controls'),
        ('judgments', '0025_segment_marks'),
        ('judgments', '0026_system_facts'),
        ('judgments', '0027_figure_addresses'),
        ('judgments', '0028_goes_on'),
        ('judgments', '0029_glosses'),
        ('judgments', '0030_media'),
        ('judgments', '0031_sentence_steps'),
        ('judgments', '0032_one_index_each'),
        ('judgments', '0033_media_lengths'),
        ('judgments', '0034_unfinished_tasks'),
        ('judgments', '0035_judgments_of_a_campaign'),
        ('judgments', '0036_word_links'),
        ('judgments', '0037_control_systems'),
        ('judgments', '0038_refusals'),
        ('judgments', '0039_campaign_records'),
        ('judgments', '0040_append_only_decisions'),
        ('judgments', '0041_first_records'),
        ('judgments', '0042_mail_tries'),
        ('judgments', '0043_downloads'),
        ('judgments', '0044_deleting_functions'),
        ('judgments', '0045_brought_texts'),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Answer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField(blank=True)),
                ('is_right', models.BooleanField(blank=True, null=True)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Attempts',
            fields=[
                ('key', models.CharField(max_length=80, primary_key=True, serialize=False)),
                ('count', models.IntegerField()),
                ('ends_at', models.DateTimeField(db_index=True)),
            ],
            options={
                'verbose_name_plural': 'attempts',
            },
        ),
        migrations.CreateModel(
            name='Campaign',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200)),
                ('protocol', models.CharField(max_length=40)),
                ('preset', models.CharField(max_length=60)),
                ('options', models.JSONField(blank=True, default=dict)),
                ('plan', models.JSONField(blank=True, default=dict)),
                ('instructions', models.JSONField(blank=True, default=dict)),
                ('staffing', models.JSONField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict, editable=False)),
                ('guideline_version', models.PositiveIntegerField(default=1)),
                ('status', models.CharField(choices=[('draft', 'Draft'), ('open', 'Open'), ('paused', 'Paused'), ('closed', 'Closed')], default='draft', max_length=10)),
                ('simulated', models.BooleanField(default=False, help_text='Judgments made up by a program.')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='DeletedCampaign',
            fields=[
                ('campaign', models.BigIntegerField(primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=200)),
                ('test_set', models.BigIntegerField()),
                ('preset', models.CharField(max_length=60)),
                ('simulated', models.BooleanField()),
                ('judgments', models.PositiveIntegerField()),
                ('annotators', models.PositiveIntegerField()),
                ('tasks', models.PositiveIntegerField()),
                ('head', models.CharField(max_length=64)),
                ('chains', models.JSONField(default=list)),
                ('record', models.JSONField(db_default=models.Value([], models.JSONField()), default=list)),
                ('deleted_by', models.CharField(max_length=150)),
                ('reason', models.TextField()),
                ('deleted_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'ordering': ['deleted_at'],
            },
        ),
        migrations.CreateModel(
            name='Document',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200)),
                ('domain', models.CharField(blank=True, max_length=100)),
                ('original_language', models.CharField(blank=True, max_length=35, validators=[django.core.validators.RegexValidator('^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', 'Use a language tag such as de, pt-BR or zh-Hant.')])),
                ('position', models.PositiveIntegerField()),
            ],
            options={
                'ordering': ['position'],
            },
        ),
        migrations.CreateModel(
            name='Erasure',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('account', models.BigIntegerField()),
                ('erased_by', models.CharField(max_length=150)),
                ('reason', models.TextField()),
                ('erased_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('judgments', models.JSONField(default=dict)),
                ('others', models.JSONField(default=dict)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Item',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField()),
                ('kind', models.CharField(choices=[('regular', 'Regular'), ('repeat', 'Repeat'), ('reference', 'Reference'), ('degraded', 'Degraded'), ('control', 'Control'), ('tutorial', 'Tutorial'), ('check', 'Attention check')], default='regular', max_length=10)),
                ('part', models.CharField(blank=True, max_length=40)),
                ('control_kind', models.CharField(blank=True, choices=[('regular', 'Regular'), ('repeat', 'Repeat'), ('reference', 'Reference'), ('degraded', 'Degraded'), ('control', 'Control'), ('tutorial', 'Tutorial'), ('check', 'Attention check')], db_default='', default='', max_length=10)),
                ('is_judged', models.BooleanField(default=False)),
                ('is_skipped', models.BooleanField(db_default=False, default=False)),
            ],
            options={
                'ordering': ['task', 'position'],
            },
        ),
        migrations.CreateModel(
            name='Output',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField(blank=True)),
            ],
            options={
                'ordering': ['segment', 'system'],
            },
        ),
        migrations.CreateModel(
            name='Segment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=200)),
                ('position', models.PositiveIntegerField()),
                ('source', models.TextField()),
                ('gloss', models.TextField(blank=True, db_default='', default='')),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='segments', to='judgments.document')),
            ],
            options={
                'ordering': ['position'],
            },
        ),
        migrations.CreateModel(
            name='System',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200)),
                ('copies_reference', models.CharField(blank=True, db_default='', default='', editable=False, max_length=100)),
            ],
            options={
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='Act',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('request', models.CharField(blank=True, max_length=64)),
                ('account', models.CharField(max_length=150)),
                ('user', models.BigIntegerField(null=True)),
                ('role', models.CharField(max_length=20)),
                ('act', models.CharField(max_length=100)),
                ('result', models.CharField(choices=[('done', 'Done'), ('refused', 'Refused'), ('failed', 'Failed'), ('begun', 'Begun')], max_length=10)),
                ('campaign', models.BigIntegerField(null=True)),
                ('test_set', models.BigIntegerField(null=True)),
                ('objects_named', models.JSONField(default=dict)),
                ('facts', models.JSONField(default=dict)),
            ],
            options={
                'ordering': ['-pk'],
                'indexes': [models.Index(fields=['campaign', 'id'], name='acts_of_campaign'), models.Index(fields=['test_set', 'id'], name='acts_of_test_set')],
            },
        ),
        migrations.CreateModel(
            name='AlteredOutput',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField()),
                ('rule', models.CharField(choices=[('wmt16', 'Phrase replaced, lengths of WMT16'), ('appraise', 'Phrase replaced, lengths of Appraise'), ('crowd-alone', 'Phrase deleted, lengths of Graham et al. (2015)'), ('loud', 'Check that says so'), ('silent', "Check: another text's translation"), ('brought', 'Brought with judgments')], max_length=20)),
                ('start', models.PositiveIntegerField(blank=True, null=True)),
                ('end', models.PositiveIntegerField(blank=True, null=True)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='altered_outputs', to='judgments.campaign')),
                ('output', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='judgments.output')),
                ('donor', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='judgments.segment')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='AlignerRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('purpose', models.CharField(choices=[('proposal', 'Links to begin with'), ('reading', 'Links for readers'), ('comparison', 'Links to compare people with')], max_length=12)),
                ('model', models.CharField(blank=True, max_length=20)),
                ('method', models.CharField(blank=True, max_length=30)),
                ('turn', models.PositiveIntegerField(default=1)),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed')], default='waiting', max_length=10)),
                ('problem', models.TextField(blank=True)),
                ('n_pairs', models.PositiveIntegerField(default=0)),
                ('n_given', models.PositiveIntegerField(default=0)),
                ('n_cut', models.PositiveIntegerField(default=0)),
                ('n_texts', models.PositiveIntegerField(default=0)),
                ('n_done', models.PositiveIntegerField(default=0)),
                ('moved_at', models.DateTimeField(auto_now=True)),
                ('campaign', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='aligner_runs', to='judgments.campaign')),
            ],
            options={
                'ordering': ['campaign', 'purpose'],
            },
        ),
        migrations.CreateModel(
            name='CampaignRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('campaign_id', models.BigIntegerField()),
                ('task_id', models.BigIntegerField(db_default=0, default=0)),
                ('place', models.PositiveIntegerField()),
                ('act', models.CharField(max_length=60)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('parts', models.JSONField()),
                ('hash', models.BinaryField(max_length=32)),
            ],
            options={
                'ordering': ['campaign_id', 'task_id', 'place'],
                'constraints': [models.UniqueConstraint(fields=('campaign_id', 'task_id', 'place'), name='record_place_once')],
            },
        ),
        migrations.CreateModel(
            name='Chain',
            fields=[
                ('task_id', models.BigIntegerField(primary_key=True, serialize=False)),
                ('length', models.PositiveIntegerField()),
                ('head', models.BinaryField(max_length=32)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='chains', to='judgments.campaign')),
            ],
            options={
                'ordering': ['campaign', 'task_id'],
            },
        ),
        migrations.CreateModel(
            name='ClashMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=80)),
                ('is_flagged', models.BooleanField(default=False)),
                ('comment', models.TextField(blank=True)),
                ('marked_at', models.DateTimeField(auto_now_add=True)),
                ('campaign', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='clash_marks', to='judgments.campaign')),
                ('marked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Decision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('dimension', models.CharField(blank=True, db_default='', default='', max_length=40)),
                ('excluded', models.BooleanField()),
                ('reason', models.TextField()),
                ('decided_at', models.DateTimeField(auto_now_add=True)),
                ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to=settings.AUTH_USER_MODEL)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='judgments.campaign')),
                ('decided_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Download',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('archive', 'archive.zip'), ('all-results', 'campaign.json'), ('release', 'release.zip'), ('release-hashes', 'release.zip, with hashes in place of the texts')], max_length=20)),
                ('query', models.TextField(blank=True)),
                ('site', models.CharField(max_length=300)),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed')], default='waiting', max_length=10)),
                ('problem', models.TextField(blank=True)),
                ('n_bytes', models.PositiveBigIntegerField(default=0)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('moved_at', models.DateTimeField(auto_now_add=True)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='downloads', to='judgments.campaign')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='downloads', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='DownloadPiece',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField()),
                ('content', models.BinaryField()),
                ('download', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='pieces', to='judgments.download')),
            ],
            options={
                'ordering': ['position'],
            },
        ),
        migrations.CreateModel(
            name='ErasedJudgment',
            fields=[
                ('judgment_id', models.BigIntegerField(primary_key=True, serialize=False)),
                ('digest', models.BinaryField(max_length=32)),
                ('erasure', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='erased', to='judgments.erasure')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='FigureAddress',
            fields=[
                ('code', models.CharField(max_length=16, primary_key=True, serialize=False)),
                ('page', models.CharField(blank=True, max_length=50)),
                ('slug', models.CharField(blank=True, max_length=200)),
                ('query', models.TextField(blank=True)),
                ('version', models.CharField(max_length=40)),
                ('seed', models.BigIntegerField()),
                ('fingerprint', models.CharField(max_length=64)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='figure_addresses', to='judgments.campaign')),
            ],
            options={
                'ordering': ['created_at', 'code'],
            },
        ),
        migrations.CreateModel(
            name='Grade',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_right', models.BooleanField()),
                ('graded_at', models.DateTimeField(auto_now_add=True)),
                ('answer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='grades', to='judgments.answer')),
                ('grader', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('owner', 'Owner'), ('researcher', 'Researcher'), ('annotator', 'Annotator')], default='annotator', max_length=10)),
                ('token', models.CharField(default=judgments.models.campaign.new_token, editable=False, max_length=64, unique=True)),
                ('note', models.CharField(blank=True, max_length=200)),
                ('sheet', models.PositiveIntegerField(blank=True, editable=False, null=True)),
                ('name', models.CharField(blank=True, db_default='', default='', max_length=150)),
                ('email', models.EmailField(blank=True, db_default='', default='', max_length=254)),
                ('alias', models.CharField(blank=True, db_default='', default='', max_length=60)),
                ('mail_state', models.CharField(blank=True, choices=[('', 'Not mailed'), ('waiting', 'Waiting'), ('sent', 'Sent'), ('failed', 'Failed')], db_default='', default='', editable=False, max_length=10)),
                ('mailed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('mail_tries', models.PositiveSmallIntegerField(db_default=0, default=0, editable=False)),
                ('mail_problem', models.CharField(blank=True, db_default='', default='', editable=False, max_length=300)),
                ('max_uses', models.PositiveIntegerField(blank=True, null=True)),
                ('uses', models.PositiveIntegerField(default=0, editable=False)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('closed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='judgments.campaign')),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Judgment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveSmallIntegerField(default=1)),
                ('client_key', models.UUIDField(unique=True)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('submitted_at', models.DateTimeField(blank=True, null=True)),
                ('active_ms', models.PositiveIntegerField(blank=True, null=True)),
                ('guideline_version', models.PositiveIntegerField(default=1)),
                ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='judgments', to=settings.AUTH_USER_MODEL)),
                ('campaign', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='judgments', to='judgments.campaign')),
                ('item', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='judgments', to='judgments.item')),
                ('supersedes', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='superseded_by', to='judgments.judgment')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.AddField(
            model_name='answer',
            name='judgment',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='judgments.judgment'),
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('owner', 'Owner'), ('researcher', 'Researcher'), ('annotator', 'Annotator')], max_length=10)),
                ('alias', models.CharField(max_length=150)),
                ('token', models.CharField(default=judgments.models.campaign.new_token, editable=False, max_length=64, unique=True)),
                ('joined_at', models.DateTimeField(auto_now_add=True)),
                ('n_practiced', models.PositiveSmallIntegerField(db_default=0, default=0)),
                ('removed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('link_used_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('link_revoked_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('link_is_passed_on', models.BooleanField(db_default=False, default=False, editable=False)),
                ('external_ids', models.JSONField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict, editable=False)),
                ('consent_version', models.PositiveIntegerField(blank=True, editable=False, null=True)),
                ('about', models.JSONField(blank=True, editable=False, null=True)),
                ('campaign', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='judgments.campaign')),
                ('invitation', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='brought', to='judgments.invitation')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['alias'],
            },
        ),
        migrations.CreateModel(
            name='DeviceMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('browser', 'Same browser'), ('network', 'Same network and kind of browser')], max_length=10)),
                ('mark', models.CharField(db_index=True, max_length=64)),
                ('first_seen', models.DateTimeField()),
                ('last_seen', models.DateTimeField(db_index=True)),
                ('accepted_at', models.DateTimeField(blank=True, null=True)),
                ('membership', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='marks', to='judgments.membership')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='ConsentRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('language', models.CharField(max_length=10)),
                ('text', models.TextField()),
                ('accepted', models.BooleanField()),
                ('recorded_at', models.DateTimeField(auto_now_add=True)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='consents', to='judgments.campaign')),
                ('membership', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='consents', to='judgments.membership')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.AddField(
            model_name='campaign',
            name='members',
            field=models.ManyToManyField(related_name='campaigns', through='judgments.Membership', to=settings.AUTH_USER_MODEL),
        ),
        migrations.CreateModel(
            name='Note',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('skip', 'Skipped'), ('flag', 'Flagged')], max_length=10)),
                ('reason', models.CharField(blank=True, choices=[('source', 'The source cannot be understood'), ('language', 'A text is not in its language'), ('topic', 'I do not know enough about the topic'), ('offensive', 'The text is offensive'), ('technical', 'The page does not work'), ('other', 'Something else')], max_length=20)),
                ('comment', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('resolved_at', models.DateTimeField(blank=True, null=True)),
                ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notes', to='judgments.item')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='NoticeRule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('way', models.CharField(choices=[('mail', 'Mail'), ('webhook', 'Webhook')], max_length=10)),
                ('address', models.CharField(max_length=500)),
                ('site', models.CharField(blank=True, max_length=200)),
                ('on_complete', models.BooleanField(default=True)),
                ('on_flag', models.BooleanField(default=True)),
                ('secret', models.CharField(default=judgments.models.notices.new_secret, editable=False, max_length=64)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notice_rules', to='judgments.campaign')),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('event', models.CharField(choices=[('complete', 'The campaign is complete'), ('flag', 'An annotator is flagged')], max_length=10)),
                ('about', models.CharField(max_length=200)),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('sent', 'Sent'), ('failed', 'Failed')], default='waiting', max_length=10)),
                ('n_tries', models.PositiveSmallIntegerField(default=0)),
                ('problem', models.CharField(blank=True, max_length=300)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('sent_at', models.DateTimeField(blank=True, null=True)),
                ('rule', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='judgments.noticerule')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='ItemOutput',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField()),
                ('altered', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='shown', to='judgments.alteredoutput')),
                ('item', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='shown', to='judgments.item')),
                ('output', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='judgments.output')),
            ],
            options={
                'ordering': ['item', 'position'],
            },
        ),
        migrations.AddField(
            model_name='item',
            name='control_output',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='judgments.output'),
        ),
        migrations.AddField(
            model_name='item',
            name='outputs',
            field=models.ManyToManyField(related_name='items', through='judgments.ItemOutput', to='judgments.output'),
        ),
        migrations.AddField(
            model_name='answer',
            name='output',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='judgments.output'),
        ),
        migrations.CreateModel(
            name='AlignmentLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('source_token', models.PositiveIntegerField()),
                ('target_token', models.PositiveIntegerField()),
                ('is_sure', models.BooleanField(default=True)),
                ('is_copy', models.BooleanField(db_default=False, default=False)),
                ('judgment', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='links', to='judgments.judgment')),
                ('output', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='links', to='judgments.output')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='OutputLinks',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('method', models.CharField(max_length=30)),
                ('links', models.TextField(blank=True)),
                ('hints', models.TextField(blank=True)),
                ('digest', models.CharField(max_length=16)),
                ('altered', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='judgments.alteredoutput')),
                ('output', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='judgments.output')),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='linked', to='judgments.alignerrun')),
            ],
            options={
                'ordering': ['run', 'output', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='PostEdit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('outcome', models.CharField(choices=[('edited', 'Edited'), ('no_correction', 'No correction needed'), ('unable', 'Unable to correct')], max_length=20)),
                ('text', models.TextField(blank=True)),
                ('keystrokes', models.PositiveIntegerField(blank=True, null=True)),
                ('active_ms', models.PositiveIntegerField(blank=True, null=True)),
                ('is_copy', models.BooleanField(db_default=False, default=False)),
                ('judgment', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='edits', to='judgments.judgment')),
                ('output', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='edits', to='judgments.output')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Practice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField()),
                ('source', models.TextField(blank=True)),
                ('reference', models.TextField(blank=True)),
                ('outputs', models.JSONField(default=list)),
                ('expected', models.JSONField(blank=True, default=dict)),
                ('feedback', models.TextField(blank=True)),
                ('campaign', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='practices', to='judgments.campaign')),
            ],
            options={
                'ordering': ['campaign', 'position'],
            },
        ),
        migrations.CreateModel(
            name='Preference',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('value', models.SmallIntegerField()),
                ('strength', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('judgment', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='preferences', to='judgments.judgment')),
                ('output_a', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='judgments.output')),
                ('output_b', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='judgments.output')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='PrefilledLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('source_token', models.PositiveIntegerField()),
                ('target_token', models.PositiveIntegerField()),
                ('is_sure', models.BooleanField(default=True)),
                ('campaign', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='prefilled_links', to='judgments.campaign')),
                ('output', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='judgments.output')),
            ],
            options={
                'ordering': ['output', 'source_token', 'target_token'],
            },
        ),
        migrations.CreateModel(
            name='PrefilledSpan',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('side', models.CharField(default='target', max_length=10)),
                ('start', models.PositiveIntegerField()),
                ('end', models.PositiveIntegerField()),
                ('severity', models.CharField(max_length=20)),
                ('category', models.CharField(blank=True, max_length=120)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='prefilled_spans', to='judgments.campaign')),
                ('output', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='judgments.output')),
            ],
            options={
                'ordering': ['output', 'start', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='ErrorSpan',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('side', models.CharField(choices=[('target', 'Translation'), ('source', 'Source'), ('missing', 'Missing')], default='target', max_length=10)),
                ('start', models.PositiveIntegerField()),
                ('end', models.PositiveIntegerField()),
                ('severity', models.CharField(max_length=20)),
                ('category', models.CharField(blank=True, max_length=120)),
                ('is_copy', models.BooleanField(db_default=False, default=False)),
                ('judgment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='spans', to='judgments.judgment')),
                ('output', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='spans', to='judgments.output')),
                ('prefill', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='judgments.prefilledspan')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='PublishedFigure',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('figure', models.CharField(max_length=60)),
                ('dimension', models.CharField(blank=True, max_length=40)),
                ('of', models.CharField(blank=True, max_length=500)),
                ('text', models.CharField(max_length=60)),
                ('file', models.CharField(max_length=255)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='published_figures', to='judgments.campaign')),
            ],
            options={
                'ordering': ['campaign', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='QualityRule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField(blank=True)),
                ('seconds_per_word', models.FloatField(blank=True, null=True)),
                ('least_checks', models.FloatField(blank=True, null=True)),
                ('degraded_level', models.FloatField(blank=True, null=True)),
                ('most_deviation', models.FloatField(blank=True, null=True)),
                ('least_references', models.FloatField(blank=True, null=True)),
                ('n_judgments', models.PositiveIntegerField(help_text='How many judgments there were then.')),
                ('written_at', models.DateTimeField(auto_now_add=True)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='quality_rules', to='judgments.campaign')),
                ('written_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Question',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField()),
                ('level', models.PositiveSmallIntegerField(choices=[(1, 'Facts'), (2, 'Actors and events'), (3, 'Nuance and intent')])),
                ('text', models.TextField()),
                ('choices', models.JSONField(blank=True, default=list)),
                ('right', models.JSONField(blank=True, default=list)),
                ('campaign', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='questions', to='judgments.campaign')),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='judgments.document')),
            ],
            options={
                'ordering': ['document', 'position'],
            },
        ),
        migrations.AddField(
            model_name='answer',
            name='question',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='judgments.question'),
        ),
        migrations.CreateModel(
            name='Rating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('dimension', models.CharField(max_length=40)),
                ('value', models.FloatField()),
                ('is_copy', models.BooleanField(db_default=False, default=False)),
                ('judgment', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to='judgments.judgment')),
                ('output', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to='judgments.output')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='ReadingSettings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text_size', models.PositiveSmallIntegerField(default=100)),
                ('theme', models.CharField(choices=[('auto', 'Same as the device'), ('light', 'Light'), ('dark', 'Dark')], default='auto', max_length=10)),
                ('span_unit', models.CharField(choices=[('word', 'Whole words'), ('character', 'Single characters')], default='word', max_length=10)),
                ('goes_on', models.BooleanField(default=True)),
                ('language', models.CharField(blank=True, max_length=10)),
                ('sentence_steps', models.CharField(blank=True, choices=[('', 'As the campaign says'), ('on', 'Sentence by sentence'), ('off', 'The whole text at once')], db_default='', max_length=3)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='reading_settings', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='RecordedPart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('campaign_id', models.BigIntegerField()),
                ('record_id', models.BigIntegerField()),
                ('kind', models.CharField(max_length=20)),
                ('object_id', models.BigIntegerField()),
                ('content', models.TextField(blank=True)),
            ],
            options={
                'ordering': ['campaign_id', 'kind', 'object_id', 'record_id'],
                'constraints': [models.UniqueConstraint(fields=('campaign_id', 'kind', 'object_id', 'record_id'), name='recorded_once')],
            },
        ),
        migrations.CreateModel(
            name='Refusals',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('user', models.BigIntegerField()),
                ('act', models.CharField(max_length=100)),
                ('campaign', models.BigIntegerField(default=0)),
                ('test_set', models.BigIntegerField(default=0)),
                ('hour', models.DateTimeField()),
                ('times', models.PositiveIntegerField()),
                ('first', models.BigIntegerField(null=True)),
            ],
            options={
                'verbose_name_plural': 'refusals',
                'indexes': [models.Index(fields=['first'], name='refusals_of_act')],
                'constraints': [models.UniqueConstraint(fields=('user', 'act', 'campaign', 'test_set', 'hour'), name='one_count_an_hour')],
            },
        ),
        migrations.CreateModel(
            name='RegisteredPlan',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('aim', models.CharField(choices=[('all', 'Rank all systems'), ('best', 'Find the best system')], max_length=10)),
                ('dimension', models.CharField(help_text='Whose ratings are compared.', max_length=40)),
                ('unit', models.CharField(choices=[('documents', 'documents'), ('segments', 'segments'), ('blocks', 'blocks')], max_length=10)),
                ('block_length', models.PositiveIntegerField(default=0)),
                ('test', models.CharField(choices=[('signed-rank', 'signed ranks'), ('difference', 'mean difference')], default='difference', max_length=20)),
                ('looks', models.JSONField(help_text='How many of them are judged at each look, rising.')),
                ('most', models.PositiveIntegerField(help_text='How many are planned in all.')),
                ('n_systems', models.PositiveIntegerField(help_text='How many systems there were to compare.')),
                ('alpha', models.FloatField(default=0.05)),
                ('spending', models.CharField(choices=[('one-sided-form', 'Lan–DeMets, one-sided form'), ('obrien-fleming', "O'Brien–Fleming")], default='one-sided-form', max_length=20)),
                ('controls', models.JSONField(blank=True, default=list)),
                ('control', models.TextField(blank=True)),
                ('control_label', models.CharField(blank=True, max_length=200)),
                ('registered_at', models.DateTimeField(auto_now_add=True)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='stopping_plans', to='judgments.campaign')),
                ('registered_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Seal',
            fields=[
                ('judgment_id', models.BigIntegerField(primary_key=True, serialize=False)),
                ('task_id', models.BigIntegerField()),
                ('place', models.PositiveIntegerField()),
                ('hash', models.BinaryField(max_length=32)),
            ],
            options={
                'ordering': ['task_id', 'place'],
                'constraints': [models.UniqueConstraint(fields=('task_id', 'place'), name='seal_place_once')],
            },
        ),
        migrations.CreateModel(
            name='SegmentMedia',
            fields=[
                ('segment', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='media', serialize=False, to='judgments.segment')),
                ('start', models.FloatField(blank=True, null=True)),
                ('end', models.FloatField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Reference',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(default='ref', max_length=100)),
                ('text', models.TextField()),
                ('segment', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='references', to='judgments.segment')),
            ],
            options={
                'ordering': ['name'],
            },
        ),
        migrations.AddField(
            model_name='output',
            name='segment',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='outputs', to='judgments.segment'),
        ),
        migrations.AddField(
            model_name='item',
            name='segment',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='items', to='judgments.segment'),
        ),
        migrations.CreateModel(
            name='SegmentMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_flagged', models.BooleanField(default=False)),
                ('comment', models.TextField(blank=True)),
                ('marked_at', models.DateTimeField(auto_now_add=True)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='segment_marks', to='judgments.campaign')),
                ('marked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('segment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='marks', to='judgments.segment')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='ShownHints',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('places', models.TextField(blank=True)),
                ('judgment', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='hints', to='judgments.judgment')),
                ('output', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='judgments.output')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='SystemFacts',
            fields=[
                ('system', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='facts', serialize=False, to='judgments.system')),
                ('kind', models.CharField(blank=True, max_length=40)),
                ('parameters', models.BigIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1000000000000000)])),
                ('words_per_second', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1e-06), django.core.validators.MaxValueValidator(1000000000)])),
                ('is_human', models.BooleanField(blank=True, null=True)),
                ('is_control', models.BooleanField(db_default=False, default=False)),
            ],
        ),
        migrations.CreateModel(
            name='RemovedItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('removed', models.BooleanField(default=True)),
                ('reason', models.TextField()),
                ('decided_at', models.DateTimeField(auto_now_add=True)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='removed_items', to='judgments.campaign')),
                ('decided_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('segment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='judgments.segment')),
                ('system', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='judgments.system')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.AddField(
            model_name='output',
            name='system',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='outputs', to='judgments.system'),
        ),
        migrations.CreateModel(
            name='TargetedReference',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(default='post-edit', max_length=100)),
                ('text', models.TextField(blank=True)),
                ('output', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='targeted_references', to='judgments.output')),
            ],
            options={
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='Task',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('batch', models.PositiveIntegerField()),
                ('seat', models.PositiveIntegerField(default=1)),
                ('rest_of', models.PositiveIntegerField(blank=True, editable=False, null=True)),
                ('was_taken', models.BooleanField(db_default=False, default=False, editable=False)),
                ('claimed_at', models.DateTimeField(blank=True, null=True)),
                ('leased_until', models.DateTimeField(blank=True, null=True)),
                ('n_items', models.PositiveIntegerField(default=0)),
                ('n_judged', models.PositiveIntegerField(default=0)),
                ('n_skipped', models.PositiveIntegerField(db_default=0, default=0)),
                ('is_unfinished', models.GeneratedField(db_persist=True, expression=models.ExpressionWrapper(models.Q(('n_judged__lt', models.F('n_items'))), output_field=models.BooleanField()), output_field=models.BooleanField())),
                ('active_ms', models.PositiveBigIntegerField(default=0)),
                ('last_judged_at', models.DateTimeField(blank=True, null=True)),
                ('annotator', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='tasks', to=settings.AUTH_USER_MODEL)),
                ('campaign', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='tasks', to='judgments.campaign')),
            ],
            options={
                'ordering': ['campaign', 'batch', 'seat'],
            },
        ),
        migrations.AddField(
            model_name='item',
            name='task',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='items', to='judgments.task'),
        ),
        migrations.CreateModel(
            name='TestSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200)),
                ('source_language', models.CharField(max_length=35, validators=[django.core.validators.RegexValidator('^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', 'Use a language tag such as de, pt-BR or zh-Hant.')])),
                ('target_language', models.CharField(max_length=35, validators=[django.core.validators.RegexValidator('^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', 'Use a language tag such as de, pt-BR or zh-Hant.')])),
                ('note', models.TextField(blank=True)),
                ('gloss_language', models.CharField(blank=True, db_default='', default='', max_length=35, validators=[django.core.validators.RegexValidator('^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', 'Use a language tag such as de, pt-BR or zh-Hant.')])),
                ('has_texts', models.BooleanField(db_default=True, default=True, editable=False)),
                ('has_media', models.BooleanField(db_default=False, default=False, editable=False)),
                ('release', models.CharField(blank=True, max_length=40)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='test_sets', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
            },
        ),
        migrations.AddField(
            model_name='system',
            name='test_set',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='systems', to='judgments.testset'),
        ),
        migrations.AddField(
            model_name='segment',
            name='test_set',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='segments', to='judgments.testset'),
        ),
        migrations.CreateModel(
            name='MediaFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=400)),
                ('kind', models.CharField(max_length=20)),
                ('sha256', models.CharField(db_index=True, max_length=64)),
                ('n_bytes', models.PositiveBigIntegerField()),
                ('seconds', models.FloatField(blank=True, null=True)),
                ('test_set', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='media', to='judgments.testset')),
            ],
            options={
                'ordering': ['name'],
            },
        ),
        migrations.AddField(
            model_name='document',
            name='test_set',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='documents', to='judgments.testset'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='test_set',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='campaigns', to='judgments.testset'),
        ),
        migrations.CreateModel(
            name='Upload',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('n_files', models.PositiveIntegerField()),
                ('n_bytes', models.PositiveBigIntegerField()),
                ('answers', models.JSONField(default=dict)),
                ('keeps', models.BooleanField(default=False)),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('running', 'Running'), ('found', 'Looked at'), ('failed', 'Failed'), ('done', 'Done'), ('cancelled', 'Cancelled')], default='waiting', max_length=10)),
                ('n_rows', models.PositiveBigIntegerField(default=0)),
                ('moved_at', models.DateTimeField(auto_now_add=True)),
                ('outcome', models.JSONField(default=dict)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='uploads', to=settings.AUTH_USER_MODEL)),
                ('test_set', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to='judgments.testset')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='UploadPiece',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('file', models.PositiveIntegerField()),
                ('path', models.CharField(max_length=400)),
                ('position', models.PositiveIntegerField()),
                ('content', models.BinaryField()),
                ('upload', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='pieces', to='judgments.upload')),
            ],
            options={
                'ordering': ['file', 'position'],
            },
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('scope', models.CharField(choices=[('read', 'Read'), ('write', 'Read and write')], default='read', max_length=10)),
                ('digest', models.CharField(editable=False, max_length=64, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField()),
                ('last_used_at', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created_at'],
                'constraints': [models.UniqueConstraint(fields=('user', 'name'), name='one_token_of_a_name')],
            },
        ),
        migrations.AddConstraint(
            model_name='alignerrun',
            constraint=models.UniqueConstraint(fields=('campaign', 'purpose'), name='aligner_run_once'),
        ),
        migrations.AddIndex(
            model_name='clashmark',
            index=models.Index(fields=['campaign', 'key'], name='mark_of_clash'),
        ),
        migrations.AddConstraint(
            model_name='downloadpiece',
            constraint=models.UniqueConstraint(fields=('download', 'position'), name='download_piece_once'),
        ),
        migrations.AddIndex(
            model_name='judgment',
            index=models.Index(fields=['campaign', 'id'], name='judgment_of_campaign'),
        ),
        migrations.AddConstraint(
            model_name='judgment',
            constraint=models.UniqueConstraint(fields=('item', 'revision'), name='revision_once'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(fields=('campaign', 'user'), name='member_once'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(fields=('campaign', 'alias'), name='alias_once'),
        ),
        migrations.AddConstraint(
            model_name='devicemark',
            constraint=models.UniqueConstraint(fields=('membership', 'mark'), name='mark_once'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.UniqueConstraint(fields=('rule', 'event', 'about'), name='notice_once'),
        ),
        migrations.AddIndex(
            model_name='itemoutput',
            index=models.Index(condition=models.Q(('altered__isnull', False)), fields=['altered'], name='shown_altered'),
        ),
        migrations.AddConstraint(
            model_name='itemoutput',
            constraint=models.UniqueConstraint(fields=('item', 'position'), name='screen_place_once'),
        ),
        migrations.AddConstraint(
            model_name='itemoutput',
            constraint=models.UniqueConstraint(fields=('item', 'output'), name='shown_once'),
        ),
        migrations.AddConstraint(
            model_name='alignmentlink',
            constraint=models.UniqueConstraint(fields=('judgment', 'output', 'source_token', 'target_token'), name='link_once'),
        ),
        migrations.AddConstraint(
            model_name='outputlinks',
            constraint=models.UniqueConstraint(condition=models.Q(('altered', None)), fields=('run', 'output', 'method'), name='output_links_once'),
        ),
        migrations.AddConstraint(
            model_name='outputlinks',
            constraint=models.UniqueConstraint(condition=models.Q(('altered__isnull', False)), fields=('run', 'altered', 'method'), name='altered_links_once'),
        ),
        migrations.AddConstraint(
            model_name='postedit',
            constraint=models.UniqueConstraint(fields=('judgment', 'output'), name='edit_once'),
        ),
        migrations.AddConstraint(
            model_name='practice',
            constraint=models.UniqueConstraint(fields=('campaign', 'position'), name='practice_place_once'),
        ),
        migrations.AddConstraint(
            model_name='preference',
            constraint=models.UniqueConstraint(fields=('judgment', 'output_a', 'output_b'), name='preference_once'),
        ),
        migrations.AddConstraint(
            model_name='preference',
            constraint=models.CheckConstraint(condition=models.Q(('value__in', [-1, 0, 1])), name='preference_sign'),
        ),
        migrations.AddConstraint(
            model_name='preference',
            constraint=models.CheckConstraint(condition=models.Q(('output_a', models.F('output_b')), _negated=True), name='preference_of_two'),
        ),
        migrations.AddConstraint(
            model_name='prefilledlink',
            constraint=models.UniqueConstraint(fields=('campaign', 'output', 'source_token', 'target_token'), name='prefilled_link_once'),
        ),
        migrations.AddConstraint(
            model_name='errorspan',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('end', 0), ('side', 'missing'), ('start', 0)), models.Q(models.Q(('side', 'missing'), _negated=True), ('start__lte', models.F('end'))), _connector='OR'), name='span_in_order'),
        ),
        migrations.AddConstraint(
            model_name='question',
            constraint=models.UniqueConstraint(fields=('campaign', 'document', 'position'), name='question_place_once'),
        ),
        migrations.AddConstraint(
            model_name='answer',
            constraint=models.UniqueConstraint(fields=('judgment', 'question'), name='answer_once'),
        ),
        migrations.AddConstraint(
            model_name='rating',
            constraint=models.UniqueConstraint(fields=('judgment', 'output', 'dimension'), name='rating_once'),
        ),
        migrations.AddConstraint(
            model_name='rating',
            constraint=models.CheckConstraint(condition=models.Q(('value__gte', -1000000000.0), ('value__lte', 1000000000.0)), name='rating_finite'),
        ),
        migrations.AddField(
            model_name='segmentmedia',
            name='captions',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='captioned', to='judgments.mediafile'),
        ),
        migrations.AddField(
            model_name='segmentmedia',
            name='file',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='segments', to='judgments.mediafile'),
        ),
        migrations.AddConstraint(
            model_name='reference',
            constraint=models.UniqueConstraint(fields=('segment', 'name'), name='reference_once'),
        ),
        migrations.AddConstraint(
            model_name='shownhints',
            constraint=models.UniqueConstraint(fields=('judgment', 'output'), name='shown_hints_once'),
        ),
        migrations.AddField(
            model_name='systemfacts',
            name='post_edited_from',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='edited_by_people', to='judgments.system'),
        ),
        migrations.AddConstraint(
            model_name='output',
            constraint=models.UniqueConstraint(fields=('system', 'segment'), name='output_once'),
        ),
        migrations.AddConstraint(
            model_name='targetedreference',
            constraint=models.UniqueConstraint(fields=('output', 'name'), name='targeted_reference_once'),
        ),
        migrations.AddIndex(
            model_name='task',
            index=models.Index(fields=['annotator', 'campaign'], name='task_of_annotator'),
        ),
        migrations.AddIndex(
            model_name='task',
            index=models.Index(condition=models.Q(('is_unfinished', True)), fields=['campaign', 'batch', 'seat'], name='task_unfinished'),
        ),
        migrations.AddConstraint(
            model_name='task',
            constraint=models.UniqueConstraint(fields=('campaign', 'batch', 'seat'), name='seat_once'),
        ),
        migrations.AddConstraint(
            model_name='task',
            constraint=models.UniqueConstraint(fields=('campaign', 'batch', 'annotator'), name='one_seat_per_annotator'),
        ),
        migrations.AddConstraint(
            model_name='task',
            constraint=models.CheckConstraint(condition=models.Q(('n_judged__lte', models.F('n_items'))), name='judged_within_items'),
        ),
        migrations.AddIndex(
            model_name='item',
            index=models.Index(condition=models.Q(('is_judged', False)), fields=['task', 'position'], name='item_to_judge'),
        ),
        migrations.AddIndex(
            model_name='item',
            index=models.Index(condition=models.Q(('control_output__isnull', False)), fields=['control_output'], name='item_control_output'),
        ),
        migrations.AddConstraint(
            model_name='item',
            constraint=models.UniqueConstraint(fields=('task', 'position'), name='item_place_once'),
        ),
        migrations.AddConstraint(
            model_name='system',
            constraint=models.UniqueConstraint(fields=('test_set', 'name'), name='system_name_once'),
        ),
        migrations.AddConstraint(
            model_name='segment',
            constraint=models.UniqueConstraint(fields=('test_set', 'key'), name='segment_key_once'),
        ),
        migrations.AddConstraint(
            model_name='segment',
            constraint=models.UniqueConstraint(fields=('test_set', 'position'), name='segment_place_once'),
        ),
        migrations.AddConstraint(
            model_name='mediafile',
            constraint=models.UniqueConstraint(fields=('test_set', 'name'), name='media_file_once'),
        ),
        migrations.AddConstraint(
            model_name='document',
            constraint=models.UniqueConstraint(fields=('test_set', 'name'), name='document_name_once'),
        ),
        migrations.AddConstraint(
            model_name='document',
            constraint=models.UniqueConstraint(fields=('test_set', 'position'), name='document_place_once'),
        ),
        migrations.AddConstraint(
            model_name='uploadpiece',
            constraint=models.UniqueConstraint(fields=('upload', 'file', 'position'), name='upload_piece_once'),
        ),
        # Not undone by parts: all tables go, and with them their triggers.
        migrations.RunSQL(ONLY_ADDED, migrations.RunSQL.noop),
    ]
