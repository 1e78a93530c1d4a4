"""The rights of the serving role on the tables of their owner."""

from typing import Any

from django.conf import settings

# Bits of pg_trigger.tgtype.
OF_ROWS, ON_UPDATE = 1, 16
# The append-only tables, as enforced by their triggers, and whether any is updated.
ONLY_ADDED = f"""
SELECT tgrelid::regclass::text, bool_or(tgtype & {ON_UPDATE} > 0)
FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
WHERE relnamespace = current_schema()::regnamespace
  AND tgname = 'only_added' AND tgtype & {OF_ROWS} = 0 AND tgqual IS NULL AND tgattr = ''
GROUP BY 1 ORDER BY 1
"""
# Functions that do, with the owner's rights, what the serving role may not do itself.
DEFINED = """
SELECT oid::regprocedure::text FROM pg_proc
WHERE pronamespace = current_schema()::regnamespace AND prosecdef
  AND pg_has_role(proowner, 'USAGE')
"""
# Only those functions write here.
RECORDS = ("judgments_deletedcampaign", "judgments_erasure", "judgments_erasedjudgment")
# It deletes from logs, and is called on a public demo server only.
OF_PUBLIC_DEMOS = "judgments_forget_demo("
MAINTAIN_SINCE = 170_000  # the PostgreSQL version that lets others ANALYZE


def grant(cursor: Any, role: str) -> bool:
    """Let a role read and add rows, and change and delete them except in append-only tables. It can
    neither create, alter nor truncate tables, nor switch triggers off; campaigns are deleted and
    persons erased by functions that record it. Return whether it may ANALYZE.

    cursor: of the owner of the tables. Run this again after each migration.
    """
    quoted = '"' + role.replace('"', '""') + '"'
    cursor.execute("SELECT current_schema(), current_setting('server_version_num')::int")
    schema, version = cursor.fetchone()
    rights = "SELECT, INSERT, UPDATE, DELETE" + (", MAINTAIN" if version >= MAINTAIN_SINCE else "")
    cursor.execute(
        f"""
        GRANT USAGE ON SCHEMA {schema} TO {quoted};
        REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM {quoted};
        GRANT {rights} ON ALL TABLES IN SCHEMA {schema} TO {quoted};
        GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA {schema} TO {quoted};
        REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM {quoted};
        """
    )
    cursor.execute(ONLY_ADDED)
    for table, refuses_updates in cursor.fetchall():
        refused = ", ".join(["DELETE"] + ["UPDATE"] * refuses_updates)
        cursor.execute(f"REVOKE {refused} ON {table} FROM {quoted}")
    cursor.execute(f"REVOKE INSERT ON {', '.join(RECORDS)} FROM {quoted}")
    cursor.execute(DEFINED)
    for (function,) in cursor.fetchall():
        # A restored database may have lost what its migrations revoked.
        cursor.execute(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC, {quoted}")
        if settings.PUBLIC_DEMO or not function.startswith(OF_PUBLIC_DEMOS):
            cursor.execute(f"GRANT EXECUTE ON FUNCTION {function} TO {quoted}")
    return version >= MAINTAIN_SINCE
