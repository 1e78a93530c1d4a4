"""Pearmut (github.com/zouharvi/pearmut): its campaigns and what was annotated in them.

A campaign file becomes a test set and a campaign to be judged. Annotations hold the texts that
were shown, so that they become a test set and a closed campaign by themselves; with the file of
their campaign beside them, all of its texts come in.
"""

from __future__ import annotations

from collections.abc import Sequence

from judgments.files.problem import ImportProblem
from judgments.files.uploads import Folder, ReleaseFile

from .format import Answers, Format
from .json_stream import whole
from .language_answers import language_questions, languages_of
from .pearmut_annotations import Annotations, read_annotations
from .pearmut_campaigns import PearmutCampaign
from .pearmut_items import ItemStore
from .pearmut_out import why_not, write_judgments, write_plan
from .records import OpenQuestion, Problems, Release, TextsPart

TOKENS = "special-tokens"
TOKENS_QUESTION = OpenQuestion(
    TOKENS,
    "Names of the marks beyond the text",
    "The campaign's special_tokens in their order, such as “[missing], [instructions fault]”; its "
    "file beside the annotations says them too.",
)
LARGEST_CAMPAIGN = 64 * 2**20  # bytes; it is read as a whole


class Pearmut(Format):
    slug = "pearmut"
    name = "Pearmut"
    holds = "campaigns with their items, and annotations: scores and marked errors"
    described = "https://github.com/zouharvi/pearmut"
    writes = True

    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        return [file for file in files if is_campaign(file) or is_annotated(file)]

    def read(self, files: Sequence[ReleaseFile], answers: Answers, problems: Problems) -> Release:
        campaigns = {each.name: each for file in files if is_campaign(file) for each in read(file)}
        known = {name: (each.items, each.data, each.tokens) for name, each in campaigns.items()}
        answer = answers.get(TOKENS, "")
        tokens = [name.strip() for name in answer.split(",") if name.strip()] or None
        annotated: dict[str, Annotations] = {}
        for file in files:
            if not is_campaign(file):
                annotated |= read_annotations(file, problems, known, tokens)
        names = list(dict.fromkeys([*campaigns, *annotated]))
        release = Release()
        if tokens or any(each.n_unnamed for each in annotated.values()):
            release.questions.append(TOKENS_QUESTION)
        asked: list[OpenQuestion] = []
        for name in names:
            campaign = campaigns.get(name)
            said = campaign.languages if campaign else ("", "")
            if len(names) == 1 or not all(said):
                asked = asked or language_questions(*said)
            languages = languages_of(answers if asked else {}, *said)
            self.add(release, name, languages, campaign, annotated.get(name))
        release.questions += asked
        return release

    @staticmethod
    def add(
        release: Release,
        name: str,
        languages: tuple[str, str],
        campaign: PearmutCampaign | None,
        annotated: Annotations | None,
    ) -> None:
        items: ItemStore = campaign.items if campaign else annotated.items  # type: ignore[union-attr]
        release.texts.append(TextsPart(name, name, *languages, segments=items.segments))
        notes = list(campaign.said()) if campaign and not annotated else []
        if annotated:
            release.judgments += annotated.parts(name, name)
            if annotated.n_missing:
                notes.append(
                    f"{annotated.n_missing:,} marks right behind a text are taken for [missing]; "
                    "only the campaign's file says whether they are."
                )
            if annotated.n_aside:
                failed = f"; {annotated.n_failed:,} of their checks were failed"
                notes.append(
                    f"{annotated.n_aside:,} tutorial items and checks are left out"
                    f"{failed if annotated.n_failed else ''}."
                )
            if annotated.n_forms:
                notes.append(f"{annotated.n_forms:,} forms about annotators are left out.")
        elif campaign:
            release.plans.append(campaign.plan(name))
        release.notes += [f"{name}: {note}" for note in notes]

    def may_write(self, release: Release) -> str:
        return why_not(release)

    def write(self, release: Release, folder: Folder) -> None:
        texts = {part.key: part for part in release.texts}
        taken: set[str] = set()
        planned = {plan.name for plan in release.plans}
        for part in release.judgments:
            if part.name in planned and next(iter(part.screens()), None) is None:
                continue  # nobody has judged it yet
            write_judgments(part, texts[part.texts], folder, taken)
        for plan in release.plans:
            write_plan(plan, texts[plan.texts], folder, taken)


def is_annotated(file: ReleaseFile) -> bool:
    head = file.head().lstrip()
    return (
        head[:1] in (b"{", b"[")
        and b'"annotation"' in head
        and any(name in head for name in (b'"error_spans"', b'"score"', b'"sliders"', b'"user_id"'))
    )


def is_campaign(file: ReleaseFile) -> bool:
    head = file.head().lstrip()
    return (
        head[:1] in (b"{", b"[")
        and not is_annotated(file)
        and b'"data"' in head
        and b'"info"' in head
        and (b'"tgt"' in head or b'"protocol"' in head)
    )


def read(file: ReleaseFile) -> list[PearmutCampaign]:
    found = whole(file, LARGEST_CAMPAIGN)
    each = found if isinstance(found, list) else [found]
    if not all(isinstance(campaign, dict) for campaign in each):
        raise ImportProblem(file.path, None, "", "it is no campaign.")
    return [PearmutCampaign(file.path, campaign).read() for campaign in each]
