// A webhook through its whole life, every button pressed, against a chat server that takes messages or refuses them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, signIn, violations } from "./browser.mjs";

const until = async (what, holds) => {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await holds()) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  assert.fail(`never: ${what}`);
};

export function webhooks(world) {
  test("a webhook is tested, fails, is sent again, paused, resumed and deleted", async () => {
    const { service, browser } = world;
    const { chat } = service;
    const { context, page, wrong } = await open(browser, service.address);
    await signIn(page, service.email, service.password);
    const heard = (words) => chat.messages.some((message) => message.includes(words));
    const report = (title) => service.api("POST", "/findings", { title, severity: "low" });
    const row = (words) => page.getByRole("row").filter({ hasText: words });

    await page.goto("/workspace/webhooks/new");
    await page.getByLabel("Name").fill("Chat of the team");
    await page.getByLabel("Slack").check();
    await page.getByLabel("Destination").fill(`${chat.address}/services/T0/B0/secret`);
    for (const box of await page.getByRole("group", { name: "Events" }).getByRole("checkbox").all()) await box.uncheck();
    await page.getByLabel("A finding is created").check();
    await page.getByRole("button", { name: "Create webhook" }).click();
    await page.getByText("Webhook created and active.").waitFor();
    await page.getByRole("link", { name: "Chat of the team" }).click();
    const address = page.url();

    await page.getByRole("button", { name: "Send a test message" }).click();
    await page.getByRole("heading", { name: "Send a test message" }).waitFor();
    await page.locator(".note.good").getByText("Delivered").first().waitFor();
    assert.equal(chat.messages.length, 1);
    assert.deepEqual(await violations(page), []);
    await page.getByRole("link", { name: "Back to the webhook" }).click();

    // Refused for good: it stays in the log and can be sent again by hand.
    chat.status = 400;
    await report("Refused by the channel");
    await until("the refusal is in the log", async () => {
      await page.goto(address);
      return (await page.getByRole("button", { name: "Send again" }).count()) > 0;
    });
    assert.deepEqual(await violations(page), []);
    chat.status = 200;
    chat.messages.length = 0;
    await page.getByRole("button", { name: "Send again" }).first().click();
    await page.getByText("The delivery is being sent again.").waitFor();
    await until("it was delivered", async () => {
      await page.goto(address);
      return (await row("A finding is created").first().getByText("Delivered").count()) > 0;
    });
    assert.ok(heard("Refused by the channel"));

    // Missed once more, and everything since a day sent again.
    chat.status = 400;
    await report("Missed by the channel");
    await until("the second refusal is in the log", async () => {
      await page.goto(address);
      return (await page.getByRole("button", { name: "Send again" }).count()) > 0;
    });
    chat.status = 200;
    await page.locator("summary", { hasText: "Resend missed messages" }).click();
    await page.getByLabel("Since").fill(new Date().toISOString().slice(0, 10));
    await page.getByRole("button", { name: "Resend missed messages" }).click();
    await page.getByText("The missed messages are being sent.").waitFor();
    await until("what was missed arrived", () => heard("Missed by the channel"));

    await page.goto(address);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("The webhook is paused. It sends nothing until it is resumed.").waitFor();
    await page.getByText("Inactive", { exact: true }).first().waitFor();
    await report("Not heard while paused");
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByText("The webhook is active again.").waitFor();
    await report("Heard after the pause");
    await until("it sends again", () => heard("Heard after the pause"));
    assert.ok(!heard("Not heard while paused"));

    await page.goto(address);
    await page.locator("summary", { hasText: "Delete" }).click();
    await page.getByText("“Chat of the team” will no longer receive notifications.").waitFor();
    await page.getByRole("button", { name: "Delete this webhook" }).click();
    await page.getByText("Webhook deleted.").waitFor();
    assert.equal(await page.getByRole("link", { name: "Chat of the team" }).count(), 0);
    assert.equal((await page.goto(address)).status(), 404);
    await context.close();
    assert.deepEqual(wrong, []);
  });
}
