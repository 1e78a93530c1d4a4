"""Descriptions of acts, by the name of their address. Apps add their own in `audited_acts`."""

from functools import cache
from importlib import import_module

from django.apps import apps

# Judging, and reading settings: work that is stored as judgments, not acts on a campaign. Answers
# of a trial are not stored at all.
NOT_ACTS = {
    *("column-widths", "compared-texts", "own-keys", "reading-settings", "return", "trial-item"),
}
SAFE = {"GET", "HEAD", "OPTIONS"}

ACTS = {
    # Joining
    "login": "signed in",
    "demo-enter": "entered the demo",
    "demo-take": "took a copy of the demo",
    "demo-switch": "went on as the other person of the demo",
    "demo-end": "deleted the copy of the demo",
    "logout": "signed out",
    "join": "joined",
    "password-change": "changed the password",
    "password-reset": "asked for a new password",
    "password-reset-confirm": "chose a new password",
    "tokens": "created a token",
    "token-revoke": "revoked a token",
    # Campaigns
    "campaign-new-preset": "created a campaign",
    "campaign-from-file": "created a campaign from a file",
    "api-campaign-from-file": "created a campaign from a file",
    "campaign-status": "changed the status",
    "api-campaign-status": "changed the status",
    "campaign-delete": "deleted the campaign",
    "campaign-instructions": "changed the instructions",
    "campaign-practice-item": "changed the tutorial",
    "campaign-design": "planned who judges what",
    "campaign-design-clear": "discarded the plan",
    "campaign-wave": "added a wave to the plan",
    "import-judgments": "imported judgments",
    "api-judgments": "imported judgments",
    "suggestions": "imported suggested errors",
    "suggestions-from-program": "had a metric suggest errors",
    "proposed-links": "imported proposed links",
    "links-make": "had word links created",
    "questions-import": "imported questions",
    "question-new": "added a question",
    "question-edit": "changed a question",
    "question-delete": "deleted a question",
    # Projects
    "project-new": "created a project",
    "project-edit": "changed a project",
    "project-from-file": "created a project from a file",
    "api-projects": "created a project",
    "api-project-campaigns": "changed a project",
    "project-release": "ordered a release of a project",
    "project-download-file": "downloaded a file of a project",
    "project-download-again": "ordered a file of a project again",
    "project-download-discard": "discarded a file of a project",
    "project-delete": "deleted a project",
    "project-archive": "archived or restored a project",
    "campaign-archive": "archived or restored the campaign",
    "project-invite": "created a link for a colleague in a project",
    "project-links": "created links for annotators of a project",
    "project-links-close": "closed links of a project",
    "project-link-close": "closed a link of a project",
    "project-part-end": "ended somebody's part in a project",
    "project-join": "joined a project",
    "project-links-file": "downloaded the links of a project",
    # People
    "invitation-new": "created an invitation link",
    "api-invitations": "created an invitation link",
    "api-invitation-close": "closed an invitation link",
    "invitation-close": "closed an invitation link",
    "invitations-many": "created links for many people",
    "invitation-sheet-close": "closed the links of a sheet",
    "invitation-mail": "emailed links",
    "invitation-file": "downloaded the links of a sheet",
    "campaign-consent": "changed the consent or the questions about annotators",
    "campaign-completion": "changed completion and names",
    "campaign-messages": "sent a message",
    "campaign-dates": "changed the dates",
    "campaign-dates-extend": "gave more time",
    "campaign-pay": "changed what is paid",
    "campaign-payments": "approved pay or marked it as paid",
    "campaign-bonus": "approved a bonus",
    "campaign-judges-leave": "set whether texts may be sent to models",
    "campaign-judge-new": "added a model as a judge",
    "campaign-judge-start": "let a model judge",
    "campaign-judge-cancel": "stopped a model",
    "campaign-judge-delete": "deleted a model that had not judged",
    "campaign-prolific-act": "approved, paid or replaced people at Prolific",
    "campaign-pay-file": "downloaded the pay",
    "questionnaire-file": "downloaded the answers to the questionnaire",
    "member-erase": "erased a member",
    "my-data-erase": "erased themselves",
    "member-new": "added a member or changed a role",
    "member-remove": "removed a member",
    "member-take-back": "restored a member",
    "link-revoke": "revoked a personal link",
    "link-renew": "renewed a personal link",
    "devices-accept": "confirmed that people who share a device are different",
    "note-resolve": "resolved or reopened a note",
    # Watching
    "campaign-close": "closed the campaign early",
    "campaign-give": "gave batches to an annotator",
    "campaign-extend": "added seats",
    "task-free": "took a batch back",
    "annotator-state": "decided what an annotator may do",
    "plan-again": "planned again what was left out",
    "annotator-screen": "looked at an annotator's screen",
    "clash-mark": "marked a clash",
    "clash-third": "asked a third person about clashes",
    "segment-mark": "marked a segment",
    "notice-new": "set up a notice",
    "notice-delete": "removed a notice",
    # Results
    "quality-decide": "decided on an annotator",
    "quality-rule": "recorded the rule of quality control",
    "quality-leave-out": "left annotators out by the rule",
    "quality-item-decide": "decided on a segment",
    "api-decisions": "decided on an annotator",
    "api-item-decisions": "decided on a segment",
    "quality-exclusions": "imported exclusions",
    "quality-exclusions-file": "downloaded the exclusions",
    "answers-decide": "decided on an annotator",
    "grading-question": "graded answers",
    "edits-hand-over": "handed edits over",
    "stopping-register": "registered a stopping plan",
    "next-wave": "planned a wave of a race",
    "pair-test": "chose how systems are compared",
    "known-fault": "decided on a fault of a publication",
    # Files taken
    "export-json": "downloaded campaign.json or ordered it",
    "export-observations": "downloaded observations.tsv",
    "export-file": "downloaded the campaign's file",
    "export-table": "downloaded a table",
    "export-archive": "ordered the archive of pages",
    "api-table-file": "downloaded a table",
    "export-errors": "downloaded the errors",
    "export-chain": "downloaded the chain",
    "export-release": "ordered a release",
    "download-file": "downloaded a file that was made",
    "download-again": "ordered a file again",
    "download-discard": "discarded a file that was made",
    "campaign-log-file": "downloaded the log",
    "site-log-file": "downloaded the log of the site",
    # Releases
    "import": "uploaded files to import",
    "import-answer": "answered questions about files, or imported them",
    "import-retry": "had files read again",
    "import-mend": "corrected a line of files to import",
    "import-cancel": "discarded files",
    # Test sets
    "test-set-new": "imported a test set",
    "test-set-delete": "deleted the test set",
    "system-delete": "deleted a system",
    "system-facts": "stated facts of a system",
    "reference-facts": "stated facts of references",
    "reference-new": "added a reference",
    "systems-new": "added systems to a test set",
    "reference-donors": "looked for donors of a reference, or removed them",
    "test-set-texts": "added the texts of a test set",
    "test-set-media": "added sound, pictures or videos to a test set",
    "test-set-media-remove": "removed sound, pictures or videos from a test set",
    "post-edits": "imported post-edits",
    "post-edits-delete": "deleted post-edits",
}
# Recorded although they change nothing: judgments or the log leave the site as a file, or an owner
# views an annotator's screen.
TAKEN = {
    *("export-json", "export-observations", "export-table", "export-errors", "api-table-file"),
    *("export-chain", "export-file", "download-file", "project-download-file"),
    "quality-exclusions-file",
    *("invitation-file", "project-links-file", "campaign-pay-file", "questionnaire-file"),
    *("campaign-log-file", "site-log-file", "score-download"),
    "annotator-screen",
}
# Forms with a password, annotators' texts, judgments, or an address that may be a key: none of
# their fields is stored.
WITHOUT_FACTS = {
    "notice-new",
    "login",
    "join",
    "project-join",
    "project-invite",  # an e-mail address
    "grading-question",
    "import-judgments",
    "api-judgments",
    "api-decisions",  # the alias of an annotator, who may have it erased
    "post-edits",
    "api-upload",
    "campaign-completion",  # codes
}
ADMIN = {"add": "added", "change": "changed", "delete": "deleted", "changelist": "changed several"}


@cache
def acts() -> dict[str, str]:
    """Return all acts of addresses, including those of other apps."""
    found = dict(ACTS)
    for config in apps.get_app_configs():
        if name := getattr(config, "audited_acts", ""):
            module, _, attribute = name.rpartition(".")
            found |= getattr(import_module(module), attribute)
    return found


def in_words(act: str) -> str:
    """Return the description of an act; its name if it has none."""
    if act.startswith("admin:"):
        return admin_words(act.removeprefix("admin:"))
    return acts().get(act) or act


def admin_words(name: str) -> str:
    """`judgments_campaign_change` → changed: campaign, in the admin."""
    *model, verb = name.split("_")
    if len(model) < 2 or verb not in ADMIN:
        return f"{name.replace('_', ' ')}, in the admin"
    return f"{ADMIN[verb]}: {' '.join(model[1:])}, in the admin"


def is_recorded(name: str, method: str) -> bool:
    """Return whether a request to an address is an act; called for every request."""
    if method in SAFE:
        return name in TAKEN
    return name not in NOT_ACTS and not name.startswith("judge")
