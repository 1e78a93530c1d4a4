"""References added to an existing test set, and exported as a file to be corrected."""
