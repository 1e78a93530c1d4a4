"""Projects whose campaigns are being judged."""
