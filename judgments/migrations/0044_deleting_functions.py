"""Campaigns are deleted and persons erased by functions of the owner of the tables, which write down
what they do; the role that serves can neither delete what is only ever added, nor write that record.

Functions name the schema of the tables and look at temporary tables last: PostgreSQL else looks
there first, and anybody may make a table of any name there. They take a moment, and lock nothing.
"""

import django.db.models.deletion
from django.db import migrations, models

# What is counted and how chains ended is found here, not said by who calls. `head` is the SHA-256
# of the chains as JSON without spaces, as `judgments.models.chains.publication.head_of` has it.
DELETE_CAMPAIGN = """
CREATE FUNCTION judgments_delete_campaign(which bigint, who text, why text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    ends jsonb;
    recorded jsonb;
BEGIN
    PERFORM FROM judgments_campaign WHERE id = which AND status <> 'open' FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'There is no campaign % that is not open.', which
            USING ERRCODE = 'restrict_violation', HINT = 'Close the campaign first.';
    END IF;
    SELECT coalesce(
        jsonb_agg(jsonb_build_array(task_id, length, encode(head, 'hex')) ORDER BY task_id), '[]'
    ) INTO ends FROM judgments_chain WHERE campaign_id = which;
    SELECT coalesce(
        jsonb_agg(jsonb_build_array(task_id, place, encode(hash, 'hex')) ORDER BY task_id), '[]'
    ) INTO recorded FROM (
        SELECT DISTINCT ON (task_id) task_id, place, hash FROM judgments_campaignrecord
        WHERE campaign_id = which ORDER BY task_id, place DESC
    ) AS last;
    INSERT INTO judgments_deletedcampaign (
        campaign, name, test_set, preset, simulated, judgments, annotators, tasks,
        head, chains, record, deleted_by, reason, deleted_at
    ) SELECT
        which, name, test_set_id, preset, simulated,
        (SELECT count(*) FROM judgments_judgment WHERE campaign_id = which),
        (SELECT count(DISTINCT annotator_id) FROM judgments_judgment WHERE campaign_id = which),
        (SELECT count(*) FROM judgments_task WHERE campaign_id = which),
        encode(sha256(convert_to(replace(ends::text, ', ', ','), 'UTF8')), 'hex'),
        ends, recorded, who, why, clock_timestamp()
    FROM judgments_campaign WHERE id = which;

    DELETE FROM judgments_grade AS t USING judgments_answer AS a, judgments_judgment AS j
        WHERE t.answer_id = a.id AND a.judgment_id = j.id AND j.campaign_id = which;
    DELETE FROM judgments_rating AS t USING judgments_judgment AS j
        WHERE t.judgment_id = j.id AND j.campaign_id = which;
    DELETE FROM judgments_preference AS t USING judgments_judgment AS j
        WHERE t.judgment_id = j.id AND j.campaign_id = which;
    DELETE FROM judgments_errorspan AS t USING judgments_judgment AS j
        WHERE t.judgment_id = j.id AND j.campaign_id = which;
    DELETE FROM judgments_postedit AS t USING judgments_judgment AS j
        WHERE t.judgment_id = j.id AND j.campaign_id = which;
    DELETE FROM judgments_answer AS t USING judgments_judgment AS j
        WHERE t.judgment_id = j.id AND j.campaign_id = which;
    DELETE FROM judgments_alignmentlink AS t USING judgments_judgment AS j
        WHERE t.judgment_id = j.id AND j.campaign_id = which;
    DELETE FROM judgments_shownhints AS t USING judgments_judgment AS j
        WHERE t.judgment_id = j.id AND j.campaign_id = which;
    DELETE FROM judgments_judgment WHERE campaign_id = which;
    DELETE FROM judgments_seal AS t USING judgments_chain AS c
        WHERE t.task_id = c.task_id AND c.campaign_id = which;
    DELETE FROM judgments_chain WHERE campaign_id = which;
    DELETE FROM judgments_recordedpart WHERE campaign_id = which;
    DELETE FROM judgments_campaignrecord WHERE campaign_id = which;
    DELETE FROM judgments_decision WHERE campaign_id = which;
    DELETE FROM judgments_removeditem WHERE campaign_id = which;
    DELETE FROM judgments_consentrecord WHERE campaign_id = which;
    DELETE FROM judgments_qualityrule WHERE campaign_id = which;
    DELETE FROM judgments_registeredplan WHERE campaign_id = which;
END $$;
REVOKE ALL ON FUNCTION judgments_delete_campaign FROM PUBLIC;
"""

# The hashes of what the judgments said come from who calls; wrong ones break the chains, as an
# altered judgment does.
ERASE = """
CREATE FUNCTION judgments_erase(
    which bigint, who text, why text, what jsonb, ids bigint[], digests bytea[]
) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    made bigint;
BEGIN
    IF EXISTS (SELECT FROM judgments_membership WHERE user_id = which AND role <> 'annotator') THEN
        RAISE EXCEPTION 'Account % does more than judge.', which
            USING ERRCODE = 'restrict_violation', HINT = 'Only annotators are erased.';
    END IF;
    IF cardinality(ids) <> cardinality(digests) OR EXISTS (
        SELECT FROM unnest(ids) AS given(id)
        LEFT JOIN judgments_judgment AS judgment ON judgment.id = given.id
        WHERE judgment.annotator_id IS DISTINCT FROM which
    ) THEN
        RAISE EXCEPTION 'These are not all judgments of account %, each with its hash.', which
            USING ERRCODE = 'restrict_violation';
    END IF;
    INSERT INTO judgments_erasure (account, erased_by, reason, erased_at, judgments, others)
    SELECT which, who, why, clock_timestamp(), coalesce(jsonb_object_agg(campaign_id::text, n), '{}'), what
    FROM (
        SELECT campaign_id, count(*) AS n FROM judgments_judgment WHERE id = ANY(ids)
        GROUP BY campaign_id
    ) AS counted
    RETURNING id INTO made;
    INSERT INTO judgments_erasedjudgment (judgment_id, digest, erasure_id)
    SELECT id, digest, made FROM unnest(ids, digests) AS given(id, digest);

    DELETE FROM judgments_grade AS t USING judgments_answer AS a
        WHERE t.answer_id = a.id AND a.judgment_id = ANY(ids);
    DELETE FROM judgments_rating WHERE judgment_id = ANY(ids);
    DELETE FROM judgments_preference WHERE judgment_id = ANY(ids);
    DELETE FROM judgments_errorspan WHERE judgment_id = ANY(ids);
    DELETE FROM judgments_postedit WHERE judgment_id = ANY(ids);
    DELETE FROM judgments_answer WHERE judgment_id = ANY(ids);
    DELETE FROM judgments_alignmentlink WHERE judgment_id = ANY(ids);
    DELETE FROM judgments_shownhints WHERE judgment_id = ANY(ids);
    DELETE FROM judgments_judgment WHERE id = ANY(ids);
    RETURN made;
END $$;
REVOKE ALL ON FUNCTION judgments_erase FROM PUBLIC;
"""

SEARCH_PATH = """
DO $$
DECLARE
    each regprocedure;
BEGIN
    FOR each IN
        SELECT oid FROM pg_proc
        WHERE pronamespace = current_schema()::regnamespace AND proname IN (
            'judgments_refuse', 'judgments_refuse_unlisted', 'judgments_refuse_undeleted',
            'judgments_refuse_consent', 'judgments_require_gone',
            'judgments_delete_campaign', 'judgments_erase'
        )
    LOOP
        EXECUTE format(
            'ALTER FUNCTION %s SET search_path = %I, pg_temp', each, current_schema()
        );
    END LOOP;
END $$;
"""


def protected(model: str, name: str, to: str, **others) -> migrations.AlterField:
    """Django asks whether there are such rows, where it would delete them otherwise."""
    field = models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to=to, **others)
    return migrations.AlterField(model_name=model, name=name, field=field)


class Migration(migrations.Migration):
    dependencies = [("judgments", "0043_downloads")]

    operations = [
        protected("consentrecord", "campaign", "judgments.campaign", related_name="consents"),
        protected("qualityrule", "campaign", "judgments.campaign", related_name="quality_rules"),
        protected(
            "registeredplan", "campaign", "judgments.campaign", related_name="stopping_plans"
        ),
        protected("removeditem", "segment", "judgments.segment", related_name="+"),
        protected(
            "removeditem", "system", "judgments.system", related_name="+", null=True, blank=True
        ),
        migrations.RunSQL(DELETE_CAMPAIGN, "DROP FUNCTION judgments_delete_campaign;"),
        migrations.RunSQL(ERASE, "DROP FUNCTION judgments_erase;"),
        migrations.RunSQL(SEARCH_PATH, migrations.RunSQL.noop),
    ]
