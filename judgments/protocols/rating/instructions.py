"""Instructions of presets that rate; in our words."""

XSTS_RP_INSTRUCTIONS = (
    "Read the source paragraph and its translation, compare them sentence by sentence, and "
    "score each sentence as part of its paragraph.\n\n"
    "- **Meaning**: what is said, to whom, about whom, in which amounts and at what time.\n"
    "- **Register**: how formal it is, how it addresses people, its style and variety. If "
    "the register is so wrong that it would be a blunder, give 2 at most.\n"
    "- **Paragraph**: names, pronouns, tenses and forms of address must fit what stands "
    "before and after. A translation that mixes registers or varieties gets 3 at most.\n"
    "- Text that was left untranslated, or that nobody can understand, gets 1.\n"
    "- Slips in spelling, grammar, capital letters and punctuation do not count, unless "
    "they hinder understanding."
)
CORRECT_INSTRUCTIONS = (
    "- **Correct**: it says what the source says and can be read without stumbling, even "
    "if you would have said it in other words.\n"
    "- **Not correct**: it says something else, leaves out or adds something that matters, "
    "or has a mistake that a reader would notice.\n\n"
    "If you cannot decide, ask whether you would send it out as it is."
)
