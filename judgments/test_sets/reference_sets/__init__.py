"""References that come to a test set that is there, and leave it as a file to be corrected."""
