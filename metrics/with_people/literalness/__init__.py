"""How literally outputs follow the word order of their source, by crossings of alignment links, and
whether a metric prefers that more than people do.

Crossing pairs of links are defined as by Birch, Osborne and Blunsom (2010, "Metrics for MT
evaluation: evaluating reordering", Machine Translation 24): judgments.stats.crossings.
"""
