// Passkeys: hands the forms of a page to allauth's script, and shows them only where the browser can use them.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  if (!window.PublicKeyCredential || !window.allauth) return;
  for (const form of document.querySelectorAll("form[data-passkey]")) {
    const ids = {credential: "passkey-credential"};
    if (document.getElementById("passkey-data")) ids.data = "passkey-data";
    ids[form.dataset.passkey] = "passkey-button";
    if (document.getElementById("passkey-alone")) ids.passwordless = "passkey-alone";
    window.allauth.webauthn.forms[`${form.dataset.passkey}Form`]({ids});
    form.hidden = false;
  }
});
