"""For translators of the annotators' pages: the catalogs, and every text on its screen."""
