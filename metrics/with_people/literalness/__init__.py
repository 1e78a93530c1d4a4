"""How literally outputs follow the order of their source, by crossings of alignment links, and
whether a metric prefers that more than people do.

A pair of links crosses as Birch, Osborne and Blunsom (2010, "Metrics for MT evaluation: evaluating
reordering", Machine Translation 24) count it: judgments.stats.crossings.
"""
