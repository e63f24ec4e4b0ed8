// A browser that records problems of pages: console errors, policy violations, failed requests, accessibility.
import { mkdtempSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

export const WIDE = { width: 1280, height: 900 };
export const NARROW = { width: 390, height: 844 };

export async function launch() {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, headless: true, args: [...QUIET, `--crash-dumps-dir=${mkdtempSync(join(tmpdir(), "chromium-"))}`] });
}

/** A separate window, with a list of its problems. */
export async function open(browser, address, options = {}) {
  const context = await browser.newContext({
    baseURL: address,
    viewport: WIDE,
    colorScheme: "light",
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    reducedMotion: "reduce",
    ...options,
  });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  const wrong = [];
  page.on("console", (message) => {
    // Chromium reports an expected refusal on the console; the tests check the status themselves.
    if (message.type() === "error" && !/status of 4(03|04|09|22)/.test(message.text())) wrong.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`script: ${error.message}`));
  page.on("requestfailed", (request) => {
    // Leaving a page while it loads cancels what it was loading.
    if (request.failure()?.errorText !== "net::ERR_ABORTED") wrong.push(`failed: ${request.url()}`);
  });
  await page.addInitScript(() => {
    window.shifts = [];
    new PerformanceObserver((list) => {
      // What is painted anew at its place, such as the words of a file field that takes several files, has not moved.
      const moved = ({ previousRect: before, currentRect: now }) => ["x", "y", "width", "height"].some((side) => before[side] !== now[side]);
      for (const entry of list.getEntries().filter(({ sources }) => sources.length === 0 || sources.some(moved))) {
        window.shifts.push(`${entry.value} ${entry.sources.map((source) => source.node?.outerHTML?.slice(0, 80)).join(" ")}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
    // Blocking time: the part of each long task beyond 50 ms.
    window.blocked = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.blocked += entry.duration - 50;
    }).observe({ type: "longtask", buffered: true });
    addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
  });
  return { context, page, wrong };
}

/** Signs in, whatever language the page has. */
export async function signIn(page, email, password) {
  await page.goto("/workspace/sign-in");
  await page.locator("input[name=email]").fill(email);
  await page.locator("input[name=password]").fill(password);
  await page.locator("form", { has: page.locator("input[name=password]") }).locator("button[type=submit]").click();
  // Contributors begin with their own work, everyone else with the overview.
  await page.waitForURL(/\/workspace(\/work)?$/);
}

/** The violations that axe finds on the current page. `rules` limits the check to single rules. */
export async function violations(page, rules) {
  await page.evaluate(axe);
  const runOnly = rules ? { type: "rule", values: rules } : { type: "tag", values: RULES };
  const found = await page.evaluate((only) => window.axe.run(document, { runOnly: only, resultTypes: ["violations"] }), runOnly);
  return found.violations.map(({ id, nodes }) =>
    `axe ${id}: ${nodes.slice(0, 3).map((node) => `${node.html} ${node.failureSummary}`).join("\n  ")}`);
}

/** Elements that overflow to the right, if any. */
export async function overflow(page) {
  return page.evaluate(() => {
    const room = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= room) return null;
    const wide = [...document.querySelectorAll("main *")].find((one) => one.getBoundingClientRect().right > room + 1);
    return wide?.outerHTML.slice(0, 120) ?? "something";
  });
}

/** Texts of which a part is hidden, because their element is too small. */
export async function cutOff(page) {
  return page.evaluate(() => {
    const hides = (one) => ["hidden", "clip"].includes(getComputedStyle(one).overflowX);
    const shows = (one) => !one.closest(".unseen, svg, select, input") && one.textContent.trim() && one.checkVisibility();
    // A record's or a person's name in a list is cut to one line; the whole text is the title, and on the record's own page.
    const whole = (one) => getComputedStyle(one).textOverflow === "ellipsis" && one.closest("[title]") && one.closest("tbody, .steps");
    return [...document.querySelectorAll("body *")]
      .filter((one) => hides(one) && shows(one) && !whole(one) && one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1)
      .map((one) => one.outerHTML.slice(0, 160));
  });
}

/** Layout shifts while the page loaded. There must be none, because every element reserves its size. */
export async function shifts(page) {
  // Shifts of the last frame are reported in the next one.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return page.evaluate(() => window.shifts);
}

/** Charts without a table of their numbers on the same page. */
export async function chartsWithoutTable(page) {
  return page.evaluate(() => {
    const open = [...document.querySelectorAll("main table")].some((table) => !table.closest("details:not([open])"));
    const charts = [...document.querySelectorAll("main svg[role=img]")];
    const bare = charts.filter((chart) => {
      const figure = chart.closest("figure");
      return figure ? !figure.querySelector("details.behind table tbody tr") : !open;
    });
    return bare.map((chart) => chart.getAttribute("aria-label"));
  });
}

/**
 * Counts what the document now in this window brings over the wire, as it comes: compressed, with its heads, and nothing
 * from a cache. What the document before it had asked for may come later than the new one; it is not counted.
 */
export async function traffic(page) {
  const seen = { bytes: 0, plain: [], pending: new Set() };
  let current;
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  await client.send("Network.setCacheDisabled", { cacheDisabled: true });
  client.on("Network.requestWillBeSent", ({ requestId, loaderId }) => {
    // A document's own request has the name of the document.
    if (requestId === loaderId && loaderId !== current) {
      current = loaderId;
      Object.assign(seen, { bytes: 0, plain: [], pending: new Set() });
    }
    if (loaderId === current) seen.pending.add(requestId);
  });
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (seen.pending.delete(requestId)) seen.bytes += encodedDataLength;
  });
  client.on("Network.loadingFailed", ({ requestId }) => { seen.pending.delete(requestId); });
  client.on("Network.responseReceived", ({ loaderId, response }) => {
    if (loaderId !== current) return;
    const heads = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value]));
    // The browser's own pictures, such as the one in a field for days, come from nowhere.
    const loaded = !response.url.startsWith("data:");
    if (loaded && /text|javascript|svg/.test(response.mimeType) && !heads["content-encoding"]) seen.plain.push(response.url);
  });
  return seen;
}

/** Waits until everything has come that the document has asked for so far. */
export async function allCame(page, seen) {
  for (let tries = 0; seen.pending.size > 0; tries += 1) {
    if (tries === 200) throw new Error(`${page.url()}: ${seen.pending.size} answers did not come within ten seconds`);
    await page.waitForTimeout(50);
  }
}
