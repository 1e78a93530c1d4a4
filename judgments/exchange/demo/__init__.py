"""The demo: a small test set of our own and four campaigns with simulated judgments.

Each campaign is a file in this folder, as anybody can write it; a program simulates the judgments.
The texts are written for this project; four of the systems are invented, each with its typical
errors, and the fifth is the output of *Add a baseline system* for these texts. There are two
references, control items, and a careless annotator detected by the rules; see `simulation`. Besides
the people a program answers like a language model, so that the pages of judges show something.
"""

from .loading import fill, load

__all__ = ["fill", "load"]
