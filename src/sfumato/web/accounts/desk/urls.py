"""Addresses of IT administrators."""

from django.urls import path

from sfumato.web.accounts.desk import people, server, studies, trail

urlpatterns = [
    path("", people.page, name="desk"),
    path("invite/", people.new_invitation, name="desk-invite"),
    path("invite/<uuid:invitation_id>/withdraw/", people.withdraw, name="desk-invite-withdraw"),
    path("people/<uuid:user_id>/", people.change, name="desk-person"),
    path("studies/", studies.page, name="desk-studies"),
    path("studies/<uuid:study_id>/open/", studies.open_study, name="desk-study-open"),
    path("studies/<uuid:study_id>/close/", studies.close_study, name="desk-study-close"),
    path("studies/<uuid:study_id>/administrator/", studies.add_administrator, name="desk-study-administrator"),
    path("server/", server.page, name="desk-server"),
    path("server/projects/<uuid:project_id>/", server.change_project, name="desk-project"),
    path("audit/", trail.page, name="desk-audit"),
]
