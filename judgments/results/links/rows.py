"""Word links as in files."""

from collections.abc import Iterator

from judgments.models import AlignmentLink, Item
from judgments.protocols.alignment.options import AlignmentOptions
from judgments.protocols.alignment.table import WORDS_OF_LINKS
from judgments.protocols.tables import out

from ..observations.observation_rows import altered_texts
from ..selection.selection import Selection
from .figures import proposed_links, word_links


def counts(selection: Selection) -> dict[str, int]:
    """Return the counts that results of links are based on."""
    linked = word_links(selection)
    return {
        "annotators": len(linked.linkers),
        "judgments": linked.n_judgments,
        "observations": linked.n_links,
        "left_out": 0,
    }


def link_rows(selection: Selection) -> Iterator[tuple]:
    """Return the links of a selection, in the order of the table; places are from 0."""
    proposed = proposed_links(selection)
    options = AlignmentOptions.of(selection.campaign)
    links = (
        selection.rows_of(AlignmentLink.objects.all(), everyone=True)
        .select_related("judgment__item", "output__segment", "output__system")
        .order_by("judgment_id", "source_token", "target_token")
    )
    altered = altered_texts(Item.objects.filter(task__campaign=selection.campaign))
    read = (0, 0)  # the last item and output
    words_of: tuple[list[str], ...] = ([], [])  # and its words
    for link in links.iterator():
        output, judgment = link.output, link.judgment
        if read != (judgment.item_id, output.pk):
            read = judgment.item_id, output.pk
            texts = output.segment.source, altered.get(read, output.text)
            words_of = tuple(map(options.words, texts))
        ends = (link.source_token, link.target_token)
        linked = zip(ends, words_of, strict=True)
        was = proposed.get(output.pk, {}).get(ends)
        yield (
            selection.alias(judgment.annotator_id),
            output.segment.key,
            output.system.name,
            *ends,
            *(words[i] if i < len(words) else "" for i, words in linked),
            WORDS_OF_LINKS[link.is_sure],
            "" if was is None else WORDS_OF_LINKS[was],
            judgment.item_id,
            judgment.item.kind_of(output.pk),
            out(selection, judgment.annotator_id, output.pk),
            options.tokenization,
        )
