// Every page: no console messages, no policy violations, nothing that axe reports, no overflow.
import assert from "node:assert/strict";
import { test } from "node:test";
import { NARROW, WIDE, allCame, chartsWithoutTable, open, overflow, shifts, signIn, traffic, violations } from "./browser.mjs";

export const OUTSIDE = [["/workspace/sign-in", 200], ["/workspace/sign-in/forgotten", 200], ["/workspace/nowhere", 404]];

export const INSIDE = [
  "/workspace",
  "/workspace?widgets=all",
  "/workspace/inbox",
  "/workspace/programmes",
  "/workspace/programmes?search=nothing-like-this",
  "/workspace/programmes/new",
  "/workspace/test-cases",
  "/workspace/test-cases/new",
  "/workspace/findings",
  "/workspace/findings?status=all&severity=high",
  "/workspace/findings/new",
  "/workspace/findings/import",
  "/workspace/incidents",
  "/workspace/incidents/new",
  "/workspace/incidents/import",
  "/workspace/incidents/statistics",
  "/workspace/drill-runs",
  "/workspace/drill-runs/new",
  "/workspace/evidence-requests",
  "/workspace/evidence-requests/new",
  "/workspace/trainings",
  "/workspace/trainings/new",
  "/workspace/cra-reports",
  "/workspace/cra-reports/new",
  "/workspace/ict-arrangements",
  "/workspace/ict-arrangements?substitutability=hard&critical=true",
  "/workspace/ict-arrangements/new",
  "/workspace/ict-arrangements/import",
  "/workspace/register",
  "/workspace/register/import",
  "/workspace/register/B_02.01",
  "/workspace/register/B_02.01/table",
  "/workspace/concentration-risk",
  "/workspace/concentration-risk?by=group",
  "/workspace/concentration-risk/simulate",
  "/workspace/concentration-risk/blast-radius",
  "/workspace/concentration-risk/blast-radius?provider=Nordlicht+Cloud+SE&group=1",
  "/workspace/compliance",
  "/workspace/compliance/dora",
  "/workspace/compliance/dora?search=backup",
  "/workspace/compliance/dora/dora-art-24-01",
  "/workspace/compliance/nis2/gaps?priority=critical",
  "/workspace/compliance/dora/gaps",
  "/workspace/requirements",
  "/workspace/requirements?framework=nis2&search=incident",
  "/workspace/gaps",
  "/workspace/timeline",
  "/workspace/timeline?framework=cra&status=upcoming",
  "/workspace/radar",
  "/workspace/drills",
  "/workspace/drills/drill-ransomware-core-banking",
  "/workspace/training",
  "/workspace/risk-register",
  "/workspace/risk-register?rating=inherent",
  "/workspace/vendor-scorecard",
  "/workspace/vendor-scorecard/vendor-hyperscale-cloud",
  "/workspace/search?q=backup",
  "/workspace/search?q=backup&type=finding",
  "/workspace/webhooks",
  "/workspace/webhooks/new",
  "/workspace/event-hooks",
  "/workspace/event-hooks/new",
  "/workspace/api-keys",
  "/workspace/api-keys/new",
  "/workspace/audit",
  "/workspace/audit/verify",
  "/workspace/users",
  "/workspace/users/new",
  "/workspace/settings",
  "/workspace/settings?tab=limits",
  "/workspace/settings?tab=access",
  "/workspace/settings?tab=mail",
  "/workspace/settings/sign-in",
  "/workspace/profile",
  "/workspace/design",
];

/** Pages that are looked at in one width. */
const ALSO = [
  "/workspace/approvals",
  "/workspace/assessments",
  "/workspace/bundles",
  "/workspace/controls",
  "/workspace/controls/adopt",
  "/workspace/controls/new",
  "/workspace/evidence",
  "/workspace/evidence/new",
  "/workspace/functions",
  "/workspace/functions/new",
  "/workspace/own-frameworks",
  "/workspace/own-frameworks/new",
  "/workspace/profile/second-factor",
  "/workspace/provider-questions",
  "/workspace/providers",
  "/workspace/register/filings",
  "/workspace/reports",
  "/workspace/reports/templates/new",
  "/workspace/risks",
  "/workspace/risks/adopt",
  "/workspace/risks/appetite",
  "/workspace/risks/matrix",
  "/workspace/risks/new",
  "/workspace/samples",
  "/workspace/samples/new?list=findings",
  "/workspace/settings/approvals",
  "/workspace/settings/profile",
  "/workspace/statement-of-applicability",
  "/workspace/work",
];

// On a machine with other work any page is slow now and then, and half a table is painted before its other half has
// come; but not three times on end.
const TRIES = 3;

/** Short texts in so little room that they are broken into letters. */
function squeezed(page) {
  return page.evaluate(() => {
    const narrow = (element) => {
      if (!element.checkVisibility()) return false;
      const { width, height } = element.getBoundingClientRect();
      const size = Number.parseFloat(getComputedStyle(element).fontSize);
      return width > 0 && width < 4 * size && height > 4 * size && element.textContent.trim().length > 4;
    };
    return [...document.querySelectorAll("main .badge, main a, main button, main dd")].filter(narrow).map((element) => element.textContent.trim());
  });
}

/** One page in one width: everything in light, and what darkness can spoil in dark. */
async function look(page, path, wrong, status = 200) {
  await page.emulateMedia({ colorScheme: "light" });
  let answer = await page.goto(path);
  let moved = await shifts(page);
  for (let tries = 1; tries < TRIES && moved.length > 0; tries += 1) {
    answer = await page.goto(path);
    moved = await shifts(page);
  }
  const found = [...moved.map((text) => `moved: ${text}`), ...(await violations(page))];
  if (answer.status() !== status) found.push(`answered ${answer.status()}`);
  const out = await overflow(page);
  if (out) found.push(`sticks out to the right: ${out}`);
  found.push(...(await squeezed(page)).map((text) => `a letter a line: ${text}`));
  found.push(...(await chartsWithoutTable(page)).map((name) => `a chart without a table: ${name}`));
  await page.emulateMedia({ colorScheme: "dark" });
  found.push(...(await violations(page, ["color-contrast"])).map((text) => `dark: ${text}`));
  wrong.push(...found.map((text) => `${path}: ${text}`));
}

/** Every page a signed-in user can open, with the created records. */
export function inside(made) {
  const edits = [made.programme, made.testCase, made.finding, made.report, made.arrangement, made.incident].map((path) => `${path}/edit`);
  return [...INSIDE, ...Object.values(made), ...edits, `${made.arrangement}/facts`, `${made.incident}/reports/dora/initial`];
}

// The budget of a first visit: bytes over the wire, and milliseconds from the first byte until the page is interactive.
const MOST_BYTES = 100_000;
const READY_MS = 1_000;
const BLOCKED_MS = 200;

/** Loads a page without a cache; returns layout shifts and the time until it was interactive. */
async function load(page, seen, path) {
  await page.goto(path, { waitUntil: "load", timeout: 30_000 });
  await allCame(page, seen);
  const moved = await shifts(page);
  return page.evaluate((moved) => {
    const [visit] = performance.getEntriesByType("navigation");
    return { moved, ready: visit.domContentLoadedEventEnd - visit.responseStart, blocked: window.blocked };
  }, moved);
}

/** One page without a cache. */
async function firstVisit(page, seen, path) {
  let { moved, ready, blocked } = await load(page, seen, path);
  for (let tries = 1; tries < TRIES && (moved.length > 0 || ready > READY_MS || blocked > BLOCKED_MS); tries += 1) {
    ({ moved, ready, blocked } = await load(page, seen, path));
  }
  const wrong = [...moved.map((text) => `moved: ${text}`), ...seen.plain.map((url) => `not compressed: ${url}`)];
  // Style, script and typeface alone are larger: less means that something came from a cache.
  if (seen.bytes < 20_000 || seen.bytes >= MOST_BYTES) wrong.push(`${seen.bytes} bytes`);
  if (ready > READY_MS) wrong.push(`ready only ${Math.round(ready)} ms after the first byte`);
  if (blocked > BLOCKED_MS) wrong.push(`does not answer for ${Math.round(blocked)} ms`);
  return { bytes: seen.bytes, wrong: wrong.map((text) => `${path}: ${text}`) };
}

export function firstVisits(world) {
  test("every page is small on a first visit, holds still and answers at once", async (t) => {
    const { service, browser, made } = world;
    const { context, page, wrong } = await open(browser, service.address);
    const seen = await traffic(page);
    let heaviest = { bytes: 0 };
    const visit = async (path) => {
      const visited = await firstVisit(page, seen, path);
      wrong.push(...visited.wrong);
      if (visited.bytes > heaviest.bytes) heaviest = { path, bytes: visited.bytes };
    };
    for (const [path] of OUTSIDE) await visit(path);
    await signIn(page, service.email, service.password);
    for (const path of inside(made)) await visit(path);
    t.diagnostic(`the heaviest is ${heaviest.path} with ${heaviest.bytes} bytes`);
    await context.close();
    assert.deepEqual(wrong, []);
  });
}

/** Registers one test for each width. */
export function everyPage(world) {
  for (const viewport of [WIDE, NARROW]) {
    test(`every page at ${viewport.width} pixels, light and dark`, async () => {
      const { service, browser, made } = world;
      const { context, page, wrong } = await open(browser, service.address, { viewport });
      for (const [path, status] of OUTSIDE) await look(page, path, wrong, status);
      await signIn(page, service.email, service.password);
      const paths = viewport === WIDE ? [...inside(made), ...ALSO] : inside(made);
      for (const path of paths) await look(page, path, wrong);
      await context.close();
      assert.deepEqual(wrong, []);
    });
  }
}
