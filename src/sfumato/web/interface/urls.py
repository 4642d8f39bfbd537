"""Addresses of scripts that packages bring along."""

from django.urls import path

from sfumato.web.interface import vega

urlpatterns = [path("scripts/vega.js", vega.script, name="vega")]
