"""A project as a file: common settings of its campaigns, and their differences."""
