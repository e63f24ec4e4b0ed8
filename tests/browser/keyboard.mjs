// What people come for, by the keyboard alone: no part of a page needs a mouse, and focus is always seen.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { open } from "./browser.mjs";

// More stops than any page has.
const MOST_STOPS = 300;

/** A person without a mouse. */
class Keys {
  constructor(page) {
    this.page = page;
  }

  press(...keys) {
    return keys.reduce((before, key) => before.then(() => this.page.keyboard.press(key)), Promise.resolve());
  }

  type(text) {
    return this.page.keyboard.type(text);
  }

  /** Goes on with the tabulator until this is focused. What is focused on the way is seen. */
  async to(target, key = "Tab") {
    await target.first().waitFor({ state: "attached" });
    for (let stops = 0; stops < MOST_STOPS; stops += 1) {
      if (await target.evaluateAll((all) => all.includes(document.activeElement))) return;
      await this.page.keyboard.press(key);
      const hidden = await this.page.evaluate(() => {
        const { activeElement } = document;
        const { width, height } = activeElement.getBoundingClientRect();
        return activeElement !== document.body && (width === 0 || height === 0) ? activeElement.outerHTML.slice(0, 120) : null;
      });
      assert.equal(hidden, null, "focus is nowhere to be seen");
    }
    assert.fail(`${target} is not reached by the tabulator`);
  }

  async field(name, text) {
    await this.to(this.page.getByLabel(name, { exact: true }));
    await this.type(text);
  }

  /** Chooses an option by its first letters, as a select takes them. */
  async choose(target, letters, value) {
    await this.to(target);
    await this.type(letters);
    assert.equal(await target.inputValue(), value);
  }

  async enter(target) {
    await this.to(target);
    await this.press("Enter");
  }

  button(name) {
    return this.enter(this.page.getByRole("button", { name, exact: true }));
  }

  /** Goes to a page by the palette. */
  async go(words, address) {
    await this.press("Control+k");
    await this.page.locator("#palette-filter").waitFor();
    await this.type(words);
    await this.page.locator("#palette-list .chosen", { hasText: new RegExp(words, "i") }).waitFor();
    await this.press("Enter");
    await this.page.waitForURL(address);
  }
}

async function signIn(page, keys, { email, password }) {
  await page.goto("/workspace/sign-in");
  await keys.field("Email address", email);
  await keys.field("Password", password);
  await keys.press("Enter");
  await page.waitForURL(/\/workspace(\/work)?$/);
}

export function keyboard(world) {
  const task = (name, role, steps) => test(`by keyboard alone: ${name}`, async () => {
    const { context, page, wrong } = await open(world.browser, world.service.address);
    // A click that a key makes is none of a mouse.
    await page.exposeFunction("sawMouse", (what) => wrong.push(`a mouse was used: ${what}`));
    await page.addInitScript(() => {
      for (const name of ["mousedown", "pointerdown", "touchstart"]) {
        addEventListener(name, (event) => window.sawMouse(`${name} ${event.target.outerHTML?.slice(0, 80)}`), true);
      }
    });
    const keys = new Keys(page);
    await signIn(page, keys, world.service.people[role]);
    await steps(page, keys, world.service);
    await context.close();
    assert.deepEqual(wrong, []);
  });

  task("a finding is recorded", "manager", async (page, keys) => {
    await keys.go("New finding", "**/workspace/findings/new");
    await keys.field("Title", "Typed without a mouse");
    await keys.choose(page.getByLabel("Severity", { exact: true }), "High", "high");
    await keys.field("Owner", "Night shift");
    await keys.button("Record the finding");
    await page.getByText("Created.").waitFor();
    assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), "Typed without a mouse");
  });

  task("status and owner are changed in the list", "manager", async (page, keys, { api }) => {
    const finding = await api("POST", "/findings", { title: "Changed by keys", severity: "low" });
    await keys.go("Findings", "**/workspace/findings");
    await keys.field("Search", "Changed by keys");
    await page.waitForURL(/search=Changed/);
    const row = page.getByRole("row", { name: /Changed by keys/ });
    await row.waitFor();
    await page.waitForFunction(() => document.querySelectorAll("main tbody tr").length === 1);
    // The keys of lists are not those of a field.
    await keys.press("Tab", "j", "s");
    await row.getByLabel(/^Status of/).waitFor();
    await keys.choose(row.getByLabel(/^Status of/), "In p", "in_progress");
    await keys.enter(row.getByRole("button", { name: "Save" }));
    await row.locator("td").getByText("In progress", { exact: true }).waitFor();
    await page.waitForFunction(() => document.activeElement.textContent.includes("Changed by keys"));
    await keys.press("a");
    await row.getByLabel(/^Owner of/).waitFor();
    await keys.type("Platform team");
    await keys.press("Enter");
    await row.getByText("Platform team").waitFor();
    const [now] = (await api("GET", "/findings?search=Changed+by+keys"));
    assert.deepEqual([now.id, now.status, now.owner], [finding.id, "in_progress", "Platform team"]);
  });

  task("a request in the inbox is granted", "manager", async (page, keys, { api }) => {
    const finding = await api("POST", "/findings", { title: "Wait for spring", severity: "high", owner: "Night shift" });
    const until = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10);
    await api("POST", "/approvals", { subject: finding.id, action: "accept", reason: "Replaced in spring", until });
    await page.reload();
    await keys.enter(page.locator("a.bell"));
    await page.waitForURL("**/workspace/inbox");
    await keys.enter(page.locator("main").getByRole("link", { name: /Wait for spring/ }));
    await keys.field("What you say to it", "Until spring, and no longer");
    await keys.button("Grant and carry out");
    await page.getByText("The approval is granted and carried out.").waitFor();
    assert.equal((await api("GET", `/findings/${finding.id}`)).status, "risk_accepted");
  });

  task("a list is filtered, and saved as a view", "contributor", async (page, keys) => {
    await keys.go("Findings", "**/workspace/findings");
    await keys.enter(page.locator("summary", { hasText: "Filter" }));
    for (const [box, address] of [["#severity-high-filter", /severity=high/], ["#due_before-none-filter", /due_before=none/]]) {
      await keys.to(page.locator(box));
      await keys.press("Space");
      await page.waitForURL(address);
      await page.waitForFunction((id) => document.activeElement === document.querySelector(id) && document.activeElement.checked, box);
    }
    await page.getByRole("link", { name: /Due before: not set/ }).waitFor();
    await keys.enter(page.locator("summary", { hasText: "Save as view" }));
    await keys.field("Name of the view", "High and unplanned");
    await keys.press("Enter");
    await page.getByText("The view is saved.").waitFor();
    await keys.enter(page.getByRole("link", { name: "Without a view", exact: true }));
    await page.waitForURL(/view=all/);
    await keys.enter(page.getByRole("link", { name: "High and unplanned" }));
    await page.waitForURL(/severity=high&due_before=none/);
  });

  task("a list is exported", "viewer", async (page, keys) => {
    await keys.go("Findings", "**/workspace/findings");
    await keys.enter(page.locator("summary", { hasText: "Export" }));
    await keys.to(page.getByRole("link", { name: "CSV", exact: true }));
    const [file] = await Promise.all([page.waitForEvent("download"), keys.press("Enter")]);
    assert.match(readFileSync(await file.path(), "utf8"), /^\ufeff?reference,/);
  });
}
