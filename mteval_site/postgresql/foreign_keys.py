"""Foreign keys that lose an index of their own, as a longer one begins with their column."""

from django.db.migrations import AlterField

# Of one column alone, for every row, and no constraint.
INDEXES = """
SELECT indexes.relname
FROM pg_index
JOIN pg_class AS indexes ON indexes.oid = indexrelid
JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
WHERE indrelid = %s::regclass AND attname = %s
    AND indnatts = 1 AND indpred IS NULL AND NOT indisunique
"""


class DropForeignKeyIndex(AlterField):
    """To a field with `db_index=False`, in a migration with `atomic = False`.

    `AlterField` would make the constraint anew as well, and read the table under a lock for that.
    """

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        model = from_state.apps.get_model(app_label, self.model_name)
        table = schema_editor.quote_name(model._meta.db_table)
        with schema_editor.connection.cursor() as cursor:
            cursor.execute(INDEXES, [table, model._meta.get_field(self.name).column])
            names = [name for (name,) in cursor.fetchall()]
        for name in names:
            schema_editor.execute(f"DROP INDEX CONCURRENTLY {schema_editor.quote_name(name)}")

    def database_backwards(self, app_label, schema_editor, from_state, to_state):
        model = to_state.apps.get_model(app_label, self.model_name)
        field = model._meta.get_field(self.name)
        schema_editor.execute(
            schema_editor._create_index_sql(model, fields=[field], concurrently=True)
        )
