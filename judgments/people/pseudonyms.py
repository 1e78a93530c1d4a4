"""Pseudonyms that the site makes up: two words of our own lists, such as "calm otter".

All adjectives are kind and say nothing about looks, origin, age, money or faith; all nouns are
plants, birds and other animals that no insult uses, stones, waters and weather. So every
combination is acceptable, which a list of excluded ones could not guarantee.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection

from judgments.files.names import free_name

ADJECTIVES_IN_WORDS = """
    amber ample apt azure blithe bold brave breezy bright brisk calm candid careful cheerful
    civil clear clever coastal cobalt copper cordial crisp curious dapper daring deft distant
    dreamy eager earnest elegant epic famous festive fluent fond frank fresh friendly gallant
    generous gentle gifted glad gleaming graceful grand grateful hardy hearty helpful honest
    hopeful humble ideal jolly jovial joyful keen kind kindly lasting lively loyal lucid lucky
    lunar mellow merry mild modest musical neat nimble noble novel patient peaceful placid
    playful pleasant polite proud quick quiet ready regal robust rosy serene silver sincere
    smooth solar spry stable steady sterling sturdy subtle sunny swift tactful thankful tidy
    tranquil trusty upbeat valiant vernal vivid warm winsome wise witty zesty
"""
NOUNS_IN_WORDS = """
    acorn alder almond anchor apple arbor aspen aster atlas badger bamboo barley basil bay
    beacon beech birch bluebell bramble breeze bridge brook canyon cedar cliff cloud clover
    comet compass cove cricket crocus daisy dale delta dolphin dune elm ember falcon fennel fern
    finch fjord flint forest fountain foxglove garden gentian glacier glade grove gull harbor
    harp hazel heath heather heron hill holly island ivy jasmine jay juniper kestrel kite lagoon
    lake lantern larch lark laurel lavender lilac lily linden linnet lotus lute lynx maple
    marigold meadow mesa mint moss myrtle nectar nutmeg oak oasis ocean olive orchard orchid
    osprey otter palm peak pear pebble petrel pine plover poplar poppy prairie quartz quince
    rain reef river robin rosemary rowan saffron sage sail sequoia shore sorrel sparrow spring
    spruce starling stone stream summit sunrise swan thistle thyme tulip valley violet walnut
    willow wren yarrow
"""
ADJECTIVES = tuple(ADJECTIVES_IN_WORDS.split())
NOUNS = tuple(NOUNS_IN_WORDS.split())
TRIES = 40


def is_made(name: str) -> bool:
    """Return whether the site could have made a name up."""
    first, _, second = name.partition(" ")
    return first in ADJECTIVES and second in NOUNS


def free(taken: Collection[str]) -> str:
    """Return a random name that is not taken; with a number if many are."""
    for _ in range(TRIES):
        name = f"{secrets.choice(ADJECTIVES)} {secrets.choice(NOUNS)}"
        if name not in taken:
            return name
    return free_name(name, taken, " ")
