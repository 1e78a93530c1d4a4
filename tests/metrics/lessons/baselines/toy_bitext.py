"""The lecture's phrase table (4F11 lecture 13, Byrne 2014), and an alignment that produces it."""

# Source phrase → target phrases.
LECTURE_TABLE = {
    "that is the": {"voila", "qui est", "qui est le"},
    "these are the": {"voila"},
    "these are": {"voila"},
    "those are": {"voila"},
    "fundamental problem": {
        "probleme fondamental",
        "le probleme fondamental",
        "la difficulte fondamental",
    },
    "the fundamental problem": {"probleme fondamental", "le probleme fondamental"},
    "who is": {"qui est"},
    "it is": {"qui est le"},
    "it is the": {"qui est le"},
}
LECTURE_PAIRS = {(f, e) for f, targets in LECTURE_TABLE.items() for e in targets}


def block(n_source: int, n_target: int, first: int = 0, first_target: int = 0):
    """Return links of each of some words to each of some others: a phrase that cannot be cut."""
    return [(first + i, first_target + j) for i in range(n_source) for j in range(n_target)]


# (source, target, links). Unlinked words make two entries of one: “these are (the)”.
ALIGNED = [
    ("that is the", "voila", block(3, 1)),
    ("these are the", "voila", block(2, 1)),
    ("those are", "voila", block(2, 1)),
    ("that is the", "qui est le", block(3, 2)),
    ("the fundamental problem", "le probleme fondamental", block(2, 2, 1, 1)),
    ("fundamental problem", "la difficulte fondamental", block(2, 3)),
    ("who is", "qui est", block(2, 2)),
    ("it is the", "qui est le", block(2, 3)),
]
SOURCES = [source.split() for source, _, _ in ALIGNED]
TARGETS = [target.split() for _, target, _ in ALIGNED]
LINKS = [tuple(links) for _, _, links in ALIGNED]
