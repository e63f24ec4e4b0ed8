// Every page in German, in both widths: nothing overflows, nothing is cut off, and nothing is in English.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { NARROW, WIDE, cutOff, open, overflow, signIn } from "./browser.mjs";
import { OUTSIDE, inside } from "./pages.mjs";

const CRATES = new URL("../../crates/", import.meta.url).pathname;
const TEXT = String.raw`"((?:[^"\\]|\\.)*)"`;
// The three ways a text is declared in both languages: a page's texts, a word of a list, a label.
const DECLARED = [
  new RegExp(String.raw`^\s*[A-Z_]+ = ${TEXT}, ${TEXT};`, "gm"),
  new RegExp(String.raw`= "[^"]*"\s*\(\s*${TEXT},\s*${TEXT}\s*\)`, "g"),
  new RegExp(String.raw`Label::new\(\s*${TEXT},\s*${TEXT},?\s*\)`, "g"),
];

/** Every file of a folder, with those of the folders within. */
function sources(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".rs"))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
}

/** The English texts of the program that differ from their German, read where they are declared. */
function english() {
  const pairs = ["workspace/src", "domain/src", "catalogue/src"].flatMap((folder) =>
    sources(join(CRATES, folder)).flatMap((source) =>
      DECLARED.flatMap((declared) => [...source.matchAll(declared)].map(([, en, de]) => [en, de].map((text) => JSON.parse(`"${text}"`))))));
  const german = new Set(pairs.map(([, de]) => de));
  const differ = pairs.map(([en]) => en).filter((en) => !german.has(en) && /[a-z]{3}/i.test(en));
  assert.ok(differ.length > 500, `only ${differ.length} texts were found: are they declared in another way now?`);
  return [...new Set(differ)];
}

/** Every text that people typed: a sector may be called "Security" in the register of a German bank. */
async function typed(api) {
  const lists = await Promise.all(["/ict-arrangements", "/programmes", "/findings", "/controls"].map((path) => api("GET", `${path}?limit=500`)));
  const texts = new Set();
  const gather = (value) => {
    if (typeof value === "string") texts.add(value);
    else if (value && typeof value === "object") Object.values(value).forEach(gather);
  };
  lists.forEach(gather);
  return texts;
}

/** Texts that are in English and not typed by people, on the current page. */
function faults({ texts, ours }) {
  const typed = new Set(ours);
  const quoted = (text) => text.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, ".+");
  const plain = new Set(texts.filter((text) => !text.includes("{")));
  // A text that consists mostly of placeholders would match anything.
  const filled = texts.filter((text) => text.includes("{") && text.replace(/\{\w+\}/g, "").length > 10).map((text) => new RegExp(`^${quoted(text)}$`));
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim().replace(/\s+/g, " ");
    // A passage that says it is English may be: the search quotes the text that matched.
    if (!text || typed.has(text) || parent.closest("code, kbd, pre, script, style, textarea, [lang=en]")) continue;
    if (plain.has(text) || filled.some((one) => one.test(text))) found.push(`in English: ${text}`);
  }
  return found;
}

async function look(page, path, texts, wrong) {
  await page.goto(path);
  const found = await page.evaluate(faults, texts);
  found.push(...(await cutOff(page)).map((text) => `cut off: ${text}`));
  const out = await overflow(page);
  if (out) found.push(`sticks out to the right: ${out}`);
  wrong.push(...found.map((text) => `${path}: ${text}`));
}

/** Registers one test for each width. */
export function german(world) {
  for (const viewport of [WIDE, NARROW]) {
    test(`every page in German, ${viewport.width} pixels wide`, async () => {
      const { service, browser, made } = world;
      const ours = await typed(service.api);
      const texts = { texts: english().filter((text) => !ours.has(text)), ours: [...ours] };
      const { context, page, wrong } = await open(browser, service.address, { viewport, locale: "de-DE" });
      for (const [path] of OUTSIDE) await look(page, path, texts, wrong);
      await signIn(page, service.email, service.password);
      assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
      for (const path of inside(made)) await look(page, path, texts, wrong);
      await context.close();
      assert.deepEqual(wrong, []);
    });
  }
}
