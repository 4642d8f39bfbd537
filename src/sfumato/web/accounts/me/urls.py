"""Addresses of one's own account."""

from django.urls import path

from sfumato.web.accounts.me import keys, leaving, views
from sfumato.web.accounts.sign_in import single_sign_on

urlpatterns = [
    path("", views.page, name="me"),
    path("", views.page, name="mfa_index"),  # the name under which allauth looks for it
    path("look/", views.look, name="me-look"),
    path("name/", views.name, name="me-name"),
    path("password/", views.password, name="me-password"),
    path("sessions/end/", views.end_session, name="me-session-end"),
    path("tokens/new/", keys.new_token, name="me-token-new"),
    path("tokens/<uuid:token_id>/revoke/", keys.revoke_token, name="me-token-revoke"),
    path("certificates/new/", keys.new_certificate, name="me-certificate-new"),
    path("certificates/<int:certificate_id>/revoke/", keys.revoke_certificate, name="me-certificate-revoke"),
    path("single/connect/", single_sign_on.connect, name="me-single-connect"),
    path("single/<int:account_id>/disconnect/", single_sign_on.disconnect, name="me-single-disconnect"),
    path("projects/<uuid:project_id>/restore/", leaving.restore, name="me-project-restore"),
    path("studies/<uuid:study_id>/restore/", leaving.restore_own_study, name="me-study-restore"),
    path("delete/", leaving.leave, name="me-delete"),
]
