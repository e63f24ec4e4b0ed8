// User journeys, step by step, with the keyboard and the mouse, with and without a script.
import assert from "node:assert/strict";
import { test } from "node:test";
import { NARROW, open, signIn, violations } from "./browser.mjs";
import { PASSWORD, addPerson } from "./service.mjs";

export function journeys(world) {
  const journey = (name, steps, options) => test(name, async () => {
    const { context, page, wrong } = await open(world.browser, world.service.address, options);
    await steps(page, world.service);
    await context.close();
    assert.deepEqual(wrong, []);
  });
  const asAdministrator = (page, service) => signIn(page, service.email, service.password);

  journey("the dashboard shows what follows from own records, each chart with its table", async (page, service) => {
    await asAdministrator(page, service);
    const asked = async (path) => (await (await fetch(`${service.address}${path}`, {
      headers: { authorization: `Bearer ${service.key}` },
    })).json()).data;
    const widgets = await asked("/api/v2/dashboard-widgets");
    assert.ok(widgets.length >= 14);
    await page.goto("/workspace?widgets=all");
    // What only the catalogue says is in the library, and the clocks of CRA reports are among the statutory clocks.
    const library = ["widget-compliance-status", "widget-risk-matrix", "widget-cra-clocks"];
    for (const { id, title } of widgets) {
      const drawn = page.locator(`section[data-widget="${id}"]`);
      if (library.includes(id)) assert.equal(await drawn.count(), 0, id);
      else await drawn.getByRole("heading", { name: title, exact: true }).waitFor();
    }
    const scores = (await asked("/api/v2/compliance-scores")).filter((score) => score.basis.test_cases > 0);
    const gauges = await page.locator("section[data-widget=widget-compliance-score] .gauge-value").allTextContents();
    assert.deepEqual(gauges.map(Number), scores.map((score) => score.score), "the scores the API answers");
    // The scores are a detail below what is met.
    await page.locator("section[data-widget] details:not(.behind)").evaluateAll((all) => all.forEach((one) => { one.open = true; }));
    for (const summary of await page.locator("figure details.behind > summary").all()) await summary.click();
    assert.equal(await page.locator("figure").count(), await page.locator("figure details.behind table:visible").count());
    assert.deepEqual(await violations(page), []);
  });

  journey("a CISO's dashboard is one and a half screens high and uses a wide one", async (page, service) => {
    await signIn(page, addPerson(service, "manager"), PASSWORD);
    const height = () => page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(await height() <= 1.5 * 900, `${await height()} pixels at 1280`);
    await page.setViewportSize({ width: 1920, height: 1080 });
    assert.ok(await height() <= 1.5 * 1080, `${await height()} pixels at 1920`);
    const right = await page.locator(".board > section").evaluateAll((all) => Math.max(...all.map((one) => one.getBoundingClientRect().right)));
    assert.ok(right > 1800, `nothing beyond ${right}`);
    const lines = await page.locator(".stats .figure").evaluateAll((all) => new Set(all.map((one) => one.getBoundingClientRect().bottom)).size);
    assert.equal(lines, 1, "the figures stand on one line");
  });

  journey("menu and table heads stay, focus is never under them, and a record leads back to its list", async (page, service) => {
    await asAdministrator(page, service);
    await page.goto("/workspace/ict-arrangements?sort=-annual_cost");
    await page.evaluate(() => scrollTo(0, 1200));
    const top = (selector) => page.locator(selector).first().evaluate((one) => one.getBoundingClientRect().top);
    const bar = await page.locator("header.bar").evaluate((one) => one.getBoundingClientRect().bottom);
    assert.ok(await top("nav.side") >= bar - 1 && await top("nav.side") < 100, "the menu stays");
    assert.ok(await top("table.list thead th") >= bar - 1 && await top("table.list thead th") < 100, "the heads stay");
    await page.locator("table.list tbody a").nth(30).focus();
    for (let back = 0; back < 20; back += 1) {
      await page.keyboard.press("Shift+Tab");
      assert.ok(await page.evaluate((below) => document.activeElement.getBoundingClientRect().bottom > below, bar), "focus is seen");
    }
    await page.locator("table.list tbody a").first().click();
    await page.waitForURL(/ict-arrangements\/\w+$/);
    // Also after another page of the record.
    await page.goto(`${page.url()}/edit`);
    await page.locator("nav.trail a").click();
    await page.waitForURL(/ict-arrangements\?sort=-annual_cost$/);
  });

  journey("on a phone the timeline begins at today and the matrix has short heads", async (page, service) => {
    await asAdministrator(page, service);
    await page.goto("/workspace/timeline");
    const seen = await page.locator(".band-today").evaluate((today) => {
      const [word, band] = [today.getBoundingClientRect(), today.closest(".band-scroll").getBoundingClientRect()];
      return word.left >= band.left && word.right <= band.right;
    });
    assert.ok(seen, "today is in sight");
    await page.goto("/workspace/risk-register");
    assert.equal(await page.locator(".matrix-word").first().isVisible(), false);
    await page.getByText(/^Impact: 1 /).waitFor();
  }, { viewport: NARROW });

  journey("a programme is planned, tested, and its finding put right", async (page, service) => {
    await asAdministrator(page, service);
    await page.goto("/workspace/programmes/new");
    await page.getByLabel("Name").fill("Browser programme");
    await page.getByLabel("Ends on").fill("2020-01-01");
    await page.getByLabel("Starts on").fill("2021-01-01");
    await page.getByRole("button", { name: "Create programme" }).click();
    await page.getByRole("alert").waitFor();
    assert.equal(await page.getByLabel("Name").inputValue(), "Browser programme", "what was entered is kept");
    await page.getByLabel("Ends on").fill("2031-01-01");
    await page.getByRole("button", { name: "Create programme" }).click();
    await page.getByText("Created.").waitFor();
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByText("New status saved.").waitFor();
    await page.getByRole("link", { name: "Plan a test" }).click();
    await page.getByLabel("Title").fill("Browser test case");
    await page.getByRole("button", { name: "Plan the test" }).click();
    await page.getByText("Created.").waitFor();
    await page.getByRole("link", { name: "Record a finding" }).click();
    await page.getByLabel("Title").fill("Browser finding");
    await page.getByLabel("Severity").selectOption("medium");
    await page.getByRole("button", { name: "Record the finding" }).click();
    await page.getByText("Created.").waitFor();
    await page.locator("summary", { hasText: "Accept the risk" }).click();
    await page.getByLabel("Reason").fill("Replaced in spring");
    await page.getByLabel("Until").fill(new Date(Date.now() + 200 * 86_400_000).toISOString().slice(0, 10));
    await page.getByRole("button", { name: "Accept the risk" }).click();
    await page.getByText("Replaced in spring").first().waitFor();
    assert.deepEqual(await violations(page), []);
  });

  journey("a list is filtered, exported and changed at once", async (page, service) => {
    await asAdministrator(page, service);
    await page.goto("/workspace/findings");
    await page.locator("summary", { hasText: "Filter" }).click();
    await page.locator("#severity-medium-filter").check();
    await page.waitForURL(/severity=medium/);
    await page.getByRole("link", { name: "Severity: Medium" }).waitFor();
    assert.ok(await page.locator("details.filter-fold").evaluate((fold) => fold.open), "open filters stay open");
    await page.locator("summary", { hasText: "Export" }).click();
    const names = (await page.locator("tbody th a").allTextContents()).map((name) => name.trim());
    assert.ok(names.includes("Service accounts without an owner") && !names.includes("Customer portal accepts TLS 1.1"), `${names}`);
    for (const [kind, start] of [["PDF", "%PDF-"], ["CSV", "reference,"]]) {
      const file = await page.request.get(await page.getByRole("link", { name: kind, exact: true }).getAttribute("href"));
      assert.equal((await file.body()).subarray(0, start.length).toString(), start);
    }
    const open = page.locator("tbody tr").filter({ has: page.getByText("Open", { exact: true }) });
    await open.first().getByLabel(/^Choose F-/).check();
    await page.locator("summary", { hasText: "Change several at once" }).click();
    assert.equal(await page.locator("#bulk_owner").isVisible(), false, "only the fields that are picked are shown");
    await page.getByLabel("Field", { exact: true }).selectOption("status");
    await page.locator("#bulk_status").selectOption("in_progress");
    await page.getByRole("button", { name: "Change the selected records" }).click();
    await page.getByText(/1 changed, 0 were like that already/).first().waitFor();
    assert.deepEqual(await violations(page), []);
  });

  journey("status, owner and day are changed in the list, by keyboard and by mouse", async (page, service) => {
    await asAdministrator(page, service);
    await page.goto("/workspace/findings/new");
    await page.getByLabel("Title").fill("Changed in the list");
    await page.getByRole("button", { name: "Record the finding" }).click();
    await page.getByText("Created.").waitFor();
    await page.goto("/workspace/findings?search=Changed+in+the+list");
    await page.evaluate(() => { window.stayed = true; });
    const row = page.getByRole("row", { name: /Changed in the list/ });
    await page.locator("main").focus();
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    assert.ok(await row.getByRole("checkbox").isChecked(), "the row is chosen");
    await page.keyboard.press("s");
    await row.getByLabel(/^Status of/).waitFor();
    assert.deepEqual(await violations(page), []);
    await row.getByLabel(/^Status of/).selectOption("in_progress");
    await row.getByRole("button", { name: "Save" }).press("Enter");
    await row.locator("td").getByText("In progress", { exact: true }).waitFor();
    assert.ok(await row.getByRole("checkbox").isChecked(), "the row is still chosen");
    await page.waitForFunction(() => document.activeElement.closest("tr")?.textContent.includes("Changed in the list"));
    await page.keyboard.press("a");
    const owner = row.getByLabel(/^Owner of/);
    await owner.waitFor();
    assert.equal(await owner.inputValue(), "", "the key is not typed into the field");
    await owner.fill("Left again");
    await page.keyboard.press("Escape");
    await owner.waitFor({ state: "detached" });
    await page.keyboard.press("a");
    await owner.fill("Platform team");
    await page.keyboard.press("Enter");
    await row.getByText("Platform team").waitFor();
    await row.locator("a[data-cell=day]").click();
    await row.getByLabel(/^Due on of/).fill("2031-03-04");
    await page.keyboard.press("Enter");
    await row.getByText("4 Mar 2031").waitFor();
    assert.equal(await page.evaluate(() => window.stayed), true, "the page was not left");
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keys in lists" }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await page.keyboard.press("e");
    await page.waitForURL(/\/edit$/);
  });

  journey("the palette has the actions of the shown record", async (page, service) => {
    await asAdministrator(page, service);
    await page.goto("/workspace/findings/new");
    await page.getByLabel("Title").fill("Moved by the palette");
    await page.getByRole("button", { name: "Record the finding" }).click();
    await page.getByText("Created.").waitFor();
    await page.keyboard.press("Control+k");
    await page.locator("#palette-here").getByText("Start work").waitFor();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.type("start work");
    await page.keyboard.press("Enter");
    await page.getByText("New status saved.").waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("start work");
    assert.equal(await page.locator("#palette-here li:visible").count(), 0, "the step is no longer offered");
  });

  journey("without a script a cell of a list opens by its link", async (page, service) => {
    await asAdministrator(page, service);
    await page.goto("/workspace/findings?search=Changed+in+the+list");
    const row = page.getByRole("row", { name: /Changed in the list/ });
    await row.getByText("Platform team").click();
    await row.getByLabel(/^Owner of/).fill("Payments team");
    await row.getByRole("button", { name: "Save" }).click();
    await page.getByText("Change saved.").waitFor();
    await row.getByText("Payments team").waitFor();
  }, { javaScriptEnabled: false });

  journey("filters apply while they are typed, and a step is made and undone in place", async (page, service) => {
    await asAdministrator(page, service);
    await page.goto("/workspace/findings");
    await page.evaluate(() => { window.stayed = true; });
    await page.getByLabel("Search").pressSequentially("runbook");
    await page.waitForURL(/search=runbook/);
    await page.getByRole("link", { name: "Runbook names a retired data centre" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "Customer portal accepts TLS 1.1" }).count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement.id), "search", "typing goes on");
    assert.equal(await page.evaluate(() => window.stayed), true, "the page was not left");
    assert.deepEqual(await violations(page), []);
    await page.goBack();
    await page.getByRole("link", { name: "Customer portal accepts TLS 1.1" }).waitFor();

    await page.goto("/workspace/findings/new");
    await page.getByLabel("Title").fill("Moved in place");
    await page.getByRole("button", { name: "Record the finding" }).click();
    await page.getByText("Created.").waitFor();
    await page.evaluate(() => { window.stayed = true; });
    await page.getByRole("button", { name: "Start work" }).click();
    await page.getByText("New status saved.").waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Undo: back to “Open”" }).click();
    await page.getByRole("button", { name: "Start work" }).waitFor();
    await page.getByText("Undone").first().waitFor();
    assert.equal(await page.evaluate(() => window.stayed), true, "the page was not left");
  });

  journey("a file of findings is told line by line, then imported", async (page, service) => {
    await asAdministrator(page, service);
    await page.goto("/workspace/findings/import");
    const file = (text) => ({ name: "findings.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
    await page.getByLabel("File", { exact: true }).setInputFiles(file("title,severity\n,awful\n"));
    await page.getByRole("button", { name: "Check only" }).click();
    await page.getByRole("cell", { name: "Enter critical, high, medium, low or info." }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByLabel("File", { exact: true }).setInputFiles(file("title,severity\nFrom a spreadsheet,low\n"));
    await page.getByRole("button", { name: "Check only" }).click();
    await page.getByRole("row", { name: /2 From a spreadsheet Low New/ }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Import this file" }).click();
    await page.getByText("The file is imported").waitFor();
    await page.goto("/workspace/findings?search=spreadsheet");
    await page.getByRole("link", { name: "From a spreadsheet" }).waitFor();
  });

  journey("a key is made, shown once, works, and is revoked", async (page, service) => {
    await asAdministrator(page, service);
    await page.goto("/workspace/api-keys/new");
    await page.getByLabel("Name").fill("Browser test");
    await page.getByRole("button", { name: "Create key" }).click();
    const key = (await page.locator(".secret code").textContent()).trim();
    const ask = () => fetch(`${service.address}/api/v1/webhooks`, { headers: { authorization: `Bearer ${key}` } });
    assert.equal((await ask()).status, 200);
    assert.deepEqual(await violations(page), []);
    await page.getByRole("link", { name: "Back to the list" }).click();
    assert.ok(!(await page.content()).includes(key), "the key is not shown again");
    const row = page.getByRole("row", { name: /Browser test/ });
    await row.locator("summary", { hasText: "Revoke" }).click();
    await row.getByRole("button", { name: "Revoke this key" }).click();
    await page.getByText("Key revoked.").waitFor();
    assert.equal((await ask()).status, 401);
  });

  journey("everything works without a script", async (page, service) => {
    await asAdministrator(page, service);
    assert.equal(await page.locator(".palette-open").isVisible(), false, "what needs a script is hidden");
    await page.goto("/workspace/webhooks/new");
    await page.getByLabel("Name").fill("By mail");
    await page.getByLabel("Email", { exact: true }).check();
    await page.getByLabel("Destination").fill("mailto:ict@bank.example");
    await page.getByLabel("A finding is created").check();
    await page.getByRole("button", { name: "Create webhook" }).click();
    await page.getByText("Webhook created and active.").waitFor();
    await page.getByRole("link", { name: "By mail" }).click();
    await page.locator("summary", { hasText: "Delete" }).click();
    await page.getByRole("button", { name: "Delete this webhook" }).click();
    await page.getByText("Webhook deleted.").waitFor();
    await page.goto("/workspace/findings");
    await page.getByLabel("Search").fill("runbook");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("link", { name: "Runbook names a retired data centre" }).click();
    await page.getByRole("button", { name: "Start work" }).click();
    await page.getByText("New status saved.").waitFor();
  }, { javaScriptEnabled: false });

  journey("a wrong entry is told beside its field and kept", async (page, service) => {
    await asAdministrator(page, service);
    await page.goto("/workspace/settings?tab=limits");
    await page.getByLabel("Provider").fill("55");
    await page.getByLabel("Days between reviews").evaluate((field) => { field.type = "text"; field.value = "often"; });
    await page.getByRole("button", { name: "Save" }).first().click();
    await page.getByText("must be a whole number").first().waitFor();
    assert.equal(await page.getByLabel("Provider").inputValue(), "55");
    assert.deepEqual(await violations(page), []);
  });

  journey("lead times are chosen, refused when wrong, and taken back", async (page, service) => {
    await asAdministrator(page, service);
    await page.goto("/workspace/settings?tab=limits");
    const form = page.locator("form", { has: page.getByLabel("Days before") });
    await page.getByLabel("Days before").fill("soon");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByRole("link", { name: "Days before" }).waitFor();
    assert.equal(await page.getByLabel("Days before").inputValue(), "soon", "what was entered is kept");
    assert.deepEqual(await violations(page), []);
    await page.getByLabel("Days before").fill("10, 45");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("Lead times saved.").waitFor();
    assert.equal(await page.getByLabel("Days before").inputValue(), "45, 10");
    await page.getByRole("button", { name: "Reset to the defaults" }).click();
    await page.getByText("These are the default lead times.").waitFor();
    assert.equal(await page.getByLabel("Days before").inputValue(), "30, 14, 7, 1");
  });

  journey("a register is checked line by line before it is taken", async (page, service) => {
    await asAdministrator(page, service);
    await page.goto("/workspace/ict-arrangements/import");
    const buffer = Buffer.from("reference,provider_name\nA-1,\n");
    await page.getByLabel("File").setInputFiles({ name: "register.csv", mimeType: "text/csv", buffer });
    await page.getByRole("button", { name: "Check" }).first().click();
    await page.getByRole("table").waitFor();
    assert.deepEqual(await violations(page), []);
  });

  journey("the command palette goes anywhere by keyboard", async (page, service) => {
    await asAdministrator(page, service);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("audit");
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/workspace/audit");
  });

  journey("the command palette begins something before it goes somewhere", async (page, service) => {
    await asAdministrator(page, service);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("new finding");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/workspace/findings/new");
  });

  journey("a viewer reads and is offered no change", async (page, service) => {
    await signIn(page, addPerson(service, "viewer"), PASSWORD);
    await page.goto(world.made.finding);
    // Readers may comment and watch, and change nothing.
    const forms = await page.locator("main form").evaluateAll((all) => all.map((one) => one.getAttribute("action")));
    assert.deepEqual(forms.filter((to) => !/\/(comments|watch)$/.test(to)), []);
    await page.goto("/workspace/findings");
    assert.equal(await page.getByRole("link", { name: "New finding" }).count(), 0);
    const refused = await page.goto("/workspace/findings/new");
    assert.equal(refused.status(), 403);
  }, { });

  journey("German and dark follow the profile", async (page, service) => {
    await signIn(page, addPerson(service, "contributor"), PASSWORD);
    await page.goto("/workspace/profile");
    await page.getByLabel("Language").selectOption("de");
    await page.getByLabel("Appearance").selectOption("dark");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Ihr Profil ist gespeichert.").waitFor();
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "dark");
    assert.deepEqual(await violations(page), []);
    for (const path of ["/workspace", "/workspace/findings", world.made.finding, world.made.programme]) {
      await page.goto(path);
      assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
      assert.deepEqual(await violations(page), []);
    }
  });
}
