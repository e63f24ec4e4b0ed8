// Evidence is added by dropping files on the form and by pasting them, several at once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { NARROW, open, overflow, signIn } from "./browser.mjs";

/** Files as a program outside of the browser hands them over: [name, type, content]. */
const carried = (page, files) => page.evaluateHandle((list) => {
  const transfer = new DataTransfer();
  for (const [name, type, content] of list) transfer.items.add(new File([content], name, { type }));
  return transfer;
}, files);

async function drop(page, files) {
  const dataTransfer = await carried(page, files);
  const form = page.locator("form[data-files]");
  await form.dispatchEvent("dragenter", { dataTransfer });
  await form.dispatchEvent("dragover", { dataTransfer });
  assert.ok(await form.evaluate((one) => one.classList.contains("dropping")), "the form shows that it takes files");
  await form.dispatchEvent("drop", { dataTransfer });
  assert.ok(!await form.evaluate((one) => one.classList.contains("dropping")));
}

async function paste(page, files) {
  const clipboardData = await carried(page, files);
  await page.evaluate((data) => {
    document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, clipboardData);
}

/** The titles of the tenant's evidence that contain this word. */
async function titles(service, word) {
  const answer = await fetch(`${service.address}/api/v1/evidence?search=${word}&limit=50`, {
    headers: { authorization: `Bearer ${service.key}` },
  });
  return (await answer.json()).data.map(({ title }) => title).sort();
}

export function evidence(world) {
  test("files are dropped on the form of evidence, pasted into it, and kept in a row", async () => {
    const { service } = world;
    const { context, page, wrong } = await open(world.browser, service.address);
    await signIn(page, service.email, service.password);

    await page.goto("/workspace/evidence/new");
    await drop(page, [
      ["dropped minutes.txt", "text/plain", "Minutes of the restore test."],
      ["dropped plan.txt", "text/plain", "The plan of the restore test."],
    ]);
    // What comes while files are being sent waits and is not lost.
    await paste(page, [["dropped later.txt", "text/plain", "Pasted while the others were being sent."]]);
    await page.waitForURL(/\/workspace\/evidence(\?|$)/);
    assert.deepEqual(await titles(service, "dropped"), ["dropped later.txt", "dropped minutes.txt", "dropped plan.txt"]);
    await page.getByRole("link", { name: "dropped plan.txt" }).first().waitFor();

    // An empty file among good ones: it is named with its reason, the good one is kept, and the page stays.
    await page.goto("/workspace/evidence/new");
    await drop(page, [
      ["refused report.pdf", "application/pdf", ""],
      ["refused not.txt", "text/plain", "This one is fine."],
    ]);
    const rows = page.locator("[data-files-list] li");
    await page.waitForFunction(() => document.querySelectorAll("[data-files-list] li span").length === 2
      && !document.querySelector("[data-files-list] progress"));
    const said = await rows.allTextContents();
    assert.match(said[0], /^refused report\.pdf .{10,}/, "with the reason");
    assert.match(said[1], /^refused not\.txt /);
    assert.notEqual(said[0].replace("refused report.pdf", ""), said[1].replace("refused not.txt", ""));
    assert.deepEqual(await titles(service, "refused"), ["refused not.txt"]);
    await page.setViewportSize(NARROW);
    assert.equal(await overflow(page), null);

    // Text that is pasted into a field is not taken for a file.
    await page.getByLabel("Title").focus();
    await page.evaluate(() => document.activeElement.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: new DataTransfer(), bubbles: true, cancelable: true })));
    assert.equal(await rows.count(), 2);

    await context.close();
    assert.deepEqual(wrong, []);
  });
}
