// Passkeys with Chromium's own virtual authenticator: set up, used to sign in and to prove again who it is, removed.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { open, shifts, signIn, violations } from "./browser.mjs";
import { PASSWORD, addPerson, start } from "./service.mjs";

/** A port of this machine that is free now. */
async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** A device in this window that holds passkeys and knows its owner by a fingerprint. */
async function device(context, page) {
  const session = await context.newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    credentials: async () => (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials,
    recognises: (isUserVerified) => session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
  };
}

async function signOut(page) {
  await page.locator("details.account > summary").click();
  await page.locator(".account-menu").getByRole("button", { name: "Sign out" }).click();
  await page.getByText("You have signed out.").waitFor();
}

export function passkeys(world) {
  test("a passkey is set up, opens the account, proves who it is, and is removed", async () => {
    // Browsers make passkeys for a name only, never for an address that is a number.
    const port = await freePort();
    const site = `http://localhost:${port}`;
    const service = await start({ listen: `127.0.0.1:${port}`, publicUrl: site });
    try {
      const email = addPerson(service, "manager");
      const { context, page, wrong } = await open(world.browser, site);
      const held = await device(context, page);
      await signIn(page, email, PASSWORD);
      await page.goto("/workspace/profile");
      await page.getByLabel("Name of the passkey").fill("Work laptop");
      await page.getByRole("button", { name: "Add a passkey" }).click();
      await page.getByRole("button", { name: "Create the passkey “Work laptop”" }).waitFor();
      assert.deepEqual(await shifts(page), []);
      assert.deepEqual(await violations(page), []);
      await page.getByRole("button", { name: "Create the passkey “Work laptop”" }).click();
      await page.getByText("Passkey added.").waitFor();
      assert.equal((await held.credentials()).length, 1);
      assert.deepEqual(await violations(page), []);
      await signOut(page);

      // A person whom the device does not recognise gets no further than the sign-in page.
      await held.recognises(false);
      await page.getByRole("button", { name: "Sign in with a passkey" }).click();
      await page.getByText("That did not work, or was cancelled.").waitFor();
      assert.deepEqual(await violations(page), []);
      await held.recognises(true);
      await page.getByRole("button", { name: "Sign in with a passkey" }).click();
      await page.waitForURL(`${site}/workspace`);

      await page.goto("/workspace/profile");
      const row = page.getByRole("row", { name: /Work laptop/ });
      assert.equal(await row.getByText("never").count(), 0, "the page says when it was last used");
      await row.getByText("Remove").first().click();
      // A wrong password leads to the page that asks for a proof, however fresh the last one is.
      await row.locator("form").evaluate((form) => {
        const field = document.createElement("input");
        Object.assign(field, { type: "hidden", name: "proof_password", value: "wrong" });
        form.append(field);
      });
      await row.getByRole("button", { name: "Remove" }).click();
      await page.getByRole("button", { name: "Confirm with a passkey" }).waitFor();
      assert.deepEqual(await violations(page), []);
      await page.getByRole("button", { name: "Confirm with a passkey" }).click();
      await page.getByText("Passkey removed.").waitFor();
      await signOut(page);
      await page.getByRole("button", { name: "Sign in with a passkey" }).click();
      await page.getByText("This passkey was not accepted.").waitFor();
      assert.deepEqual(wrong, []);
      await context.close();

      const german = await open(world.browser, site, { locale: "de-DE" });
      await german.page.goto("/workspace/sign-in");
      await german.page.getByRole("button", { name: "Mit Passkey anmelden" }).waitFor();
      assert.deepEqual(await shifts(german.page), []);
      await german.context.close();
      const plain = await open(world.browser, site, { javaScriptEnabled: false });
      await plain.page.goto("/workspace/sign-in");
      assert.match(await plain.page.content(), /<noscript>.*Passkeys need JavaScript/);
      assert.equal(await plain.page.getByRole("button", { name: "Sign in with a passkey" }).count(), 0);
      await plain.context.close();
    } finally {
      await service.stop();
    }
  });
}
