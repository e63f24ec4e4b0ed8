// Passkeys: asks the browser for one, puts its answer into the form around the button, and sends the form.
"use strict";

(() => {
  const bytes = (text) => {
    const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
  };
  const text = (buffer) => {
    const letters = Array.from(new Uint8Array(buffer ?? []), (byte) => String.fromCharCode(byte)).join("");
    return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  };
  const withBytes = (list) => list.map((one) => ({ ...one, id: bytes(one.id) }));

  // The question is in the page, or is asked for when the button is pressed: it lapses after some minutes.
  const question = async (button, form) => {
    if (button.dataset.passkeyOptions) return JSON.parse(button.dataset.passkeyOptions);
    const token = new URLSearchParams();
    const field = form.elements.namedItem("form_token");
    if (field) token.set("form_token", field.value);
    const answer = await fetch(button.dataset.passkey, { method: "POST", body: token });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return answer.json();
  };
  const created = async (options) => {
    const publicKey = {
      ...options,
      challenge: bytes(options.challenge),
      user: { ...options.user, id: bytes(options.user.id) },
      excludeCredentials: withBytes(options.excludeCredentials),
    };
    const { response } = await navigator.credentials.create({ publicKey });
    return { passkey_creation: response.clientDataJSON, passkey_attestation: response.attestationObject };
  };
  const shown = async (options) => {
    const allowCredentials = withBytes(options.allowCredentials);
    const publicKey = { ...options, challenge: bytes(options.challenge), allowCredentials };
    const { rawId, response } = await navigator.credentials.get({ publicKey });
    return {
      passkey_credential: rawId,
      passkey_user: response.userHandle,
      passkey_client_data: response.clientDataJSON,
      passkey_data: response.authenticatorData,
      passkey_signature: response.signature,
    };
  };

  for (const button of document.querySelectorAll("button[data-passkey-kind]")) {
    const form = button.form;
    const status = form.querySelector("[data-passkey-status]");
    if (!window.PublicKeyCredential) {
      status.textContent = status.dataset.unsupported;
      continue;
    }
    button.classList.remove("awaits-script");
    button.addEventListener("click", async () => {
      button.disabled = true;
      status.textContent = status.dataset.waiting;
      try {
        const options = await question(button, form);
        const answer = await (button.dataset.passkeyKind === "create" ? created : shown)(options);
        for (const [name, buffer] of Object.entries(answer)) form.elements.namedItem(name).value = text(buffer);
        form.submit();
      } catch (error) {
        // A device that has a passkey of this account already says so in this way.
        const known = error?.name === "InvalidStateError";
        status.textContent = known ? status.dataset.known : status.dataset.failed;
        button.disabled = false;
      }
    });
  }
})();
