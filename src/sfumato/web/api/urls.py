"""Addresses of the JSON interface.  Its operations ask for a token themselves, so no page of sign-in answers them."""

from django.urls import path

from sfumato.web.api import documentation
from sfumato.web.api.operations import ROUTERS
from sfumato.web.api.service import service

for _router in ROUTERS:
    service.add_router("", _router)
_operations, _app, _namespace = service.urls
for _pattern in _operations:
    _pattern.callback.role = "api"
    _pattern.callback.login_required = False

urlpatterns = [
    path("", documentation.page, name="api"),
    path("1/openapi.json", documentation.schema, name="api-schema"),
    path("1/", (_operations, _app, _namespace)),
    path("1/<path:rest>", documentation.missing),
]
