"""Tables of any kind: the files that contain them (`sources`), the meaning of their columns
(`columns`), and the resulting texts and judgments; our own long tables, in three kinds of files
(`long`)."""
