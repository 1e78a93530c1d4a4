"""Addresses of the judgments app. Those of annotators hold nothing but the campaign's number and
the place in their own work."""

from django.conf import settings
from django.contrib.auth.views import LogoutView
from django.urls import path

from .later import ViewsLater
from .views import (
    accounts,
    annotator_screen,
    batches,
    campaigns,
    design,
    entry,
    home,
    imports,
    invitations,
    joining,
    judging,
    material,
    my_data,
    notes,
    notices,
    passwords,
    pay,
    people,
    post_edits,
    practice,
    reading,
    steer,
    test_sets,
    tokens,
    trial,
)

# What needs the analysis.
answers = ViewsLater("judgments.views.answers")
audit = ViewsLater("judgments.views.audit")
clashes = ViewsLater("judgments.views.clashes")
campaign_files = ViewsLater("judgments.views.campaign_files")
deletion = ViewsLater("judgments.views.deletion")
edits = ViewsLater("judgments.views.edits")
links = ViewsLater("judgments.views.word_alignment")
power = ViewsLater("judgments.views.power")
quality = ViewsLater("judgments.views.quality_control")
removed_items = ViewsLater("judgments.views.removed_items")
release_import = ViewsLater("judgments.views.release_import")
releases = ViewsLater("judgments.views.releases")
oidc = ViewsLater("judgments.views.oidc")
results = ViewsLater("judgments.views.results")
spans = ViewsLater("judgments.views.spans")
stopping = ViewsLater("judgments.views.stopping")
watch = ViewsLater("judgments.views.watch")

urlpatterns = [
    # The pages that belong to no campaign
    path("", home.home, name="home"),
    path("about/", home.about, name="about"),
    path("guide/<slug:page>/", home.guide, name="guide"),
    path("accessibility/", home.accessibility, name="accessibility"),
    path("try/", trial.trial, name="trial"),
    path("try/<int:number>/", trial.trial_item, name="trial-item"),
    path("try/<int:number>/instructions/", trial.trial_instructions, name="trial-instructions"),
    path("settings/", reading.reading_settings, name="reading-settings"),
    # Coming in
    path("sign-in/", accounts.SignIn.as_view(), name="login"),
    path("sign-in/demo/", accounts.demo_enter, name="demo-enter"),
    path("sign-out/", LogoutView.as_view(), name="logout"),
    # One's account
    path("account/", passwords.account, name="account"),
    path("account/password/", passwords.PasswordChange.as_view(), name="password-change"),
    path("account/new-password/", passwords.PasswordReset.as_view(), name="password-reset"),
    path(
        "account/new-password/sent/",
        passwords.PasswordResetSent.as_view(),
        name="password-reset-sent",
    ),
    path(
        "account/new-password/<slug:uidb64>/<slug:token>/",
        passwords.PasswordResetConfirm.as_view(),
        name="password-reset-confirm",
    ),
    path("account/tokens/", tokens.tokens, name="tokens"),
    path("account/tokens/<int:token_id>/revoke/", tokens.token_revoke, name="token-revoke"),
    path("account/data/", my_data.my_data, name="my-data"),
    path("account/data.json", my_data.my_data_file, name="my-data-file"),
    path("account/data/erase/", my_data.my_data_erase, name="my-data-erase"),
    path("join/<slug:token>/", joining.join, name="join"),
    path("return/<slug:token>/", joining.return_by_link, name="return"),
    path("campaigns/<int:campaign_id>/welcome/", joining.welcome, name="welcome"),
    # Campaigns
    path("campaigns/", campaigns.campaigns, name="campaigns"),
    path("campaigns/new/", campaigns.campaign_new, name="campaign-new"),
    path("campaigns/new/<slug:preset>/", campaigns.campaign_new_preset, name="campaign-new-preset"),
    path("campaigns/from-file/", campaign_files.campaign_from_file, name="campaign-from-file"),
    path("campaign-schema.json", campaign_files.campaign_schema, name="campaign-schema"),
    path("campaigns/<int:campaign_id>/", campaigns.campaign, name="campaign"),
    path("campaigns/<int:campaign_id>/delete/", deletion.campaign_delete, name="campaign-delete"),
    path("campaigns/<int:campaign_id>/status/", campaigns.campaign_status, name="campaign-status"),
    path(
        "campaigns/<int:campaign_id>/instructions/",
        campaigns.campaign_instructions,
        name="campaign-instructions",
    ),
    path("campaigns/<int:campaign_id>/design/", design.campaign_design, name="campaign-design"),
    path(
        "campaigns/<int:campaign_id>/design/price/",
        design.campaign_design_price,
        name="campaign-design-price",
    ),
    path(
        "campaigns/<int:campaign_id>/design/screens/<int:batch>/<int:number>/",
        annotator_screen.planned_screen,
        name="planned-screen",
    ),
    path(
        "campaigns/<int:campaign_id>/design/clear/",
        design.campaign_design_clear,
        name="campaign-design-clear",
    ),
    path("campaigns/<int:campaign_id>/import/", imports.judgments_import, name="import-judgments"),
    path("campaigns/<int:campaign_id>/suggestions/", spans.suggestions, name="suggestions"),
    path("campaigns/<int:campaign_id>/errors/", spans.errors, name="errors"),
    path(
        "campaigns/<int:campaign_id>/exports/errors.<str:kind>",
        spans.export_errors,
        name="export-errors",
    ),
    path("campaigns/<int:campaign_id>/people/", people.campaign_people, name="campaign-people"),
    path(
        "campaigns/<int:campaign_id>/people/invite/", people.invitation_new, name="invitation-new"
    ),
    path(
        "campaigns/<int:campaign_id>/people/invite/<int:invitation_id>/close/",
        people.invitation_close,
        name="invitation-close",
    ),
    path(
        "campaigns/<int:campaign_id>/people/invite/many/",
        invitations.invitations_many,
        name="invitations-many",
    ),
    path(
        "campaigns/<int:campaign_id>/people/sheets/<int:sheet>/",
        invitations.invitation_sheet,
        name="invitation-sheet",
    ),
    path(
        "campaigns/<int:campaign_id>/people/sheets/<int:sheet>/mail/",
        invitations.invitation_mail,
        name="invitation-mail",
    ),
    path(
        "campaigns/<int:campaign_id>/people/sheets/<int:sheet>/close/",
        invitations.invitation_sheet_close,
        name="invitation-sheet-close",
    ),
    path(
        "campaigns/<int:campaign_id>/people/sheets/<int:sheet>/cards/",
        invitations.invitation_cards,
        name="invitation-cards",
    ),
    path(
        "campaigns/<int:campaign_id>/people/sheets/<int:sheet>.csv",
        invitations.invitation_file,
        name="invitation-file",
    ),
    path("campaigns/<int:campaign_id>/people/add/", people.member_new, name="member-new"),
    path(
        "campaigns/<int:campaign_id>/people/<int:membership_id>/remove/",
        people.member_remove,
        name="member-remove",
    ),
    path(
        "campaigns/<int:campaign_id>/people/<int:membership_id>/take-back/",
        people.member_take_back,
        name="member-take-back",
    ),
    path(
        "campaigns/<int:campaign_id>/people/<int:membership_id>/link/revoke/",
        people.link_revoke,
        name="link-revoke",
    ),
    path(
        "campaigns/<int:campaign_id>/people/<int:membership_id>/link/renew/",
        people.link_renew,
        name="link-renew",
    ),
    path(
        "campaigns/<int:campaign_id>/people/devices/<int:mark_id>/accept/",
        people.devices_accept,
        name="devices-accept",
    ),
    path(
        "campaigns/<int:campaign_id>/people/<int:membership_id>/erase/",
        my_data.member_erase,
        name="member-erase",
    ),
    path("campaigns/<int:campaign_id>/people/pay/", pay.campaign_pay, name="campaign-pay"),
    path(
        "campaigns/<int:campaign_id>/people/pay.csv",
        pay.campaign_pay_file,
        name="campaign-pay-file",
    ),
    path(
        "campaigns/<int:campaign_id>/people/consent/",
        entry.campaign_consent,
        name="campaign-consent",
    ),
    path(
        "campaigns/<int:campaign_id>/people/questionnaire.csv",
        entry.questionnaire_file,
        name="questionnaire-file",
    ),
    path(
        "campaigns/<int:campaign_id>/people/completion/",
        entry.campaign_completion,
        name="campaign-completion",
    ),
    # Questions about documents
    path("campaigns/<int:campaign_id>/questions/", material.questions, name="questions"),
    path(
        "campaigns/<int:campaign_id>/questions/import/",
        material.questions_import,
        name="questions-import",
    ),
    path("campaigns/<int:campaign_id>/questions/new/", material.question_new, name="question-new"),
    path(
        "campaigns/<int:campaign_id>/questions/<int:question_id>/",
        material.question_edit,
        name="question-edit",
    ),
    path(
        "campaigns/<int:campaign_id>/questions/<int:question_id>/delete/",
        material.question_delete,
        name="question-delete",
    ),
    path(
        "campaigns/<int:campaign_id>/practice/",
        practice.campaign_practice,
        name="campaign-practice",
    ),
    path("campaigns/<int:campaign_id>/notes/", notes.campaign_notes, name="campaign-notes"),
    path(
        "campaigns/<int:campaign_id>/notes/<int:note_id>/settle/",
        notes.note_resolve,
        name="note-resolve",
    ),
    # While it is judged
    path("campaigns/<int:campaign_id>/watch/", watch.watch, name="watch"),
    path("campaigns/<int:campaign_id>/watch/<slug:part>/", watch.watch_part, name="watch-part"),
    path("campaigns/<int:campaign_id>/clashes/", clashes.clashes, name="clashes"),
    path("campaigns/<int:campaign_id>/clashes/<slug:key>/", clashes.clash, name="clash"),
    path(
        "campaigns/<int:campaign_id>/clashes/<slug:key>/mark/",
        clashes.clash_mark,
        name="clash-mark",
    ),
    path("campaigns/<int:campaign_id>/steer/", steer.campaign_steer, name="campaign-steer"),
    path("campaigns/<int:campaign_id>/steer/close/", steer.campaign_close, name="campaign-close"),
    path(
        "campaigns/<int:campaign_id>/steer/extend/", steer.campaign_extend, name="campaign-extend"
    ),
    path(
        "campaigns/<int:campaign_id>/steer/batches/<int:task_id>/free/",
        steer.task_free,
        name="task-free",
    ),
    path(
        "campaigns/<int:campaign_id>/people/<int:membership_id>/screen/<int:number>/",
        annotator_screen.annotator_screen,
        name="annotator-screen",
    ),
    path("campaigns/<int:campaign_id>/notices/", notices.notices, name="notices"),
    path("campaigns/<int:campaign_id>/notices/new/", notices.notice_new, name="notice-new"),
    path(
        "campaigns/<int:campaign_id>/notices/<int:rule_id>/delete/",
        notices.notice_delete,
        name="notice-delete",
    ),
    # What was done
    path("campaigns/<int:campaign_id>/log/", audit.campaign_log, name="campaign-log"),
    path("campaigns/<int:campaign_id>/log.csv", audit.campaign_log_file, name="campaign-log-file"),
    path("operator/log/", audit.site_log, name="site-log"),
    path("operator/log.csv", audit.site_log_file, name="site-log-file"),
    path("campaigns/<int:campaign_id>/edits/", edits.edits, name="edits"),
    path(
        "campaigns/<int:campaign_id>/edits/hand-over/",
        edits.edits_hand_over,
        name="edits-hand-over",
    ),
    path("campaigns/<int:campaign_id>/answers/", answers.answers, name="answers"),
    path(
        "campaigns/<int:campaign_id>/answers/decide/",
        answers.answers_decide,
        name="answers-decide",
    ),
    path("campaigns/<int:campaign_id>/grading/", answers.grading_list, name="grading"),
    path(
        "campaigns/<int:campaign_id>/grading/<int:question_id>/",
        answers.grading_question,
        name="grading-question",
    ),
    # Judging
    path("judge/<int:campaign_id>/", judging.judge, name="judge"),
    path("judge/<int:campaign_id>/<int:number>/", judging.judge_item, name="judge-item"),
    path("judge/<int:campaign_id>/<int:number>/note/", notes.judge_note, name="judge-note"),
    path(
        "judge/<int:campaign_id>/practice/<int:number>/",
        practice.judge_practice,
        name="judge-practice",
    ),
    path("judge/<int:campaign_id>/consent/", entry.judge_consent, name="judge-consent"),
    path(
        "judge/<int:campaign_id>/about-you/",
        entry.judge_questionnaire,
        name="judge-questionnaire",
    ),
    path("judge/<int:campaign_id>/skipped/", notes.judge_skipped, name="judge-skipped"),
    path("judge/<int:campaign_id>/return/", batches.judge_return, name="judge-return"),
    path("judge/<int:campaign_id>/items/", judging.judge_items, name="judge-items"),
    path(
        "judge/<int:campaign_id>/instructions/",
        judging.judge_instructions,
        name="judge-instructions",
    ),
    # Results
    path("campaigns/<int:campaign_id>/agreement/", results.agreement, name="agreement"),
    path("campaigns/<int:campaign_id>/quality/", quality.quality, name="quality"),
    path(
        "campaigns/<int:campaign_id>/quality/decide/", quality.quality_decide, name="quality-decide"
    ),
    path("campaigns/<int:campaign_id>/quality/rule/", quality.quality_rule, name="quality-rule"),
    path(
        "campaigns/<int:campaign_id>/quality/leave-out/",
        quality.quality_leave_out,
        name="quality-leave-out",
    ),
    path(
        "campaigns/<int:campaign_id>/quality/segments/",
        removed_items.quality_items,
        name="quality-items",
    ),
    path(
        "campaigns/<int:campaign_id>/quality/segments/decide/",
        removed_items.quality_item_decide,
        name="quality-item-decide",
    ),
    path(
        "campaigns/<int:campaign_id>/quality/exclusions/",
        removed_items.quality_exclusions,
        name="quality-exclusions",
    ),
    path(
        "campaigns/<int:campaign_id>/quality/exclusions.tsv",
        removed_items.quality_exclusions_file,
        name="quality-exclusions-file",
    ),
    path("campaigns/<int:campaign_id>/links/", links.links, name="word-links"),
    path(
        "campaigns/<int:campaign_id>/links/proposed/", links.proposed_links, name="proposed-links"
    ),
    path("campaigns/<int:campaign_id>/scores/", results.scores, name="scores"),
    path("campaigns/<int:campaign_id>/power/", power.power, name="power"),
    path("campaigns/<int:campaign_id>/power/stopping/", stopping.stopping, name="stopping"),
    path(
        "campaigns/<int:campaign_id>/power/stopping/register/",
        stopping.stopping_register,
        name="stopping-register",
    ),
    path("campaigns/<int:campaign_id>/exports/", results.export_page, name="exports"),
    path(
        "campaigns/<int:campaign_id>/exports/campaign.json", results.export_json, name="export-json"
    ),
    path(
        "campaigns/<int:campaign_id>/exports/file.<str:kind>",
        campaign_files.export_file,
        name="export-file",
    ),
    path(
        "campaigns/<int:campaign_id>/exports/judgments.jsonl",
        results.export_chain,
        name="export-chain",
    ),
    path(
        "campaigns/<int:campaign_id>/exports/observations.tsv",
        results.export_observations,
        name="export-observations",
    ),
    path(
        "campaigns/<int:campaign_id>/exports/formats/<slug:slug>/",
        releases.export_format,
        name="export-format",
    ),
    path(
        "campaigns/<int:campaign_id>/recomputation/",
        releases.recomputation,
        name="recomputation",
    ),
    path(
        "campaigns/<int:campaign_id>/exports/<slug:table>.csv",
        results.export_table,
        name="export-table",
    ),
    path("campaigns/<int:campaign_id>/charts/<slug:chart>.<str:kind>", results.chart, name="chart"),
    # Releases
    path("import/", release_import.bring, name="import"),
    path("import/<int:upload_id>/", release_import.found, name="import-found"),
    path("import/<int:upload_id>/done/", release_import.done, name="import-done"),
    path("import/<int:upload_id>/progress/", release_import.progress, name="import-progress"),
    path("import/<int:upload_id>/answer/", release_import.answer, name="import-answer"),
    path("import/<int:upload_id>/retry/", release_import.retry, name="import-retry"),
    path("import/<int:upload_id>/cancel/", release_import.cancel, name="import-cancel"),
    # Test sets
    path("testsets/", test_sets.test_sets, name="test-sets"),
    path("testsets/new/", test_sets.test_set_new, name="test-set-new"),
    path("testsets/<int:test_set_id>/", test_sets.test_set, name="test-set"),
    path("testsets/<int:test_set_id>/delete/", deletion.test_set_delete, name="test-set-delete"),
    path(
        "testsets/<int:test_set_id>/systems/<int:system_id>/delete/",
        deletion.system_delete,
        name="system-delete",
    ),
    path(
        "testsets/<int:test_set_id>/formats/<slug:slug>/",
        releases.export_texts,
        name="export-texts",
    ),
    path("testsets/<int:test_set_id>/texts/", test_sets.test_set_texts, name="test-set-texts"),
    path("testsets/<int:test_set_id>/post-edits/", post_edits.post_edits, name="post-edits"),
    path(
        "testsets/<int:test_set_id>/post-edits/delete/",
        post_edits.post_edits_delete,
        name="post-edits-delete",
    ),
]

if settings.OIDC_ISSUER:
    urlpatterns += [
        path("oidc/", oidc.start, name="oidc-start"),
        path("oidc/return/", oidc.come_back, name="oidc-return"),
        path("oidc/connect/", oidc.connect, name="oidc-connect"),
    ]
