"""Decisions, rules, registered plans and consents are only ever added, as judgments are, and a
campaign cannot be listed as deleted while there is anything of it.

CREATE TRIGGER keeps writers (not readers) away from a table for the moment that it takes. None of
these tables is large.
"""

from django.db import migrations

KEPT = ("decision", "removeditem", "qualityrule", "registeredplan")
OF_CAMPAIGN = "SELECT campaign_id FROM gone"


def only_added(table: str, refused: str) -> migrations.RunSQL:
    return migrations.RunSQL(
        f"""
        CREATE TRIGGER only_added BEFORE {refused} ON {table}
            FOR EACH STATEMENT EXECUTE FUNCTION judgments_refuse();
        CREATE TRIGGER only_deleted AFTER DELETE ON {table} REFERENCING OLD TABLE AS gone
            FOR EACH STATEMENT EXECUTE FUNCTION judgments_refuse_undeleted('{OF_CAMPAIGN}');
        """,
        f"DROP TRIGGER only_added ON {table}; DROP TRIGGER only_deleted ON {table};",
    )


# Of a consent only who gave it can be taken out, of a person who is listed as erased.
CONSENTS = """
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
CREATE TRIGGER only_erased BEFORE UPDATE ON judgments_consentrecord
    FOR EACH ROW EXECUTE FUNCTION judgments_refuse_consent();
"""
NO_CONSENTS = """
DROP TRIGGER only_erased ON judgments_consentrecord;
DROP FUNCTION judgments_refuse_consent;
"""

# At the end of the transaction that lists a campaign as deleted, all of it must be gone.
DELETED = """
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
CREATE CONSTRAINT TRIGGER all_of_it AFTER INSERT ON judgments_deletedcampaign
    DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION judgments_require_gone();
"""
NO_DELETED = """
DROP TRIGGER all_of_it ON judgments_deletedcampaign;
DROP FUNCTION judgments_require_gone;
"""


class Migration(migrations.Migration):
    dependencies = [("judgments", "0039_campaign_records")]

    operations = [
        *(only_added(f"judgments_{name}", "UPDATE OR TRUNCATE") for name in KEPT),
        only_added("judgments_consentrecord", "TRUNCATE"),
        migrations.RunSQL(CONSENTS, NO_CONSENTS),
        migrations.RunSQL(DELETED, NO_DELETED),
    ]
