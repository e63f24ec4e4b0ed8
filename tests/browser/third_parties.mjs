// The register and its analysis, without a script where none is needed; and the command palette by keyboard.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, signIn, violations } from "./browser.mjs";

const HEADINGS = "reference,provider_name,provider_country,provider_sector,service,service_type,technology,region," +
  "critical_functions,substitutability,annual_cost,currency,starts_on";
const file = (rows) => ({ name: "register.csv", mimeType: "text/csv", buffer: Buffer.from([HEADINGS, ...rows, ""].join("\n")) });

export function thirdParties(world) {
  const journey = (name, steps, options) => test(name, async () => {
    const { context, page, wrong } = await open(world.browser, world.service.address, options);
    await signIn(page, world.service.email, world.service.password);
    await steps(page);
    await context.close();
    assert.deepEqual(wrong, []);
  });
  const plain = { javaScriptEnabled: false };

  journey("a file is checked line by line and then imported", async (page) => {
    await page.goto("/workspace/ict-arrangements/import");
    await page.getByLabel("File").setInputFiles(file(["X-1,Browser Cloud,Germany,Cloud,Hosting,S17,Kubernetes,Bonn,,easy,100,EUR,2026-01-01"]));
    await page.getByRole("button", { name: "Check first" }).click();
    await page.getByText("Nothing was imported").waitFor();
    await page.getByRole("cell", { name: "provider_country" }).waitFor();
    await page.getByLabel("File").setInputFiles(file(["X-1,Browser Cloud,DE,Cloud,Hosting,S17,Kubernetes,Bonn,,easy,100,EUR,2026-01-01"]));
    await page.getByRole("button", { name: "Check first" }).click();
    await page.getByText("1 would be added").waitFor();
    await page.getByRole("button", { name: "Import this file" }).click();
    await page.getByText("The register is imported").waitFor();
    await page.goto("/workspace/ict-arrangements?search=browser");
    await page.getByRole("link", { name: "Browser Cloud" }).waitFor();
  }, plain);

  journey("exit plan, places and supply chain are entered without a script", async (page) => {
    await page.goto("/workspace/ict-arrangements?search=nordlicht");
    await page.getByRole("link", { name: "Nordlicht Cloud SE" }).first().click();
    await page.getByRole("link", { name: "Change these" }).click();
    await page.getByLabel("Exit plan").selectOption("yes");
    await page.getByLabel("Storage").fill("DE, Narnia");
    const rows = page.getByRole("group", { name: /^Supply chain \d/ });
    const before = await rows.count();
    await page.getByRole("button", { name: "More rows" }).click();
    await rows.nth(before).waitFor();
    assert.equal(await page.getByLabel("Storage").inputValue(), "DE, Narnia", "what was entered is kept");
    await rows.nth(before).getByLabel("Subcontractor", { exact: false }).first().fill("Browser Strom AG");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByRole("link", { name: "Storage" }).waitFor();
    await page.getByLabel("Storage").fill("DE, AT");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Change saved.").waitFor();
    await page.getByRole("row", { name: /2 Browser Strom AG/ }).waitFor();
    await page.getByText("Austria (AT), Germany (DE)").waitFor();
  }, plain);

  journey("a decision is simulated before it is taken", async (page) => {
    await page.goto("/workspace/ict-arrangements?search=nordlicht");
    await page.getByRole("link", { name: "Nordlicht Cloud SE" }).first().click();
    await page.getByRole("link", { name: "Simulate its end" }).click();
    await page.getByRole("button", { name: "Simulate" }).click();
    await page.getByRole("heading", { name: "What it would change" }).waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Leaving Nordlicht");
    await page.getByRole("button", { name: "Keep" }).click();
    await page.getByText("The simulation is kept.").waitFor();
    await page.getByRole("link", { name: "Simulation", exact: true }).click();
    await page.getByRole("link", { name: "Leaving Nordlicht" }).click();
    await page.getByText("Delete the simulation").first().click();
    await page.getByRole("button", { name: "Delete it" }).click();
    await page.getByText("The simulation is deleted.").waitFor();
  }, plain);

  journey("functions of an arrangement have a row each, without a script", async (page) => {
    await page.goto("/workspace/ict-arrangements?search=nordlicht");
    await page.getByRole("link", { name: "Nordlicht Cloud SE" }).first().click();
    await page.getByRole("link", { name: "Change", exact: true }).click();
    const rows = page.getByRole("group", { name: /^Function \d/ });
    const before = await rows.count();
    await page.getByRole("button", { name: "More rows" }).click();
    await rows.nth(before).waitFor();
    await rows.nth(before).getByLabel(/^Function/).fill("Browser banking");
    await rows.nth(before).getByLabel("Critical or important").check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("listitem").filter({ hasText: "Browser banking" }).getByText("Critical function").first().waitFor();
    await page.goto("/workspace/concentration-risk");
    await page.getByText("The register has changed since this analysis.").waitFor();
    await page.getByRole("button", { name: "Analyse again" }).click();
    await page.getByText("The analysis is made.").waitFor();
    assert.equal(await page.getByText("This analysis is out of date").count(), 0);
  }, plain);

  journey("an analysis is made, and each chart has a table behind it", async (page) => {
    await page.goto("/workspace/concentration-risk");
    await page.getByRole("button", { name: "Analyse now" }).click();
    await page.getByText("The analysis is made.").waitFor();
    const charts = await page.locator("figure").count();
    assert.ok(charts > 5);
    assert.equal(await page.locator("figure details.behind table").count(), charts);
    for (const summary of await page.locator("figure details.behind > summary").all()) await summary.click();
    assert.deepEqual(await violations(page), []);
  });

  journey("the palette finds records by their words", async (page) => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type("backups are not restored");
    await page.locator("#palette-found a").first().waitFor();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/workspace/findings/fnd_*");
  });
}
