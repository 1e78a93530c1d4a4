"""Addresses of campaigns: setting them up, their people, watching them, their results."""

from django.urls import URLPattern, include, path

from judgments.exchange.judgments import views as imports
from judgments.judges import views as judges
from judgments.judging import annotator_screen
from judgments.judging.notes import views as notes
from judgments.judging.practice import views as practice
from judgments.people.invitations import joining
from judgments.people.invitations import views as invitations
from judgments.people.members import views as people
from judgments.people.messages import views as messages
from judgments.people.my_data import views as my_data
from judgments.people.staffing import pay_views as pay
from judgments.people.staffing import views as entry
from judgments.plans.campaigns import date_views as dates
from judgments.plans.campaigns import views as campaigns
from judgments.quality.notices import views as notices
from judgments.quality.prolific import views as prolific
from judgments.quality.watch import steering as steer
from judgments.test_sets.questions import views as material
from mteval_site.lazy_views import LazyViews

# What needs the analysis.
answers = LazyViews("judgments.results.answers.views")
reader_answers = LazyViews("judgments.quality.decisions.answers_views")
audit = LazyViews("judgments.quality.log.views")
design = LazyViews("judgments.plans.views")
waves = LazyViews("judgments.plans.wave_views")
clashes = LazyViews("judgments.quality.clashes.views")
compare = LazyViews("judgments.results.compare.views")
campaign_files = LazyViews("judgments.exchange.campaign_files.views")
worth = LazyViews("judgments.results.judges.views")
deletion = LazyViews("judgments.test_sets.deletion.views")
edits = LazyViews("judgments.results.edits.views")
links = LazyViews("judgments.results.links.views")
quality = LazyViews("judgments.quality.rules.views")
rehearsals = LazyViews("judgments.quality.rehearsal.views")
removed_items = LazyViews("judgments.quality.decisions.removed_items")
report = LazyViews("judgments.publishing.report.views")
recomputation = LazyViews("judgments.results.recomputation.views")
releases = LazyViews("judgments.exchange.releases.views")
results = LazyViews("judgments.results.views")
results_page = LazyViews("judgments.results.page_views").results_page
scores = LazyViews("judgments.results.scores.views")
segments = LazyViews("judgments.results.segments.views")
spans = LazyViews("judgments.results.errors.views")
stopping = LazyViews("judgments.results.stopping.views")
watch = LazyViews("judgments.quality.watch.views")


def _page(name: str, folder: str = "") -> URLPattern:
    """Return a page of results that has an address of its own, at the end of the campaign's."""
    return path(f"{folder or name}/", results_page, {"page": name}, name=name)


# Of one campaign.
of_campaign = [
    path("welcome/", joining.welcome, name="welcome"),
    path("", campaigns.campaign, name="campaign"),
    path("delete/", deletion.campaign_delete, name="campaign-delete"),
    path("archive/", campaigns.campaign_archive, name="campaign-archive"),
    path("status/", campaigns.campaign_status, name="campaign-status"),
    path("instructions/", campaigns.campaign_instructions, name="campaign-instructions"),
    path("dates/", dates.campaign_dates, name="campaign-dates"),
    path("dates/extend/", dates.campaign_dates_extend, name="campaign-dates-extend"),
    path("design/", design.campaign_design, name="campaign-design"),
    path("design/price/", design.campaign_design_price, name="campaign-design-price"),
    path(
        "design/screens/<int:batch>/<int:number>/",
        annotator_screen.planned_screen,
        name="planned-screen",
    ),
    path("design/wave/", waves.campaign_wave, name="campaign-wave"),
    path("design/clear/", design.campaign_design_clear, name="campaign-design-clear"),
    path("rehearsal/", rehearsals.rehearsal, name="rehearsal"),
    path("rehearsal/<slug:name>.<slug:kind>", rehearsals.rehearsal_file, name="rehearsal-file"),
    path("import/", imports.judgments_import, name="import-judgments"),
    path("suggestions/", spans.suggestions, name="suggestions"),
    path(
        "suggestions/from-program/",
        spans.suggestions_from_program,
        name="suggestions-from-program",
    ),
    path("errors/", spans.errors, name="errors"),
    path("errors/weights/", spans.errors_weights, name="errors-weights"),
    path("exports/errors.<str:kind>", spans.export_errors, name="export-errors"),
    path("people/", people.campaign_people, name="campaign-people"),
    path("people/invite/", people.invitation_new, name="invitation-new"),
    path(
        "people/invite/<int:invitation_id>/close/", people.invitation_close, name="invitation-close"
    ),
    path("people/invite/many/", invitations.invitations_many, name="invitations-many"),
    path("people/sheets/<int:sheet>/", invitations.invitation_sheet, name="invitation-sheet"),
    path("people/sheets/<int:sheet>/mail/", invitations.invitation_mail, name="invitation-mail"),
    path(
        "people/sheets/<int:sheet>/close/",
        invitations.invitation_sheet_close,
        name="invitation-sheet-close",
    ),
    path("people/sheets/<int:sheet>/cards/", invitations.invitation_cards, name="invitation-cards"),
    path("people/sheets/<int:sheet>.csv", invitations.invitation_file, name="invitation-file"),
    path("people/add/", people.member_new, name="member-new"),
    path("people/<int:membership_id>/remove/", people.member_remove, name="member-remove"),
    path("people/<int:membership_id>/take-back/", people.member_take_back, name="member-take-back"),
    path("people/<int:membership_id>/link/revoke/", people.link_revoke, name="link-revoke"),
    path("people/<int:membership_id>/link/renew/", people.link_renew, name="link-renew"),
    path("people/devices/<int:mark_id>/accept/", people.devices_accept, name="devices-accept"),
    path("people/<int:membership_id>/erase/", my_data.member_erase, name="member-erase"),
    path("people/messages/", messages.campaign_messages, name="campaign-messages"),
    path("people/pay/", pay.campaign_pay, name="campaign-pay"),
    path("people/pay/payments/", pay.campaign_payments, name="campaign-payments"),
    path("people/pay/bonus/", pay.campaign_bonus, name="campaign-bonus"),
    path("judges/", judges.campaign_judges, name="campaign-judges"),
    path("judges/leave/", judges.campaign_judges_leave, name="campaign-judges-leave"),
    path("judges/new/", judges.campaign_judge_new, name="campaign-judge-new"),
    path("judges/<int:judge_id>/", judges.campaign_judge, name="campaign-judge"),
    path("judges/<int:judge_id>/start/", judges.campaign_judge_start, name="campaign-judge-start"),
    path(
        "judges/<int:judge_id>/cancel/", judges.campaign_judge_cancel, name="campaign-judge-cancel"
    ),
    path(
        "judges/<int:judge_id>/delete/", judges.campaign_judge_delete, name="campaign-judge-delete"
    ),
    path("judges/<int:judge_id>/worth/", worth.judge_worth, name="campaign-judge-worth"),
    path(
        "judges/<int:judge_id>/worth.json",
        worth.judge_worth_json,
        name="campaign-judge-worth-json",
    ),
    path(
        "judges/<int:judge_id>/worth/<slug:name>.csv",
        worth.judge_worth_file,
        name="campaign-judge-worth-file",
    ),
    path(
        "judges/<int:judge_id>/answers.jsonl",
        judges.campaign_judge_answers,
        name="campaign-judge-answers",
    ),
    path("people/pay/prolific/", prolific.campaign_prolific, name="campaign-prolific"),
    path("people/pay/prolific/act/", prolific.campaign_prolific_act, name="campaign-prolific-act"),
    path("people/pay.csv", pay.campaign_pay_file, name="campaign-pay-file"),
    path("people/consent/", entry.campaign_consent, name="campaign-consent"),
    path("people/questionnaire.csv", entry.questionnaire_file, name="questionnaire-file"),
    path("people/completion/", entry.campaign_completion, name="campaign-completion"),
    # Questions about documents
    path("questions/", material.questions, name="questions"),
    path("questions/import/", material.questions_import, name="questions-import"),
    path("questions/new/", material.question_new, name="question-new"),
    path("questions/<int:question_id>/", material.question_edit, name="question-edit"),
    path("questions/<int:question_id>/delete/", material.question_delete, name="question-delete"),
    path("practice/", practice.campaign_practice, name="campaign-practice"),
    path("practice/<int:number>/", practice.practice_item, name="campaign-practice-item"),
    path("notes/", notes.campaign_notes, name="campaign-notes"),
    path("notes/<int:note_id>/settle/", notes.note_resolve, name="note-resolve"),
    # While it is judged
    path("watch/", watch.watch, name="watch"),
    path("watch/lacking.csv", watch.lacking_file, name="lacking-file"),
    path("watch/tutorial.csv", watch.tutorial_file, name="tutorial-file"),
    path("watch/plan-again/", steer.plan_again, name="plan-again"),
    path("people/<int:membership_id>/state/", steer.annotator_state, name="annotator-state"),
    path("watch/<slug:part>/", watch.watch_part, name="watch-part"),
    path("clashes/", clashes.clashes, name="clashes"),
    path("clashes/third/", clashes.clash_third, name="clash-third"),
    path("clashes/<slug:key>/", clashes.clash, name="clash"),
    path("clashes/<slug:key>/mark/", clashes.clash_mark, name="clash-mark"),
    path("steer/", steer.campaign_steer, name="campaign-steer"),
    path("steer/close/", steer.campaign_close, name="campaign-close"),
    path("steer/give/", steer.campaign_give, name="campaign-give"),
    path("steer/extend/", steer.campaign_extend, name="campaign-extend"),
    path("steer/batches/<int:task_id>/free/", steer.task_free, name="task-free"),
    path(
        "people/<int:membership_id>/screen/<int:number>/",
        annotator_screen.annotator_screen,
        name="annotator-screen",
    ),
    path("notices/", notices.notices, name="notices"),
    path("notices/new/", notices.notice_new, name="notice-new"),
    path("notices/<int:rule_id>/delete/", notices.notice_delete, name="notice-delete"),
    # What was done
    path("log/", audit.campaign_log, name="campaign-log"),
    path("log.csv", audit.campaign_log_file, name="campaign-log-file"),
    path("edits/", edits.edits, name="edits"),
    path("edits/hand-over/", edits.edits_hand_over, name="edits-hand-over"),
    path("answers/", reader_answers.answers, name="answers"),
    path("answers/decide/", reader_answers.answers_decide, name="answers-decide"),
    path("grading/", answers.grading_list, name="grading"),
    path("grading/<int:question_id>/", answers.grading_question, name="grading-question"),
    # Results
    path("segments/", segments.segments, name="segments"),
    path("segments/<int:segment_id>/", segments.segment, name="segment"),
    path("segments/<int:segment_id>/mark/", segments.segment_mark, name="segment-mark"),
    path("agreement/", results.agreement, name="agreement"),
    _page("evaluators"),
    path("quality/", quality.quality, name="quality"),
    path("quality/decide/", quality.quality_decide, name="quality-decide"),
    path("quality/rule/", quality.quality_rule, name="quality-rule"),
    path("quality/leave-out/", quality.quality_leave_out, name="quality-leave-out"),
    path("quality/segments/", removed_items.quality_items, name="quality-items"),
    path("quality/segments/decide/", removed_items.quality_item_decide, name="quality-item-decide"),
    path("quality/exclusions/", removed_items.quality_exclusions, name="quality-exclusions"),
    path(
        "quality/exclusions.tsv",
        removed_items.quality_exclusions_file,
        name="quality-exclusions-file",
    ),
    _page("word-links", "links"),
    path("links/proposed/", links.proposed_links, name="proposed-links"),
    _page("scores"),
    _page("domains"),
    _page("learning-curve"),
    path("compare/", compare.compare, name="compare"),
    path("compare/campaigns/", compare.compare_campaigns, name="compare-campaigns"),
    path("compare/campaigns.json", compare.compare_campaigns_json, name="compare-campaigns-json"),
    path(
        "compare/campaigns/files/<slug:name>.<str:kind>",
        compare.compare_campaigns_file,
        name="compare-campaigns-file",
    ),
    path("compare/files/<slug:name>.<str:kind>", compare.compare_file, name="compare-file"),
    _page("power"),
    path("scores/test/", scores.pair_test, name="pair-test"),
    path("scores/wave/", scores.next_wave, name="next-wave"),
    path("power/stopping/", stopping.stopping, name="stopping"),
    path("power/stopping/register/", stopping.stopping_register, name="stopping-register"),
    path("report/", report.report, name="report"),
    path("report.<str:kind>", report.report_file, name="report-file"),
    _page("recomputation"),
    path("recomputation/faults/", recomputation.known_fault, name="known-fault"),
    path("results/<slug:page>/", results_page, name="results-page"),
    path("charts/<slug:chart>.<str:kind>", results.chart, name="chart"),
]

urlpatterns = [
    path("campaigns/<int:campaign_id>/", include(of_campaign)),
    path("campaigns/<int:campaign_id>/exports/", include("judgments.urls.exports")),
    path("campaigns/<int:campaign_id>/links/", include("judgments.urls.links")),
    # Campaigns
    path("campaigns/", campaigns.campaigns, name="campaigns"),
    path("campaigns/new/", campaigns.campaign_new, name="campaign-new"),
    path("campaigns/new/<slug:preset>/", campaigns.campaign_new_preset, name="campaign-new-preset"),
    path("campaigns/from-file/", campaign_files.campaign_from_file, name="campaign-from-file"),
]
