"""Addresses of this page."""

from django.urls import path

from sfumato.web.studies.people import centres, inviting, keeping, views

urlpatterns = [
    path("", views.page, name="study-people"),
    path("invite/", inviting.new_invitation, name="study-people-invite"),
    path("invite/<uuid:invitation_id>/withdraw/", inviting.withdraw, name="study-people-withdraw"),
    path("administrators/", views.add_administrator, name="study-people-administrator"),
    path("centres/", centres.new, name="study-people-centre-new"),
    path("centres/<uuid:centre_id>/", centres.change, name="study-people-centre"),
    path("<uuid:user_id>/", views.change, name="study-people-change"),
    path("<uuid:user_id>/end/", views.end, name="study-people-end"),
    path("retention/", keeping.retention, name="study-people-retention"),
    path("delete/", keeping.delete, name="study-people-delete"),
    path("audit-trail/", keeping.trail, name="study-people-trail"),
]
