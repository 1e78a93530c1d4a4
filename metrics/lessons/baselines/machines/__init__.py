"""Weighted finite-state machines over the tropical semiring: the weight of a path is the sum of its
arcs', that of a string the least of its paths'. Weights are negative natural logarithms of
probabilities; labels are texts, "" is the empty string ε.

Sources: Mohri, Pereira and Riley 2002 (Weighted finite-state transducers in speech recognition);
Allauzen and Mohri 2008 (3-way composition of weighted finite-state transducers); de Gispert et al.
2010 (Hierarchical phrase-based translation with weighted finite-state transducers).
"""

from .builders import acceptor_of, closure, concatenate, from_arcs, transducer_of, union
from .composition import FAILURE, compose, weight_of
from .determinization import determinize
from .language_model import LanguageModelStates, train, with_language_model
from .language_model_acceptor import language_model_acceptor
from .machine import EPSILON, Arc, Machine, connect, project, topological_order
from .minimization import minimize
from .paths import MachinePath, n_paths, paths, shortest_paths
from .removal import remove_epsilon
from .replacement import replace

__all__ = [
    "EPSILON",
    "FAILURE",
    "Arc",
    "LanguageModelStates",
    "Machine",
    "MachinePath",
    "acceptor_of",
    "closure",
    "compose",
    "concatenate",
    "connect",
    "determinize",
    "from_arcs",
    "language_model_acceptor",
    "minimize",
    "n_paths",
    "paths",
    "project",
    "remove_epsilon",
    "replace",
    "shortest_paths",
    "topological_order",
    "train",
    "transducer_of",
    "union",
    "weight_of",
    "with_language_model",
]
