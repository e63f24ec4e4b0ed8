// The table of a template: typed into, pasted into, undone, checked and saved, with and without a script.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, signIn, violations } from "./browser.mjs";

const TABLE = "/workspace/register/B_02.01/table";

export function registerTable(world) {
  const journey = (name, steps, options) => test(name, async () => {
    const { context, page, wrong } = await open(world.browser, world.service.address, options);
    await signIn(page, world.service.email, world.service.password);
    await steps(page, world.service, context);
    await context.close();
    assert.deepEqual(wrong, []);
  });
  const cell = (page, row, code) => page.locator("table.grid tbody tr").nth(row).locator(`[name$=".${code}"]`);
  const focused = (page) => page.evaluate(() => document.activeElement.name);
  const paste = (page, text) => page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);
  const contracts = (service) => service.api("GET", "/register/B_02.01?limit=500");

  journey("cells copied in a spreadsheet are pasted, undone, and saved in one request", async (page, service) => {
    const before = (await contracts(service)).length;
    await page.goto(`${TABLE}?limit=500`);
    await cell(page, before, "c0010").focus();
    await paste(page, "P-1\teba_CO:x1\t\teba_CU:EUR\t10\nP-2\teba_CO:x1\t\teba_CU:EUR\tmany\r\n\"P\t3\"\teba_CO:x1\t\teba_CU:EUR\t30\textra\nP-4\nP-5\n");
    assert.equal(await cell(page, before + 2, "c0010").inputValue(), "P\t3");
    assert.equal(await cell(page, before + 4, "c0010").inputValue(), "P-5", "rows are added as needed");
    await page.getByText("that did not fit: 1").waitFor();
    await page.keyboard.press("Control+z");
    assert.equal(await cell(page, before, "c0010").inputValue(), "");
    await cell(page, before, "c0010").focus();
    await paste(page, "P-1\teba_CO:x1\t\teba_CU:EUR\t10\nP-2\teba_CO:x1\t\teba_CU:EUR\tmany");
    await page.getByText("Changed cells: 8").waitFor();
    let posts = 0;
    page.on("request", (request) => { if (request.method() === "POST") posts += 1; });
    await page.getByRole("button", { name: "Save all cells" }).click();
    await page.getByText("The cells were saved.").waitFor();
    assert.equal(posts, 1);
    assert.equal((await contracts(service)).length, before + 2);
    await page.goto(`${TABLE}?problems=1`);
    await page.getByText("is not a plain number").first().waitFor();
    assert.deepEqual(await violations(page), []);
  });

  journey("the keyboard moves between cells, and Escape restores one", async (page) => {
    await page.goto(TABLE);
    await cell(page, 0, "c0010").focus();
    await page.keyboard.press("ArrowDown");
    assert.match(await focused(page), /^1\.c0010$/);
    await page.keyboard.press("Enter");
    assert.match(await focused(page), /^2\.c0010$/);
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.press("Tab");
    assert.match(await focused(page), /^1\.c0020$/);
    await page.keyboard.press("ArrowLeft");
    assert.match(await focused(page), /^1\.c0010$/);
    const was = await cell(page, 1, "c0010").inputValue();
    await page.keyboard.type("something else");
    await page.keyboard.press("Escape");
    assert.equal(await cell(page, 1, "c0010").inputValue(), was);
    await page.keyboard.type("typed");
    await page.keyboard.press("Enter");
    await page.getByText("Changed cells: 1").waitFor();
    await page.keyboard.press("Control+z");
    assert.equal(await cell(page, 1, "c0010").inputValue(), was);
  });

  journey("a LEI is not cut off in its cell", async (page) => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto("/workspace/register/B_05.01/table?limit=500");
    // A new row is as wide as a stored one, whatever the demo has.
    await page.locator('table.grid [name$=".c0010"]').last().fill("529900TIDEWALLBANK74");
    const cut = await page.evaluate(() => [...document.querySelectorAll("table.grid input, table.grid textarea")]
      .filter((field) => /^[A-Z0-9]{18}[0-9]{2}$/.test(field.value))
      .map((field) => [field.value, field.scrollWidth - field.clientWidth]));
    assert.ok(cut.length > 0, "there is a LEI");
    assert.deepEqual(cut.filter(([, over]) => over > 0), []);
  });

  journey("what is typed is checked at once, without being saved", async (page, service) => {
    const before = await contracts(service);
    await page.goto(`${TABLE}?limit=500`);
    const counts = page.locator("[data-grid-counts]");
    const refused = Number(/(\d+) refused/.exec(await counts.textContent())[1]);
    const changed = cell(page, 0, "c0050");
    const was = await changed.inputValue();
    await changed.fill("a lot");
    await page.keyboard.press("Enter");
    await page.getByText(`This template: ${refused + 1} refused`).waitFor();
    assert.equal(await changed.getAttribute("aria-invalid"), "true");
    await page.locator("table.grid tbody tr").first().getByText("is not a plain number").waitFor();
    // A new row is checked where it stands, though there are empty rows before it.
    await cell(page, before.length + 1, "c0010").fill(before[0].cells.c0010);
    await page.keyboard.press("Enter");
    await page.locator("table.grid tbody tr").nth(before.length + 1).getByText("stands in an earlier row").waitFor();
    await page.getByText(`This template: ${refused + 2} refused`).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText(`This template: ${refused} refused`).waitFor();
    assert.equal(await changed.inputValue(), was);
    assert.deepEqual((await contracts(service)).map((row) => row.cells), before.map((row) => row.cells));
  });

  journey("without a script the table is a plain form that checks and saves", async (page, service) => {
    const before = await contracts(service);
    await page.goto(`${TABLE}?limit=500`);
    await cell(page, before.length, "c0010").fill("plain");
    await page.getByRole("button", { name: "Check without saving" }).click();
    await page.getByText("Checked, nothing was saved").waitFor();
    assert.equal((await contracts(service)).length, before.length);
    await page.getByRole("button", { name: "Save all cells" }).click();
    await page.getByText("The cells were saved.").waitFor();
    const after = await contracts(service);
    assert.equal(after.length, before.length + 1);
    assert.deepEqual(after.slice(0, before.length).map((row) => row.cells), before.map((row) => row.cells));
  }, { javaScriptEnabled: false });
}
