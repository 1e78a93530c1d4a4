"""The demo's test set and its accounts with public passwords."""

TEST_SET = "Demo: the ferry and the workshop"
PASSWORD = "demo-mteval"  # noqa: S105  of accounts on one machine alone
# (user name, password, role): the accounts of the demo, shown by ./run.
SIGN_INS = [
    ("manager", PASSWORD, "owner of the demo campaigns"),
    ("researcher", PASSWORD, "reads their results"),
    ("annotator", PASSWORD, "judges"),
]
