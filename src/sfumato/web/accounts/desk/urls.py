"""Addresses of IT administrators."""

from django.urls import path

from sfumato.web.accounts.desk import people, server, trail

urlpatterns = [
    path("", people.page, name="desk"),
    path("invite/", people.new_invitation, name="desk-invite"),
    path("invite/<uuid:invitation_id>/withdraw/", people.withdraw, name="desk-invite-withdraw"),
    path("people/<uuid:user_id>/", people.change, name="desk-person"),
    path("server/", server.page, name="desk-server"),
    path("server/projects/<uuid:project_id>/", server.change_project, name="desk-project"),
    path("audit/", trail.page, name="desk-audit"),
]
