"""The demo: a small test set of our own and four campaigns with simulated judgments.

Each campaign is a file beside this one, as anybody can write it; the judgments are made up by a
program. The texts are written for this project; four of the systems are invented, each with the
errors of its kind, and the fifth is what *Add a baseline system* makes of the texts. There are two
references, control items, and a careless annotator whom the rules find; see `simulation`. Beside
the people a program answers as a language model would, so that the pages of judges show something.
"""

from .loading import fill, load

__all__ = ["fill", "load"]
