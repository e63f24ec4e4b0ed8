// Signing in through a real identity provider: `oidc-provider`, a certified server, set up by an administrator.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { Provider } from "oidc-provider";
import { open, signIn, violations } from "./browser.mjs";
import { start } from "./service.mjs";

const SECRET = "a secret of the browser test";

/** A server on this machine whose work is told later. */
async function server() {
  let work = (_, answer) => answer.writeHead(503).end();
  const listening = createServer((request, answer) => work(request, answer));
  await new Promise((done) => listening.listen(0, "127.0.0.1", done));
  const { port } = listening.address();
  const stop = () => new Promise((done) => { listening.closeAllConnections(); listening.close(done); });
  return { port, address: `http://127.0.0.1:${port}`, does: (told) => { work = told; }, stop };
}

/** The provider knows everyone by the name they type, and vouches for an address of the demo institution. */
function provider(issuer, service) {
  return new Provider(issuer, {
    clients: [{ client_id: "tidewall", client_secret: SECRET, redirect_uris: [`${service}/workspace/sign-in/callback`] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
    scopes: ["openid", "email", "profile", "groups"],
    cookies: { keys: ["only for this test"] },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@demo.example`, email_verified: true, name: `Person ${id}`, groups: ["risk"] }),
    }),
  });
}

export function identity(world) {
  test("a person signs in through an identity provider that an administrator has set up", async () => {
    // A port that is free now: the service must know the address that people use before it listens.
    const free = await server();
    await free.stop();
    const issuer = await server();
    const service = await start({ listen: `127.0.0.1:${free.port}`, reaches: [issuer.address] });
    try {
      issuer.does(provider(issuer.address, service.address).callback());
      const { context, page, wrong } = await open(world.browser, service.address);
      await signIn(page, service.email, service.password);
      await page.goto("/workspace/settings/sign-in");
      await page.getByLabel("Issuer").fill(issuer.address);
      await page.getByLabel("Client ID").fill("tidewall");
      await page.getByLabel("Client secret").fill(SECRET);
      await page.getByLabel("Scopes").fill("openid email profile groups");
      await page.getByLabel("Text of the button").fill("Demo bank login");
      await page.getByLabel("Email domains").fill("demo.example");
      await page.getByLabel("Claim with the groups").fill("groups");
      await page.getByLabel("Groups and roles").fill("risk = manager");
      await page.getByLabel("Create accounts at the first sign-in").check();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("The settings of the identity provider are saved.").waitFor();
      assert.deepEqual(await violations(page), []);
      await page.getByRole("button", { name: "Check the connection" }).click();
      await page.getByText("The connection works.").waitFor();
      await context.close();
      assert.deepEqual(wrong, []);

      const person = await open(world.browser, service.address);
      // The provider's own pages ask for a typeface on the internet.
      await person.context.route("https://fonts.googleapis.com/**", (asked) => asked.fulfill({ contentType: "text/css", body: "" }));
      await person.page.goto("/workspace/findings");
      await person.page.getByRole("button", { name: "Demo bank login" }).click();
      await person.page.waitForURL(`${issuer.address}/**`);
      await person.page.locator("input[name=login]").fill("carla");
      await person.page.locator("input[name=password]").fill("anything");
      await person.page.getByRole("button", { name: "Sign-in" }).click();
      await person.page.getByRole("button", { name: "Continue" }).click();
      await person.page.waitForURL(`${service.address}/workspace/findings`);
      await person.page.locator("details.account > summary").click();
      await person.page.locator(".account-menu").getByText("Person carla").waitFor();
      await person.page.locator(".account-menu").getByText("Manager").waitFor();
      assert.deepEqual(person.wrong, []);
      await person.context.close();
    } finally {
      await service.stop();
      await issuer.stop();
    }
  });
}
