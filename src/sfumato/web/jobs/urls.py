"""Addresses of jobs."""

from django.urls import path

from sfumato.web.jobs import views

urlpatterns = [
    path("", views.jobs, name="jobs"),
    path("<uuid:job_id>/", views.state, name="job"),
    path("<uuid:job_id>/cancel/", views.stop, name="job-cancel"),
]
