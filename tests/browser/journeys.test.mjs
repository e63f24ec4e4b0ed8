// What people come for, step by step, with the keyboard and the mouse, with and without a script.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { VARIANTS, launch, open, signIn, violations } from "./browser.mjs";
import { PASSWORD, addPerson, start } from "./service.mjs";

const [WIDE] = VARIANTS;
let service, browser, email;

before(async () => {
  service = await start();
  service.run(["tenant", "create", "north", "--name", "North Bank AG"]);
  email = addPerson(service, "north", "administrator");
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await service?.stop();
});

async function visit(steps, options) {
  const { context, page, wrong } = await open(browser, service.address, WIDE, options);
  await steps(page, wrong);
  await context.close();
  assert.deepEqual(wrong, []);
}

test("a key is made, shown once, works, and is revoked", () => visit(async (page) => {
  await signIn(page, email, PASSWORD);
  await page.getByRole("link", { name: "API keys" }).first().click();
  await page.getByRole("link", { name: "New key" }).click();
  await page.getByLabel("Name").fill("Browser test");
  await page.getByRole("button", { name: "Make the key" }).click();
  const key = (await page.locator(".secret code").textContent()).trim();
  const ask = () => fetch(`${service.address}/api/v1/webhooks`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal((await ask()).status, 200);
  assert.deepEqual(await violations(page), []);
  await page.getByRole("link", { name: "Back to the list" }).click();
  assert.ok(!(await page.content()).includes(key), "the key is not shown again");
  await page.getByText("Revoke", { exact: false }).first().click();
  await page.getByRole("button", { name: "Revoke this key" }).click();
  await page.getByText("The key is revoked.").waitFor();
  assert.equal((await ask()).status, 401);
}));

test("everything works without a script", () => visit(async (page) => {
  await signIn(page, email, PASSWORD);
  assert.equal(await page.locator(".palette-open").isVisible(), false, "what needs a script is hidden");
  await page.goto("/workspace/webhooks/new");
  await page.getByLabel("Name").fill("By mail");
  await page.getByLabel("Email", { exact: true }).check();
  await page.getByLabel("Destination").fill("mailto:ict@bank.example");
  await page.getByRole("button", { name: "Make the webhook" }).click();
  await page.getByText("The webhook is made and active.").waitFor();
  await page.getByRole("link", { name: "By mail" }).click();
  await page.getByLabel("Active").uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Inactive").waitFor();
  await page.getByRole("link", { name: "By mail" }).click();
  await page.locator("summary", { hasText: "Delete" }).click();
  await page.getByRole("button", { name: "Delete this webhook" }).click();
  await page.getByText("The webhook is deleted.").waitFor();
}, { javaScriptEnabled: false }));

test("a wrong entry is told beside its field and kept", () => visit(async (page) => {
  await signIn(page, email, PASSWORD);
  await page.goto("/workspace/settings");
  await page.getByLabel("Provider").fill("55");
  await page.getByLabel("Days between reviews").evaluate((field) => { field.type = "text"; field.value = "often"; });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("must be a whole number").first().waitFor();
  assert.equal(await page.getByLabel("Provider").inputValue(), "55");
  assert.deepEqual(await violations(page), []);
}));

test("the command palette goes anywhere by keyboard", () => visit(async (page) => {
  await signIn(page, email, PASSWORD);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("audit");
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/workspace/audit");
}));

test("German and dark follow the profile", () => visit(async (page) => {
  await signIn(page, email, PASSWORD);
  await page.goto("/workspace/profile");
  await page.getByLabel("Language").selectOption("de");
  await page.getByLabel("Appearance").selectOption("dark");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Ihr Profil ist gespeichert.").waitFor();
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "dark");
  assert.deepEqual(await violations(page), []);
  await page.getByLabel("Sprache").selectOption("");
  await page.getByLabel("Aussehen").selectOption("device");
  await page.getByRole("button", { name: "Speichern" }).click();
  await page.getByText("Your profile is saved.").waitFor();
}));

test("a first visit loads little", () => visit(async (page) => {
  let bytes = 0;
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  client.on("Network.loadingFinished", (event) => { bytes += event.encodedDataLength; });
  await page.goto("/workspace/sign-in", { waitUntil: "networkidle" });
  assert.ok(bytes < 100_000, `${bytes} bytes`);
}));
