"""What is wrong with a bundle, as a sentence for whoever opens it."""


class BundleProblem(Exception):
    """A file that is no bundle, or not one that can be read here."""
