"""Translation systems of the lectures, small enough to be understood: no Django in here."""
