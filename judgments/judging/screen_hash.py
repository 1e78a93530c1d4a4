"""What a screen shows, as a short hash in its ticket: an answer belongs to what was read.

Covered are the texts that an answer is about: translations, as they stand on the screen, with the
source and the reference where they are shown. What else stands there has names of its own in the
form (questions, suggested spans), is recorded with the answer (hints), or only helps to read
(glosses, sound, the rest of a document).
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b

from django.db.models import OuterRef, QuerySet, Subquery

from judgments.models import ItemOutput, Reference
from judgments.protocols import Protocol

SIZE = 8  # bytes
# What comes with the outputs of a screen.
ITEM_AND_TEXTS = ("output", "output__segment", "altered", "item", "item__segment")


def with_texts(rows: QuerySet[ItemOutput]) -> QuerySet[ItemOutput]:
    """Return the query with all that `painted` reads. `reference`: of an output's segment, the
    first by name, which is the one that screens show."""
    references = Reference.objects.filter(segment=OuterRef("output__segment")).order_by("name")
    return rows.select_related(*ITEM_AND_TEXTS).annotate(
        reference=Subquery(references.values("text")[:1])
    )


def painted(protocol: Protocol, shown: Sequence[ItemOutput]) -> bytes:
    """Return the hash of a screen, `SIZE` bytes. shown: the outputs on it in their order, read
    `with_texts`."""
    item = shown[0].item
    has_source, has_reference = protocol.visible(item)
    has_sources, has_references = protocol.texts_by_output()
    references = {row.output.segment_id: vars(row)["reference"] for row in shown}
    texts = [
        item.segment.source if has_source else None,
        references.get(item.segment_id) if has_reference else None,
    ]
    for row in shown:
        segment = row.output.segment
        texts.append(segment.source if has_sources else None)
        texts.append(references[segment.pk] if has_references else None)
        texts.append(row.text)
    return hash_of(item.pk, texts)


def hash_of(item: int, texts: Iterable[str | None]) -> bytes:
    """Return the hash of an item's texts, `SIZE` bytes; None: a text that is not shown."""
    digest = blake2b(item.to_bytes(8, "big"), digest_size=SIZE)
    for text in texts:
        # The length keeps "a", "bc" apart from "ab", "c", and None from "".
        said = b"" if text is None else text.encode()
        digest.update(b"-" if text is None else f"{len(said)}:".encode() + said)
    return digest.digest()
