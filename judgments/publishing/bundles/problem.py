"""Errors of bundles, as a sentence for the person who opens one."""


class BundleProblem(Exception):
    """A file that is not a bundle, or one that cannot be read here."""
