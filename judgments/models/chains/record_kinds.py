"""The recorded columns of each kind of row, version 1: an SQL statement, and the names of its
columns in messages.

This is frozen, like the hashed content of a judgment: records made with it are in databases.
Anything else to be recorded needs a separate kind, or a version 2 next to this one.
"""

from typing import NamedTuple

VERSION = 1


class RecordedKind(NamedTuple):
    """sql: `object_id` and `content`, an array of JSON as PostgreSQL writes jsonb, of every row of
    a campaign, `%(campaign)s`. columns: the names of its elements, in order; texts and names of
    people are recorded as hashes, and their columns end with HASHED."""

    sql: str
    columns: tuple[str, ...]


HASHED = " (hash)"


def _hash(text: str) -> str:
    return f"encode(sha256(convert_to({text}, 'UTF8')), 'hex')"


def _time(column: str) -> str:
    return f"""to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""


def _kind(columns: dict[str, str], rows: str, object_id: str = "t.id") -> RecordedKind:
    """Return a kind. columns: their names and SQL expressions; `t` is the recorded table."""
    content = f"jsonb_build_array({', '.join(columns.values())})::text"
    return RecordedKind(
        f"SELECT {object_id} AS object_id, {content} AS content {rows}", (*columns,)
    )


_SHOWN = """(SELECT DISTINCT s.output_id FROM judgments_itemoutput s
    JOIN judgments_item i ON i.id = s.item_id JOIN judgments_task k ON k.id = i.task_id
    WHERE k.campaign_id = %(campaign)s)"""
_SEGMENTS = """(SELECT DISTINCT i.segment_id FROM judgments_item i
    JOIN judgments_task k ON k.id = i.task_id WHERE k.campaign_id = %(campaign)s)"""
_OWN = "WHERE t.campaign_id = %(campaign)s"

KINDS: dict[str, RecordedKind] = {
    "campaign": _kind(
        {
            "test set": "t.test_set_id",
            "protocol": "t.protocol",
            "preset": "t.preset",
            "options": "t.options",
            "plan": "t.plan",
            "mark of a simulation": "t.simulated",
        },
        "FROM judgments_campaign t WHERE t.id = %(campaign)s",
    ),
    # A separate kind: editing instructions records nothing about the rest of the campaign.
    "instructions": _kind(
        {"version": "t.guideline_version", "texts" + HASHED: _hash("t.instructions::text")},
        "FROM judgments_campaign t WHERE t.id = %(campaign)s",
    ),
    "system": _kind(
        {"name": "t.name", "reference that it copies": "t.copies_reference"},
        f"""FROM judgments_system t WHERE t.id IN
        (SELECT o.system_id FROM judgments_output o WHERE o.id IN {_SHOWN})""",
    ),
    "document": _kind(
        {"name": "t.name", "domain": "t.domain", "original language": "t.original_language"},
        f"""FROM judgments_document t WHERE t.id IN
        (SELECT g.document_id FROM judgments_segment g WHERE g.id IN {_SEGMENTS})""",
    ),
    "segment": _kind(
        {
            "key": "t.key",
            "place": "t.position",
            "document": "t.document_id",
            "source" + HASHED: _hash("t.source"),
        },
        f"FROM judgments_segment t WHERE t.id IN {_SEGMENTS}",
    ),
    "reference": _kind(
        {"segment": "t.segment_id", "name": "t.name", "text" + HASHED: _hash("t.text")},
        f"FROM judgments_reference t WHERE t.segment_id IN {_SEGMENTS}",
    ),
    "output": _kind(
        {"segment": "t.segment_id", "system": "t.system_id", "text" + HASHED: _hash("t.text")},
        f"FROM judgments_output t WHERE t.id IN {_SHOWN}",
    ),
    "altered": _kind(
        {
            "output": "t.output_id",
            "rule": "t.rule",
            "start": "t.start",
            "end": 't."end"',
            "text" + HASHED: _hash("t.text"),
        },
        f"FROM judgments_alteredoutput t {_OWN}",
    ),
    # Items change their tasks when somebody returns work; the batch and the rest stay.
    "item": _kind(
        {
            "batch": "k.batch",
            "segment": "t.segment_id",
            "kind": "t.kind",
            "part": "t.part",
            "control": "t.control_output_id",
            "kind of the control": "t.control_kind",
            "outputs on its screen": """(SELECT jsonb_agg(
                jsonb_build_array(s.output_id, s.altered_id) ORDER BY s.position)
                FROM judgments_itemoutput s WHERE s.item_id = t.id)""",
        },
        """FROM judgments_item t JOIN judgments_task k ON k.id = t.task_id
        WHERE k.campaign_id = %(campaign)s""",
    ),
    "task": _kind(
        {
            "batch": "t.batch",
            "seat": "t.seat",
            "seat of which it is the rest": "t.rest_of",
            "items, in their order,": """(SELECT jsonb_agg(i.id ORDER BY i.position)
                FROM judgments_item i WHERE i.task_id = t.id)""",
        },
        f"FROM judgments_task t {_OWN}",
    ),
    "expected": _kind(
        {
            "item": "t.item_id",
            "output": "t.output_id",
            "dimension": "t.dimension",
            "lowest": "t.low",
            "highest": "t.high",
            "output that it is above": "t.above_id",
        },
        """FROM judgments_expectedscore t JOIN judgments_item i ON i.id = t.item_id
        JOIN judgments_task k ON k.id = i.task_id WHERE k.campaign_id = %(campaign)s""",
    ),
    # Per batch, whatever happens to its seats.
    "wave": _kind(
        {"wave": "t.wave"},
        """FROM (SELECT DISTINCT k.batch, k.wave FROM judgments_task k
        WHERE k.campaign_id = %(campaign)s AND k.wave > 1) t""",
        "t.batch",
    ),
    # Per batch: a task split from a seat was drawn together with its batch.
    "choice": _kind(
        {"batch": "t.batch", "systems that were drawn": "t.choice"},
        """FROM (SELECT DISTINCT batch, choice FROM judgments_task
        WHERE campaign_id = %(campaign)s AND choice IS NOT NULL) t""",
        "t.batch",
    ),
    # Only those suggestions that a screen does not show as a program proposed them.
    "suggestion": _kind(
        {
            "output": "t.output_id",
            "side": "t.side",
            "start": "t.start",
            "end": 't."end"',
            "severity": "t.severity",
            "category": "t.category",
            "made up": "t.is_planted",
            "shown": "t.is_shown",
        },
        f"FROM judgments_prefilledspan t {_OWN} AND (t.is_planted OR NOT t.is_shown)",
    ),
    "unaided": _kind(
        {"segment without suggestions": "t.segment_id"},
        f"FROM judgments_unaidedsegment t {_OWN}",
    ),
    "question": _kind(
        {
            "document": "t.document_id",
            "place": "t.position",
            "level": "t.level",
            "text" + HASHED: _hash("t.text"),
            "choices": "t.choices",
            "right answers": 't."right"',
        },
        f"FROM judgments_question t {_OWN}",
    ),
    "rule": _kind(
        {
            "text" + HASHED: _hash("t.text"),
            "seconds per word": "t.seconds_per_word",
            "least checks": "t.least_checks",
            "level of degraded copies": "t.degraded_level",
            "largest deviation": "t.most_deviation",
            "least references": "t.least_references",
            "number of judgments": "t.n_judgments",
            "author": "t.written_by_id",
            "time": _time("t.written_at"),
        },
        f"FROM judgments_qualityrule t {_OWN}",
    ),
    "holding": _kind(
        {"rule": "t.id", "control items": "t.hold_after"},
        f"FROM judgments_qualityrule t {_OWN} AND t.hold_after IS NOT NULL",
    ),
    "plan": _kind(
        {
            "aim": "t.aim",
            "dimension": "t.dimension",
            "unit": "t.unit",
            "length of blocks": "t.block_length",
            "test": "t.test",
            "looks": "t.looks",
            "largest number": "t.most",
            "number of systems": "t.n_systems",
            "level": "t.alpha",
            "spending": "t.spending",
            "control variates": "t.controls",
            "author": "t.registered_by_id",
            "time": _time("t.registered_at"),
        },
        f"FROM judgments_registeredplan t {_OWN}",
    ),
    "decision": _kind(
        {
            "annotator": "t.annotator_id",
            "dimension": "t.dimension",
            "exclusion": "t.excluded",
            "reason" + HASHED: _hash("t.reason"),
            "author": "t.decided_by_id",
            "time": _time("t.decided_at"),
        },
        f"FROM judgments_decision t {_OWN}",
    ),
    "state": _kind(
        {
            "annotator": "t.annotator_id",
            "state": "t.state",
            "reason" + HASHED: _hash("t.reason"),
            "author": "t.decided_by_id",
            "time": _time("t.decided_at"),
        },
        f"FROM judgments_annotatorstate t {_OWN}",
    ),
    "adjudication": _kind(
        {
            "first item": "t.first_id",
            "second item": "t.second_id",
            "output": "t.output_id",
            "dimension": "t.dimension",
            "item of the third person": "t.item_id",
            "author": "t.asked_by_id",
            "time": _time("t.asked_at"),
        },
        f"FROM judgments_adjudication t {_OWN}",
    ),
    "removed": _kind(
        {
            "segment": "t.segment_id",
            "system": "t.system_id",
            "exclusion": "t.removed",
            "reason" + HASHED: _hash("t.reason"),
            "author": "t.decided_by_id",
            "time": _time("t.decided_at"),
        },
        f"FROM judgments_removeditem t {_OWN}",
    ),
    "grade": _kind(
        {
            "answer": "t.answer_id",
            "judgment": "a.judgment_id",
            "grader": "t.grader_id",
            "verdict": "t.is_right",
        },
        """FROM judgments_grade t JOIN judgments_answer a ON a.id = t.answer_id
        JOIN judgments_judgment j ON j.id = a.judgment_id
        WHERE j.campaign_id = %(campaign)s""",
    ),
}

# The content of a screen, and what depends on it.
SHOWN = ("system", "document", "segment", "reference", "output", "altered")
WORK = ("item", "task", "choice", "expected", *SHOWN)
