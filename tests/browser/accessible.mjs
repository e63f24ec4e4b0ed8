// In the full size: every page that a link leads to, in both languages and both themes, by all rules of axe.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, signIn, violations } from "./browser.mjs";
import { OUTSIDE, inside } from "./pages.mjs";

const FULL = process.env.TIDEWALL_TEST_SIZE === "full";
// So many pages of one shape, such as the pages of measures.
const OF_A_SHAPE = 3;
const LANGUAGES = ["en-GB", "de-DE"];
const THEMES = ["light", "dark"];

/** What the pages of one kind have in common: their address without what names a single record. */
function shape(path) {
  const { pathname, searchParams } = new URL(path, "http://localhost");
  const parts = pathname.split("/").map((part) => (/[0-9]|-.*-/.test(part) ? "{id}" : part));
  const tab = searchParams.get("tab");
  return tab ? `${parts.join("/")}?tab=${tab}` : parts.join("/");
}

/** The addresses that the links of the shown page lead to; files and what changes something are left out. */
function links(page) {
  return page.evaluate(() => [...document.querySelectorAll("a[href]")]
    .map((link) => new URL(link.href))
    .filter((to) => to.origin === location.origin && /^\/workspace(\/|$)/.test(to.pathname))
    .filter((to) => !/\.\w+$|\/(content|download)$/.test(to.pathname))
    .map((to) => to.pathname + (to.searchParams.has("tab") ? `?tab=${to.searchParams.get("tab")}` : "")));
}

/** The pages one comes to from these, link by link, with a few of each shape. */
async function reached(page, from) {
  const [paths, shapes] = [[...from], new Map()];
  const seen = new Set(from);
  for (let at = 0; at < paths.length; at += 1) {
    const answer = await page.goto(paths[at]);
    if (!answer.headers()["content-type"].startsWith("text/html")) throw new Error(`${paths[at]} is no page`);
    for (const path of await links(page)) {
      const known = shapes.get(shape(path)) ?? 0;
      if (seen.has(path) || known >= OF_A_SHAPE) continue;
      shapes.set(shape(path), known + 1);
      seen.add(path);
      paths.push(path);
    }
  }
  return paths;
}

export function accessible(world) {
  test("every page is accessible, in both languages, light and dark", { skip: FULL ? false : "it takes minutes: scripts/test --full" }, async (t) => {
    const { service, browser, made } = world;
    const found = [];
    let paths;
    for (const locale of LANGUAGES) {
      const { context, page, wrong } = await open(browser, service.address, { locale });
      const check = async (path) => {
        await page.goto(path);
        for (const colorScheme of THEMES) {
          await page.emulateMedia({ colorScheme });
          found.push(...(await violations(page)).map((text) => `${locale} ${colorScheme} ${path}: ${text}`));
        }
      };
      for (const [path] of OUTSIDE) await check(path);
      await signIn(page, service.email, service.password);
      paths ??= await reached(page, inside(made));
      for (const path of paths) await check(path);
      await context.close();
      found.push(...wrong);
    }
    t.diagnostic(`${paths.length} pages`);
    assert.deepEqual(found, []);
  });
}
