"""Import of word links proposed by a program."""

from collections.abc import Iterator

from judgments.files.output_texts import OutputText
from judgments.files.rows import RowKind
from judgments.models import AlignerRun, Campaign, JobStatus, LinkPurpose, PrefilledLink
from judgments.protocols.alignment.options import AlignmentOptions
from judgments.protocols.alignment.pharaoh import read_links

from ..outputs import Outputs


class ProposedLinks(RowKind[OutputText]):
    """Rows of a campaign, checked against the words of its texts."""

    model = PrefilledLink
    fields = ("campaign", "output", "source_token", "target_token", "is_sure")
    nouns = "links"

    def __init__(self, owner: Campaign, *, replace: bool) -> None:
        super().__init__(owner, replace=replace)
        self.options = AlignmentOptions.of(owner)
        self.outputs = Outputs(owner.test_set_id, with_texts=True)

    def clear(self) -> None:
        """Delete the rows, and the page's note that the site's aligner made them."""
        super().clear()
        runs = AlignerRun.objects.filter(campaign=self.owner, purpose=LinkPurpose.PROPOSAL)
        runs.exclude(status=JobStatus.RUNNING).delete()

    def records(self, row: OutputText) -> Iterator[tuple[int, int, int, int, bool]]:
        output, text, source = self.outputs.find(row)
        if not self.first_time(output):
            raise row.problem("segment", "a second line of links for the same output.")
        n_source, n_target = (len(self.options.words(each)) for each in (source, text))
        try:
            links = read_links(row.text, n_source, n_target, possible=self.options.possible_links)
        except ValueError as error:
            raise row.problem("links", str(error)) from None
        return ((self.owner.pk, output, *link) for link in links)
