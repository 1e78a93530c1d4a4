"""The screens that visitors try: those of annotators, over rows that are in no table."""

from datetime import datetime

from judgments.judging.in_memory import screen_in_memory
from judgments.judging.screen import Screen
from judgments.models import Campaign, PrefilledSpan, Question, Reference, Segment, Status, TestSet
from judgments.protocols import PRESETS, protocol_of
from judgments.protocols.base import Preset

from .texts import PROPOSED, QUESTIONS, SEGMENTS, SOURCE_LANGUAGE, TARGET_LANGUAGE


def presets() -> list[Preset]:
    """Return those whose screen asks something as they are, in the order of pages."""
    return [preset for preset in PRESETS.values() if is_shown(campaign_of(preset))]


def is_shown(campaign: Campaign) -> bool:
    protocol = protocol_of(campaign)
    return not protocol.asks_nothing() and not protocol.why_only_read()


def campaign_of(preset: Preset) -> Campaign:
    test_set = TestSet(
        pk=-1, source_language=SOURCE_LANGUAGE, target_language=TARGET_LANGUAGE, name=""
    )
    return Campaign(
        pk=-1,
        name=str(preset.name),
        test_set=test_set,
        protocol=preset.protocol,
        preset=preset.slug,
        options=preset.options,
        status=Status.OPEN,
    )


def trial_screen(number: int, now: datetime) -> Screen | None:
    """Return the screen of that number, from 1; None where there is none."""
    found = presets()
    if not 1 <= number <= len(found):
        return None
    campaign = campaign_of(found[number - 1])
    protocol = protocol_of(campaign)
    if "document" in protocol.unit:
        texts = [text._replace(outputs=text.outputs[:1]) for text in SEGMENTS]
        first = 0
    else:
        first = number % len(SEGMENTS)
        text = SEGMENTS[first]
        most = protocol.outputs_per_item()[1]
        texts = [text._replace(outputs=text.outputs[:most])]
    screen = screen_in_memory(campaign, texts, number, len(found), now)
    screen.protocol.given = rows_for(screen, first)
    return screen


def rows_for(screen: Screen, first: int) -> dict:
    """Return what protocols ask the database for beside the item; first: the place of its
    segment."""
    segments = list(dict.fromkeys(row.output.segment for row in screen.shown))
    return {
        Segment: segments,
        Reference: [
            Reference(pk=-1 - i, segment=segment, text=text.reference)
            for i, (segment, text) in enumerate(zip(segments, SEGMENTS[first:], strict=False))
        ],
        Question: [
            Question(pk=-1 - i, document=segments[0].document, position=i, **asked._asdict())
            for i, asked in enumerate(QUESTIONS)
        ],
        PrefilledSpan: proposed_on(screen, first),
    }


def proposed_on(screen: Screen, first: int) -> list[PrefilledSpan]:
    output = screen.shown[0].output
    found = [each for each in PROPOSED if each.segment == first]
    return [
        PrefilledSpan(
            pk=-1 - i,
            output=output,
            start=output.text.index(each.text),
            end=output.text.index(each.text) + len(each.text),
            severity=each.severity,
        )
        for i, each in enumerate(found)
    ]
