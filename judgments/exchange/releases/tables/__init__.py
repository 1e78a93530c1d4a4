"""Tables of any kind: which files hold them (`sources`), what their columns mean (`columns`), and
what follows for texts and judgments; our own long tables, in three kinds of files (`long`)."""
