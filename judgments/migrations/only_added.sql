-- What the database itself holds, whoever asks: judgments, what hangs on them, decisions, rules and
-- logs are only ever added. Rows leave with a person who is listed as erased or a campaign that is
-- listed as deleted, through two functions of the owner of the tables, which write down what they do;
-- the role that serves can neither delete such rows, nor write those lists.
--
-- Triggers are of whole statements, and none looks at an INSERT. Functions name the schema of the
-- tables and look at temporary tables last: PostgreSQL else looks there first, and anybody may make a
-- table of any name there.

-- Counters of attempts may be lost in a crash.
ALTER TABLE judgments_attempts SET UNLOGGED;

-- A copy of the demo on a public demo server may leave: `judgments_forget_demo` below.
CREATE FUNCTION judgments_refuse() RETURNS trigger LANGUAGE plpgsql
    SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'DELETE' AND TG_LEVEL = 'STATEMENT'
        AND current_setting('mteval.forgets_demo', true) = 'on'
        AND current_user = (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = TG_RELID)
    THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'Rows of % are only ever added: % refused.', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'restrict_violation',
              HINT = 'A revision is another judgment. A person''s data are erased with '
                     'manage.py erase_annotator.';
END $$;

CREATE FUNCTION judgments_refuse_unlisted() RETURNS trigger LANGUAGE plpgsql
    SET search_path FROM CURRENT AS $$
DECLARE
    unlisted boolean;
BEGIN
    EXECUTE format(
        'SELECT EXISTS (SELECT FROM (%s) AS gone'
        ' LEFT JOIN judgments_erasedjudgment AS listed USING (judgment_id)'
        ' LEFT JOIN judgments_deletedcampaign AS deleted ON deleted.campaign = gone.campaign_id'
        ' WHERE listed.judgment_id IS NULL AND deleted.campaign IS NULL)', TG_ARGV[0]
    ) INTO unlisted;
    IF unlisted THEN
        RAISE EXCEPTION 'Rows of % are only ever added: DELETE refused.', TG_TABLE_NAME
            USING ERRCODE = 'restrict_violation',
                  HINT = 'A person''s data are erased with manage.py erase_annotator, a campaign '
                         'is deleted with manage.py delete_campaign.';
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION judgments_refuse_undeleted() RETURNS trigger LANGUAGE plpgsql
    SET search_path FROM CURRENT AS $$
DECLARE
    undeleted boolean;
BEGIN
    EXECUTE format(
        'SELECT EXISTS (SELECT FROM (%s) AS gone'
        ' LEFT JOIN judgments_deletedcampaign AS deleted ON deleted.campaign = gone.campaign_id'
        ' WHERE deleted.campaign IS NULL)', TG_ARGV[0]
    ) INTO undeleted;
    IF undeleted THEN
        RAISE EXCEPTION 'Rows of % are only ever added: DELETE refused.', TG_TABLE_NAME
            USING ERRCODE = 'restrict_violation',
                  HINT = 'A campaign is deleted with manage.py delete_campaign.';
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION judgments_refuse_consent() RETURNS trigger LANGUAGE plpgsql
    SET search_path FROM CURRENT AS $$
BEGIN
    IF to_jsonb(NEW) - 'membership_id' = to_jsonb(OLD) - 'membership_id'
        AND NEW.membership_id IS NULL AND (OLD.membership_id IS NULL OR EXISTS (
            SELECT FROM judgments_membership AS member
            JOIN judgments_erasure AS erasure ON erasure.account = member.user_id
            WHERE member.id = OLD.membership_id
        ))
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'Rows of % are only ever added: % refused.', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'restrict_violation',
              HINT = 'A person''s data are erased with manage.py erase_annotator.';
END $$;

CREATE FUNCTION judgments_require_gone() RETURNS trigger LANGUAGE plpgsql
    SET search_path FROM CURRENT AS $$
BEGIN
    IF EXISTS (SELECT FROM judgments_campaign WHERE id = NEW.campaign)
        OR EXISTS (SELECT FROM judgments_judgment WHERE campaign_id = NEW.campaign)
        OR EXISTS (SELECT FROM judgments_chain WHERE campaign_id = NEW.campaign)
        OR EXISTS (SELECT FROM judgments_campaignrecord WHERE campaign_id = NEW.campaign)
    THEN
        RAISE EXCEPTION 'Campaign % is listed as deleted, but there are rows of it.', NEW.campaign
            USING ERRCODE = 'restrict_violation',
                  HINT = 'A campaign is deleted with manage.py delete_campaign, all of it at once.';
    END IF;
    RETURN NULL;
END $$;

-- Nothing is ever deleted from these.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['act', 'erasure', 'erasedjudgment', 'deletedcampaign'] LOOP
        EXECUTE format(
            'CREATE TRIGGER only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON judgments_%s'
            ' FOR EACH STATEMENT EXECUTE FUNCTION judgments_refuse()', name
        );
    END LOOP;
END $$;

-- Rows leave with the person or the campaign of their judgment. Judgments leave last: until then they
-- say which campaign a row was of.
DO $$
DECLARE
    name text;
    found text;
BEGIN
    FOR name, found IN
        VALUES
            ('judgment', 'SELECT id AS judgment_id, campaign_id FROM gone'),
            (
                'grade',
                'SELECT answer.judgment_id, judgment.campaign_id FROM gone'
                ' LEFT JOIN judgments_answer AS answer ON answer.id = gone.answer_id'
                ' LEFT JOIN judgments_judgment AS judgment ON judgment.id = answer.judgment_id'
            )
        UNION ALL
        SELECT
            unnest(ARRAY[
                'rating', 'preference', 'errorspan', 'postedit', 'answer', 'alignmentlink', 'shownhints',
                'press'
            ]),
            'SELECT gone.judgment_id, judgment.campaign_id FROM gone'
            ' LEFT JOIN judgments_judgment AS judgment ON judgment.id = gone.judgment_id'
    LOOP
        EXECUTE format(
            'CREATE TRIGGER only_added BEFORE UPDATE OR TRUNCATE ON judgments_%s'
            ' FOR EACH STATEMENT EXECUTE FUNCTION judgments_refuse()', name
        );
        EXECUTE format(
            'CREATE TRIGGER only_erased AFTER DELETE ON judgments_%s REFERENCING OLD TABLE AS gone'
            ' FOR EACH STATEMENT EXECUTE FUNCTION judgments_refuse_unlisted(%L)', name, found
        );
    END LOOP;
END $$;

-- Rows leave with their campaign. Of a seal the chain says which campaign it was of: chains leave after
-- their seals. A chain grows, and of a consent a person can be taken out: see below.
DO $$
DECLARE
    name text;
    found text;
    refused text;
BEGIN
    FOR name, found, refused IN
        VALUES
            (
                'seal',
                'SELECT chain.campaign_id FROM gone'
                ' LEFT JOIN judgments_chain AS chain ON chain.task_id = gone.task_id',
                'UPDATE OR TRUNCATE'
            ),
            ('chain', 'SELECT campaign_id FROM gone', 'TRUNCATE'),
            ('consentrecord', 'SELECT campaign_id FROM gone', 'TRUNCATE')
        UNION ALL
        SELECT
            unnest(ARRAY[
                'campaignrecord', 'recordedpart', 'decision', 'removeditem', 'qualityrule',
                'registeredplan', 'annotatorstate'
            ]),
            'SELECT campaign_id FROM gone',
            'UPDATE OR TRUNCATE'
    LOOP
        EXECUTE format(
            'CREATE TRIGGER only_added BEFORE %s ON judgments_%s'
            ' FOR EACH STATEMENT EXECUTE FUNCTION judgments_refuse()', refused, name
        );
        EXECUTE format(
            'CREATE TRIGGER only_deleted AFTER DELETE ON judgments_%s REFERENCING OLD TABLE AS gone'
            ' FOR EACH STATEMENT EXECUTE FUNCTION judgments_refuse_undeleted(%L)', name, found
        );
    END LOOP;
END $$;

-- A chain's row goes on, and nothing else. The condition is looked at without calling the function.
CREATE TRIGGER only_longer BEFORE UPDATE ON judgments_chain FOR EACH ROW
    WHEN (NEW.length <= OLD.length OR (NEW.task_id, NEW.campaign_id) <> (OLD.task_id, OLD.campaign_id))
    EXECUTE FUNCTION judgments_refuse();

-- Of a consent only who gave it can be taken out, of a person who is listed as erased.
CREATE TRIGGER only_erased BEFORE UPDATE ON judgments_consentrecord
    FOR EACH ROW EXECUTE FUNCTION judgments_refuse_consent();

-- At the end of the transaction that lists a campaign as deleted, all of it must be gone.
CREATE CONSTRAINT TRIGGER all_of_it AFTER INSERT ON judgments_deletedcampaign
    DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION judgments_require_gone();

-- What is counted and how chains ended is found here, not said by who calls. `head` is the SHA-256 of
-- the chains as JSON without spaces, as `judgments.models.chains.publication.head_of` has it.
CREATE FUNCTION judgments_delete_campaign(which bigint, who text, why text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path FROM CURRENT AS $$
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
    DELETE FROM judgments_press AS t USING judgments_judgment AS j
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
    DELETE FROM judgments_annotatorstate WHERE campaign_id = which;
    DELETE FROM judgments_removeditem WHERE campaign_id = which;
    DELETE FROM judgments_consentrecord WHERE campaign_id = which;
    DELETE FROM judgments_qualityrule WHERE campaign_id = which;
    DELETE FROM judgments_registeredplan WHERE campaign_id = which;
END $$;
REVOKE ALL ON FUNCTION judgments_delete_campaign FROM PUBLIC;

-- The hashes of what the judgments said come from who calls; wrong ones break the chains, as an altered
-- judgment does.
CREATE FUNCTION judgments_erase(which bigint, who text, why text, what jsonb, ids bigint[], digests bytea[]) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
    SET search_path FROM CURRENT AS $$
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
    DELETE FROM judgments_press WHERE judgment_id = ANY(ids);
    DELETE FROM judgments_shownhints WHERE judgment_id = ANY(ids);
    DELETE FROM judgments_judgment WHERE id = ANY(ids);
    RETURN made;
END $$;
REVOKE ALL ON FUNCTION judgments_erase FROM PUBLIC;

-- Copies of the demo on a public demo server leave without a trace: by a function with the rights of the
-- owner, which the role that serves may call there only (mteval_site/grants.py).
-- Counts the copies that were forgotten, so that each host empties its kept results.
CREATE SEQUENCE judgments_demo_forgotten MINVALUE 0 START 0;
SELECT nextval('judgments_demo_forgotten');

-- Forgets one copy whose day is over, and only what does not exist any more.
CREATE FUNCTION judgments_forget_demo(
    copy bigint, accounts bigint[], campaigns bigint[], test_sets bigint[]
)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path FROM CURRENT AS $$
BEGIN
    IF EXISTS (SELECT FROM judgments_campaign WHERE id = ANY(campaigns))
        OR EXISTS (SELECT FROM judgments_testset WHERE id = ANY(test_sets))
        OR EXISTS (SELECT FROM auth_user WHERE id = ANY(accounts))
    THEN
        RAISE EXCEPTION 'Accounts, campaigns and test sets are deleted before they are forgotten.'
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF EXISTS (
        SELECT FROM unnest(campaigns) AS number WHERE NOT EXISTS (
            SELECT FROM judgments_deletedcampaign
            WHERE campaign = number AND test_set = ANY(test_sets)
        )
    ) THEN
        RAISE EXCEPTION 'These are not all deleted campaigns of these test sets.'
            USING ERRCODE = 'restrict_violation';
    END IF;
    DELETE FROM judgments_democopy WHERE id = copy AND ends_at <= clock_timestamp();
    IF NOT FOUND THEN
        RAISE EXCEPTION 'There is no copy % of the demo whose day is over.', copy
            USING ERRCODE = 'restrict_violation';
    END IF;
    PERFORM set_config('mteval.forgets_demo', 'on', true);
    DELETE FROM judgments_act
        WHERE "user" = ANY(accounts) OR campaign = ANY(campaigns) OR test_set = ANY(test_sets);
    DELETE FROM judgments_erasedjudgment AS t USING judgments_erasure AS e
        WHERE t.erasure_id = e.id AND e.account = ANY(accounts);
    DELETE FROM judgments_erasure WHERE account = ANY(accounts);
    DELETE FROM judgments_deletedcampaign WHERE campaign = ANY(campaigns);
    PERFORM set_config('mteval.forgets_demo', 'off', true);
    PERFORM nextval('judgments_demo_forgotten');
END $$;
REVOKE ALL ON FUNCTION judgments_forget_demo FROM PUBLIC;

DO $$
DECLARE
    each regprocedure;
BEGIN
    FOR each IN
        SELECT oid FROM pg_proc
        WHERE pronamespace = current_schema()::regnamespace AND proname IN (
            'judgments_refuse', 'judgments_refuse_unlisted', 'judgments_refuse_undeleted',
            'judgments_refuse_consent', 'judgments_require_gone',
            'judgments_delete_campaign', 'judgments_erase', 'judgments_forget_demo'
        )
    LOOP
        EXECUTE format(
            'ALTER FUNCTION %s SET search_path = %I, pg_temp', each, current_schema()
        );
    END LOOP;
END $$;
