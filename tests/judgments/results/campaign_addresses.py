"""Which addresses with a campaign in them show results, and which do not."""

PAGES = {
    *("domains", "agreement", "quality", "scores", "power", "stopping", "exports", "correlation"),
    *("errors", "edits", "answers", "word-links", "recomputation", "segments", "report"),
    *("evaluators", "compare", "compare-campaigns", "learning-curve"),
}
FILES = {"export-json", "export-observations"}
ENDPOINTS = {
    *("api-scores", "api-agreement", "api-quality", "api-power", "api-stopping"),
    *("api-errors", "api-edits", "api-answers", "api-links"),
    *("api-meta-evaluation", "api-pages", "api-segments", "api-tables"),
}
# With more in their addresses than the campaign.
OF_MANY = {
    *("export-table", "chart", "export-errors", "correlation-chart", "api-page", "report-file"),
    *("segment", "api-segment"),
    *("api-table", "api-table-file", "api-chart", "api-chart-picture"),
    "results-page",
    *("compare-file", "compare-campaigns-file", "compare-campaigns-json"),
}
# No figure of judgments: planning, people, judging, texts, forms that write.
ELSEWHERE = {
    *(
        "campaign",
        "campaign-archive",
        "campaign-status",
        "campaign-instructions",
        "campaign-design",
    ),
    *("campaign-design-price", "planned-screen"),
    *(
        "campaign-design-clear",
        "campaign-people",
        "campaign-practice",
        "campaign-practice-item",
        "campaign-notes",
    ),
    *("rehearsal", "rehearsal-file"),  # of judgments that nobody gave
    *("invitation-new", "invitation-close", "member-new", "welcome", "note-resolve"),
    *("member-remove", "member-take-back", "link-revoke", "link-renew", "devices-accept"),
    *("import-judgments", "suggestions", "proposed-links", "questions", "questions-import"),
    "suggestions-from-program",
    *("links-make", "shown-links", "links-progress"),
    *("question-new", "question-edit", "question-delete", "grading", "grading-question"),
    *("judge", "judge-item", "judge-note", "judge-practice", "judge-skipped", "judge-items"),
    "judge-star",
    *("judge-instructions", "judge-return", "edits-hand-over", "answers-decide", "quality-decide"),
    *("quality-rule", "quality-leave-out", "stopping-register", "api-campaign", "campaign-delete"),
    *("known-fault", "pair-test", "next-wave"),
    *("quality-items", "quality-item-decide", "quality-exclusions", "quality-exclusions-file"),
    "errors-weights",  # leads to the page Errors
    "export-chain",  # every judgment that was ever stored
    *("export-format", "api-format", "api-formats"),  # all current judgments
    *("campaign-log", "campaign-log-file", "api-log"),
    # Over all judgments as they arrive, including people excluded by the owners
    *(
        "watch",
        "watch-part",
        "clashes",
        "clash",
        "clash-mark",
        "clash-third",
        "segment-mark",
        "annotator-screen",
    ),
    *("annotator-state", "plan-again", "lacking-file", "tutorial-file"),
    *("campaign-steer", "campaign-close", "campaign-extend", "campaign-give", "task-free"),
    *("notices", "notice-new", "notice-delete"),
    *("invitations-many", "invitation-sheet", "invitation-cards", "invitation-file"),
    *("invitation-mail", "invitation-sheet-close", "member-erase", "judge-consent"),
    *("judge-questionnaire", "campaign-consent", "campaign-completion", "questionnaire-file"),
    *("campaign-messages", "campaign-dates", "campaign-dates-extend", "judge-messages"),
    "campaign-wave",
    *(
        "campaign-pay",
        "campaign-pay-file",
        "campaign-payments",
        "campaign-bonus",
        "campaign-prolific",
        "campaign-prolific-act",
    ),  # of all work, as it is paid
    # Of models, which judge in separate campaigns.
    *("campaign-judges", "campaign-judges-leave", "campaign-judge-new", "campaign-judge"),
    *("campaign-judge-start", "campaign-judge-cancel", "campaign-judge-delete"),
    "campaign-judge-answers",
    *("campaign-judge-worth", "campaign-judge-worth-file", "campaign-judge-worth-json"),
    *("export-file", "api-campaign-file"),  # no judgments
    *("api-campaign-status", "api-invitations", "api-invitation-close", "api-judgments"),
    *("api-progress", "api-decisions", "api-item-decisions"),
    # Made by a worker; tests of judgments.publishing look into them.
    *("export-archive", "download", "download-file", "download-again", "download-discard"),
    "export-release",  # all that is stored, with the figures of all of it
}
