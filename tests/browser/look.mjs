// How pages look at the widths people have, in both languages: no word in a head, button or badge is torn apart, and a
// list shows many records at once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { WIDE, open, signIn } from "./browser.mjs";
import { inside } from "./pages.mjs";

const WIDTHS = [390, 1280, 1440, 1920];
const FINDINGS_AT_ONCE = 18;

/** Words of heads, buttons and badges that are divided so that a line has fewer than three letters of them. */
function torn() {
  const found = [];
  const tops = (node, start, end) => {
    const range = document.createRange();
    range.setStart(node, start);
    range.setEnd(node, end);
    return Math.round(range.getBoundingClientRect().top);
  };
  for (const element of document.querySelectorAll("main th, main .button, main button, main .badge")) {
    if (!element.checkVisibility()) continue;
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.parentElement.closest(".unseen") || !node.parentElement.checkVisibility()) continue;
      for (const word of node.textContent.matchAll(/[\p{L}\p{N}]{4,}/gu)) {
        const first = tops(node, word.index, word.index + 1);
        const last = tops(node, word.index + word[0].length - 1, word.index + word[0].length);
        if (first === last) continue;
        const lines = new Map();
        for (let at = 0; at < word[0].length; at += 1) {
          const top = tops(node, word.index + at, word.index + at + 1);
          lines.set(top, (lines.get(top) ?? 0) + 1);
        }
        if (Math.min(...lines.values()) < 3) found.push(word[0]);
      }
    }
  }
  return [...new Set(found)];
}

export function look(world) {
  for (const locale of ["en-GB", "de-DE"]) {
    test(`no word of a head, a button or a badge is torn apart (${locale})`, async () => {
      const { service, browser, made } = world;
      const { context, page, wrong } = await open(browser, service.address, { locale });
      await signIn(page, service.email, service.password);
      for (const path of inside(made)) {
        await page.goto(path);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          for (const word of await page.evaluate(torn)) wrong.push(`${path} at ${width}: ${word}`);
        }
      }
      await context.close();
      assert.deepEqual(wrong, []);
    });
  }

  test(`${FINDINGS_AT_ONCE} findings stand on one screen, each on one line`, async () => {
    const { service, browser } = world;
    const { context, page, wrong } = await open(browser, service.address, { viewport: WIDE });
    await signIn(page, service.email, service.password);
    await page.goto("/workspace/findings?status=all");
    const rows = await page.locator("main > table.list tbody tr").evaluateAll((all) => all.map((row) => row.getBoundingClientRect().bottom));
    const seen = rows.filter((bottom) => bottom <= WIDE.height).length;
    assert.ok(rows.length >= FINDINGS_AT_ONCE, `only ${rows.length} findings to show`);
    assert.ok(seen >= FINDINGS_AT_ONCE, `only ${seen} findings stand on one screen`);
    await context.close();
    assert.deepEqual(wrong, []);
  });

  test("the menu stands on one screen, and the filters are folded on a phone", async () => {
    const { service, browser } = world;
    const { context, page, wrong } = await open(browser, service.address, { viewport: WIDE });
    await signIn(page, service.email, service.password);
    const last = await page.locator("nav.side summary.menu-group").last().evaluate((one) => one.getBoundingClientRect().bottom);
    assert.ok(last <= WIDE.height, `the menu ends at ${last}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/workspace/findings");
    const first = await page.locator("main > table.list tbody tr").first().evaluate((row) => row.getBoundingClientRect().top);
    assert.ok(first <= 500, `the first record begins only at ${first}`);
    await context.close();
    assert.deepEqual(wrong, []);
  });
}
