"""Small random tables and language models for tests of the decoder."""

from itertools import permutations

import numpy as np

from metrics.lessons.baselines.decoder import FEATURES
from metrics.lessons.baselines.lattice import applications_of


class Bigrams:
    """A language model with a random cost for every pair of words."""

    start = "<s>"

    def __init__(self, seed):
        self.seed = seed

    def cost(self, before, word):
        return np.random.default_rng([self.seed, *f"{before} {word}".encode()]).uniform(0, 4)

    def step(self, state, word):
        return word, self.cost(state, word)

    def end(self, state):
        return self.cost(state, "</s>")


def random_table(rng, words, longest=2, options=2):
    """Return some phrases of a sentence with some translations."""
    table = {}
    for start in range(len(words)):
        for end in range(start + 1, min(start + longest, len(words)) + 1):
            if rng.random() < 0.8:
                table[tuple(words[start:end])] = [
                    (
                        tuple(f"t{rng.integers(4)}" for _ in range(rng.integers(1, 3))),
                        tuple(rng.uniform(0, 2, 4).tolist()),
                    )
                    for _ in range(rng.integers(1, options + 1))
                ]
    return table


def segmentations(n, applications):
    """Return all ways to cut n words into applications, in source order."""
    if n == 0:
        yield ()
    for each in applications:
        if each.end == n:
            for before in segmentations(each.start, applications):
                yield (*before, each)


def all_paths(words, table, model, weights, window, longest):
    """Return (cost, words, features) of every segmentation in every order allowed by the window."""
    applications = applications_of(words, table, longest)
    found = []
    for cut in segmentations(len(words), applications):
        for order in permutations(cut):
            covered, last, state = set(), 0, model.start
            features = np.zeros(len(FEATURES))
            target = []
            for each in order:
                first = min(set(range(len(words))) - covered)
                if each.start - first > window:
                    break
                features[:4] += each.costs
                features[7] += abs(each.start - last)
                features[8] += each.is_unknown
                covered |= set(range(each.start, each.end))
                last = each.end
                target += each.target
            else:
                for word in target:
                    state, cost = model.step(state, word)
                    features[4] += cost
                features[4] += model.end(state)
                features[5], features[6] = len(target), len(order)
                found.append((float(features @ weights), tuple(target), tuple(features)))
    return sorted(found)
