"""What the role that serves may do with the tables of their owner."""

from typing import Any

# Bits of pg_trigger.tgtype.
OF_ROWS, ON_DELETE, ON_UPDATE = 1, 8, 16
# The tables that refuse an UPDATE or a DELETE of any row, as their triggers say.
REFUSED = f"""
SELECT tgrelid::regclass::text, bool_or(tgtype & {ON_UPDATE} > 0), bool_or(tgtype & {ON_DELETE} > 0)
FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
WHERE relnamespace = current_schema()::regnamespace
  AND tgname = 'only_added' AND tgtype & {OF_ROWS} = 0 AND tgqual IS NULL AND tgattr = ''
GROUP BY 1 ORDER BY 1
"""
OWNED = """
SELECT count(*) FROM pg_class
WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
  AND pg_has_role(relowner, 'USAGE')
"""
MAINTAIN_SINCE = 170_000  # the version of PostgreSQL that lets others ANALYZE


def grant(cursor: Any, role: str) -> bool:
    """Let a role read and add rows, and change and delete them where the tables allow it. It can
    neither make, alter nor empty tables, nor switch triggers off. Return whether it may ANALYZE.

    cursor: of the owner of the tables. Run it again after each migration.
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
    cursor.execute(REFUSED)
    for table, updates, deletes in cursor.fetchall():
        refused = ", ".join(["UPDATE"] * updates + ["DELETE"] * deletes)
        if refused:
            cursor.execute(f"REVOKE {refused} ON {table} FROM {quoted}")
    return version >= MAINTAIN_SINCE


def owns_tables(cursor: Any) -> bool:
    """Return whether the role that is connected owns a table, or is a member of who does."""
    cursor.execute(OWNED)
    return cursor.fetchone()[0] > 0
