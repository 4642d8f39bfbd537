"""Addresses of this page."""

from django.urls import path

from sfumato.web.workbench.members import keeping, views

urlpatterns = [
    path("", views.page, name="members"),
    path("invite/", views.new_invitation, name="members-invite"),
    path("invite/<uuid:invitation_id>/withdraw/", views.withdraw, name="members-invite-withdraw"),
    path("<uuid:user_id>/role/", views.change_role, name="members-role"),
    path("<uuid:user_id>/remove/", views.remove, name="members-remove"),
    path("<uuid:user_id>/owner/", views.transfer, name="members-transfer"),
    path("retention/", keeping.retention, name="members-retention"),
    path("delete/", keeping.delete, name="members-delete"),
    path("audit-trail/", views.trail, name="members-trail"),
]
