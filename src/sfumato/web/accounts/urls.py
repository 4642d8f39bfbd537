"""Addresses of accounts."""

from django.urls import include, path

from sfumato.web.accounts.desk import urls as desk
from sfumato.web.accounts.invitations import views as invitations
from sfumato.web.accounts.me import urls as me
from sfumato.web.accounts.sign_in import client_certificates, pages, single_sign_on, two_factor

urlpatterns = [
    path("sign-in/", pages.page, name="sign-in"),
    path("sign-in/", pages.page, name="account_login"),  # the name under which allauth looks for it
    path("sign-in/certificate/", client_certificates.page, name="sign-in-certificate"),
    path("sign-in/single/<slug:provider_id>/", single_sign_on.begin, name="openid_connect_login"),
    path("sign-in/single/<slug:provider_id>/answer/", single_sign_on.callback, name="openid_connect_callback"),
    path("sign-out/", pages.leave, name="sign-out"),
    path("start/<str:token>/", pages.start, name="start"),
    path("language/", pages.language, name="language"),
    path("invite/<str:token>/", invitations.page, name="invite"),
    *two_factor.urlpatterns,
    path("me/", include(me.urlpatterns)),
    path("desk/", include(desk.urlpatterns)),
]
