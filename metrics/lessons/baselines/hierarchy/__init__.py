"""Hierarchical phrase-based translation: rules with gaps, recursive transition networks over the
spans of a sentence, a language model by composition (Chiang 2007; de Gispert et al. 2010).
"""

from .chart import Networks, chart_of, networks, span_name
from .decoder import expanded, translate
from .extraction import extract_rules
from .rules import Gap, Grammar, Rule, read_rules, write_rule

__all__ = [
    "Gap",
    "Grammar",
    "Networks",
    "Rule",
    "chart_of",
    "expanded",
    "extract_rules",
    "networks",
    "read_rules",
    "span_name",
    "translate",
    "write_rule",
]
