// Every page at 200 % of a window 1280 pixels wide: no page scrolls sideways, and nothing is cut off (WCAG 1.4.4, 1.4.10).
import assert from "node:assert/strict";
import { test } from "node:test";
import { cutOff, open, overflow, signIn } from "./browser.mjs";
import { OUTSIDE, inside } from "./pages.mjs";

// The browser lays a page out as if the window were half as large, and paints it twice as large.
const HALF = { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 };

export function zoom(world) {
  test("every page at 200 percent", async () => {
    const { service, browser, made } = world;
    const { context, page, wrong } = await open(browser, service.address, HALF);
    const look = async (path) => {
      await page.goto(path);
      const out = await overflow(page);
      if (out) wrong.push(`${path}: sticks out to the right: ${out}`);
      wrong.push(...(await cutOff(page)).map((text) => `${path}: cut off: ${text}`));
    };
    for (const [path] of OUTSIDE) await look(path);
    await signIn(page, service.email, service.password);
    for (const path of inside(made)) await look(path);
    await context.close();
    assert.deepEqual(wrong, []);
  });
}
