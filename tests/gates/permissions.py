"""Access to every URL, by method and role: the table checked by test_permissions.py.

A new URL needs a line here. Each answer is a word for each of the roles in world.ROLES:

    ok    the page, the file, or a form with its errors
    in    asked to sign in
    no    403: a member without the right
    --    404: nothing visible to them exists there

A method not listed for a URL is refused with 405, or earlier, as above.
"""

# anonymous, outsider, annotator, annotator elsewhere, researcher, owner, owner elsewhere, staff,
# operator
ALL = "ok  ok ok ok ok ok ok ok ok"
SIGNED_IN = "in  ok ok ok ok ok ok ok ok"
CREATES = "in  no no no no ok ok ok ok"
READS = "in  -- no -- ok ok -- -- ok"
MANAGES = "in  -- no -- no ok -- -- ok"
OWNS = "in  -- no -- no ok -- -- no"
JUDGES = "in  -- ok -- no no -- -- --"
WELCOME = "--  -- ok -- ok ok -- -- --"
TEST_SET = "in  -- -- -- ok ok -- -- ok"
PROJECT = "in  -- -- -- ok ok -- -- ok"
OWN_PROJECT = "in  -- -- -- no ok -- -- ok"
MEDIA = "in  -- ok -- ok ok -- -- ok"
OWN_TEST_SET = "in  -- -- -- no ok -- -- ok"
OWN_CORPUS = OWN_BITEXT = OWN_TOKEN = "in  -- -- -- -- ok -- -- --"
OWN_UPLOAD = "in  -- -- -- -- ok -- -- --"
OWN_DOWNLOAD = "in  -- no -- -- ok -- -- --"
OWN_PROJECT_DOWNLOAD = "in  -- -- -- no ok -- -- --"
OPERATES = "in  no no no no no no no ok"
# Without the token that Prometheus sends.
NOBODY = "--  -- -- -- -- -- -- -- --"
# Programs get a status code that requires them to sign in.
API_SIGNED_IN = SIGNED_IN.replace("in", "no")
API_READS = READS.replace("in", "no")
API_CREATES = CREATES.replace("in", "no")
API_MANAGES = MANAGES.replace("in", "no")
API_TEST_SET = TEST_SET.replace("in", "no")
API_PROJECT = PROJECT.replace("in", "no")
API_OWN_PROJECT = OWN_PROJECT.replace("in", "no")
API_OWN_TEST_SET = OWN_TEST_SET.replace("in", "no")


def of(answers: str, methods: str, names: str) -> dict[str, dict[str, str]]:
    """Return one line of the table for each of the names."""
    return {name: dict.fromkeys(methods.split(), answers) for name in names.split()}


TABLE: dict[str, dict[str, str]] = {
    **of(ALL, "GET", "home about accessibility health health-live health-ready api-schema worker"),
    **of(ALL, "GET", "trial trial-instructions docs docs-page guide examples example example-case"),
    **of(ALL, "GET", "transducers hierarchical-rules"),
    **of(ALL, "GET POST", "trial-item"),
    **of(ALL, "GET", "campaign-schema api-root"),
    **of(ALL, "GET", "campaign-schema signing-key"),
    **of(ALL, "GET POST", "login join project-join return password-reset password-reset-confirm"),
    **of(ALL, "GET", "password-reset-sent"),
    **of(NOBODY, "GET", "prometheus"),
    # On a public demo server only.
    **of(NOBODY, "POST", "demo-enter demo-take demo-switch demo-end"),
    **of(NOBODY, "GET", "demo-wait demo-copy"),
    **of(ALL, "POST", "logout"),
    **of(SIGNED_IN, "GET", "campaigns projects test-sets metric-list metric-page"),
    **of(SIGNED_IN, "GET POST", "reading-settings own-keys"),
    **of(SIGNED_IN, "GET", "held-work"),
    **of(SIGNED_IN, "POST", "column-widths compared-texts"),
    **of(SIGNED_IN, "GET", "account my-data my-data-file"),
    **of(SIGNED_IN, "POST", "my-data-erase"),
    **of(SIGNED_IN, "GET POST", "password-change tokens"),
    **of(OWN_TOKEN, "POST", "token-revoke"),
    **of(MEDIA, "GET", "media"),
    **of(OPERATES, "GET", "operator site-log site-log-file"),
    **of(WELCOME, "GET", "welcome"),
    **of(CREATES, "GET", "campaign-new"),
    **of(CREATES, "GET POST", "campaign-new-preset campaign-from-file test-set-new corpora import"),
    **of(CREATES, "GET POST", "bitexts"),
    **of(OWN_UPLOAD, "GET", "import-found import-done import-progress import-recipe"),
    **of(OWN_UPLOAD, "GET POST", "import-mend"),
    **of(OWN_UPLOAD, "POST", "import-answer import-retry import-cancel"),
    **of(OWN_CORPUS, "POST", "corpus-delete"),
    **of(OWN_BITEXT, "GET", "bitext bitext-file bitext-moses"),
    **of(OWN_BITEXT, "POST", "bitext-link bitext-delete"),
    # Of a campaign
    **of(
        READS,
        "GET",
        """campaign watch watch-part lacking-file tutorial-file clashes clash
        campaign-people campaign-notes questions grading agreement quality scores power domains
        stopping correlation errors edits answers word-links exports
        export-observations export-chain export-table export-errors export-format
        recomputation chart correlation-chart figure report report-file segments segment
        campaign-people campaign-notes questions grading agreement quality scores power
        stopping correlation errors errors-weights evaluators edits answers word-links exports
        export-observations export-chain export-table export-errors export-format
        export-observations export-chain export-table export-errors export-format
        recomputation chart correlation-chart
        quality-items quality-exclusions-file
        compare compare-file compare-campaigns compare-campaigns-file
        compare-campaigns-json learning-curve results-page campaign-judges campaign-judge
        campaign-judge-answers campaign-judge-worth campaign-judge-worth-file
        campaign-judge-worth-json""",
    ),
    **of(READS, "GET POST", "grading-question"),
    **of(MANAGES, "POST", "campaign-judges-leave"),
    **of(READS, "POST", "clash-mark segment-mark"),
    **of(READS, "GET POST", "export-archive export-json"),
    **of(OWN_DOWNLOAD, "GET", "download download-file"),
    **of(OWN_DOWNLOAD, "POST", "download-again download-discard"),
    **of(
        MANAGES,
        "GET POST",
        """campaign-instructions campaign-design campaign-practice-item import-judgments
        suggestions proposed-links question-edit invitations-many campaign-consent
        campaign-completion campaign-pay member-erase pair-test campaign-messages campaign-dates
        campaign-wave campaign-judge-new""",
    ),
    **of(
        MANAGES,
        "POST",
        """campaign-status campaign-archive campaign-design-clear invitation-new invitation-close
        member-new
        questions-import question-new question-delete note-resolve edits-hand-over answers-decide
        quality-decide quality-rule quality-leave-out quality-item-decide quality-exclusions
        stopping-register link-revoke link-renew member-remove member-take-back devices-accept
        invitation-mail invitation-sheet-close links-make known-fault campaign-dates-extend
        campaign-payments campaign-bonus campaign-prolific-act next-wave campaign-judge-start
        campaign-judge-cancel campaign-judge-delete suggestions-from-program""",
    ),
    **of(
        MANAGES,
        "GET",
        """campaign-log campaign-log-file export-file campaign-design-price planned-screen
        campaign-steer notices annotator-screen invitation-sheet invitation-cards
        invitation-file campaign-pay-file campaign-practice campaign-prolific
        questionnaire-file shown-links links-progress rehearsal rehearsal-file""",
    ),
    **of(MANAGES, "POST", "export-release"),
    **of(
        MANAGES,
        "POST",
        "campaign-close campaign-extend campaign-give task-free notice-new notice-delete",
    ),
    **of(MANAGES, "POST", "annotator-state plan-again clash-third"),
    **of(OWNS, "GET POST", "campaign-delete"),
    # Judging
    **of(JUDGES, "GET", "judge-items judge-instructions"),
    **of(JUDGES, "GET POST", "judge judge-item judge-note judge-practice judge-consent"),
    **of(JUDGES, "GET POST", "judge-questionnaire judge-messages"),
    **of(JUDGES, "POST", "judge-skipped judge-return judge-star"),
    # Of a project
    **of(CREATES, "GET POST", "project-new project-from-file"),
    **of(PROJECT, "GET", "project project-page project-json project-file project-report"),
    **of(PROJECT, "GET", "project-metrics-file project-watch project-watch-file"),
    **of(PROJECT, "GET POST", "project-metrics"),
    **of(OWN_PROJECT, "GET POST", "project-edit"),
    **of(OWN_PROJECT, "POST", "project-delete project-archive project-release"),
    **of(OWN_PROJECT, "GET", "project-people project-links-file project-as-file"),
    **of(
        OWN_PROJECT,
        "POST",
        "project-invite project-links project-links-close project-link-close project-part-end",
    ),
    **of(OWN_PROJECT_DOWNLOAD, "GET", "project-download project-download-file"),
    **of(OWN_PROJECT_DOWNLOAD, "POST", "project-download-again project-download-discard"),
    # Of a test set
    **of(
        TEST_SET,
        "GET",
        """test-set test-set-metrics metric-segments metric-diagnostic metric-substitutions
        metric-references score-fragment metric-column metric-documents score-progress
        metric-references-file metric-references-json score-download score-kit-file export-texts
        metric-phrases metric-phrases-file metric-phrases-moses reference-file metric-pairs
        metric-pairs-file metric-pairs-json""",
    ),
    **of(OWN_TEST_SET, "GET POST", "post-edits post-edits-delete metric-delete score-upload"),
    **of(OWN_TEST_SET, "GET POST", "score-kit"),
    **of(OWN_TEST_SET, "GET POST", "test-set-texts test-set-delete system-delete system-facts"),
    **of(OWN_TEST_SET, "GET POST", "reference-facts reference-new systems-new"),
    **of(OWN_TEST_SET, "POST", "reference-donors"),
    **of(OWN_TEST_SET, "GET POST", "test-set-media baseline"),
    **of(OWN_TEST_SET, "GET", "baseline-progress"),
    **of(
        OWN_TEST_SET,
        "POST",
        "test-set-media-remove score-test score-start score-cancel score-retry metric-phrases-link "
        "baseline-cancel",
    ),
    # For programs
    **of(API_SIGNED_IN, "GET", "api-campaigns api-test-sets"),
    **of(
        API_READS,
        "GET",
        """api-campaign api-scores api-agreement api-answers api-errors api-edits api-links
        api-progress api-tables api-table api-table-file api-chart api-chart-picture
        api-quality api-pages api-page api-formats api-format api-power api-stopping
        api-meta-evaluation api-segments api-segment""",
    ),
    **of(API_MANAGES, "GET", "api-log api-campaign-file"),
    **of(API_CREATES, "POST", "api-campaign-from-file"),
    **of(API_MANAGES, "GET POST", "api-invitations"),
    **of(API_MANAGES, "POST", "api-campaign-status api-invitation-close api-judgments"),
    "api-decisions": {"GET": API_READS, "POST": API_MANAGES},
    "api-item-decisions": {"GET": API_READS, "POST": API_MANAGES},
    "api-projects": {"GET": API_SIGNED_IN, "POST": API_CREATES},
    **of(API_PROJECT, "GET", "api-project api-project-tables api-project-table-file"),
    **of(API_OWN_PROJECT, "POST", "api-project-campaigns"),
    **of(API_TEST_SET, "GET", "api-test-set api-test-set-segments"),
    **of(API_TEST_SET, "GET", "api-segment-scores api-pairs api-job"),
    **of(API_OWN_TEST_SET, "POST", "api-job-cancel api-job-retry api-upload"),
    "api-metrics": {"GET": API_TEST_SET, "POST": API_OWN_TEST_SET},
}

# In Django's admin, staff get the front page and their own password; the rest is the operator's.
ADMIN_FOR_STAFF = {"index", "password_change", "password_change_done", "jsi18n", "logout", "login"}
ADMIN_FOR_ALL = {"login"}
