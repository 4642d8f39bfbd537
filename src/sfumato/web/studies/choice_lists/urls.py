"""Addresses of lists."""

from typing import Any

from django.urls import path

from sfumato.web.studies.choice_lists import views

urlpatterns: list[Any] = [
    path("", views.choice_lists, name="lists"),
    path("new/", views.new, name="list-new"),
    path("<uuid:list_id>/", views.choice_list, name="list"),
    path("<uuid:list_id>/change/", views.change, name="list-change"),
    path("<uuid:list_id>/add/", views.add, name="list-add"),
    path("<uuid:list_id>/option/<str:option_key>/", views.option, name="list-option"),
    path("<uuid:list_id>/copy/", views.copy, name="list-copy"),
    path("<uuid:list_id>/delete/", views.delete, name="list-delete"),
    path("<uuid:list_id>/file/", views.download, name="list-file"),
]
