// Every page: nothing on the console, nothing against the policy, nothing axe finds, nothing that sticks out.
import assert from "node:assert/strict";
import { test } from "node:test";
import { NARROW, WIDE, open, overflow, shifts, signIn, violations } from "./browser.mjs";

export const OUTSIDE = [["/workspace/sign-in", 200], ["/workspace/sign-in/forgotten", 200], ["/workspace/nowhere", 404]];

export const INSIDE = [
  "/workspace",
  "/workspace/programmes",
  "/workspace/programmes?search=nothing-like-this",
  "/workspace/programmes/new",
  "/workspace/test-cases",
  "/workspace/test-cases/new",
  "/workspace/findings",
  "/workspace/findings?status=all&severity=high",
  "/workspace/findings/new",
  "/workspace/findings/import",
  "/workspace/cra-reports",
  "/workspace/cra-reports/new",
  "/workspace/ict-arrangements",
  "/workspace/ict-arrangements?substitutability=hard&critical=true",
  "/workspace/ict-arrangements/new",
  "/workspace/ict-arrangements/import",
  "/workspace/concentration-risk",
  "/workspace/concentration-risk?by=group",
  "/workspace/concentration-risk/simulate",
  "/workspace/concentration-risk/blast-radius",
  "/workspace/concentration-risk/blast-radius?provider=Nordlicht+Cloud+SE&group=1",
  "/workspace/compliance",
  "/workspace/compliance/dora",
  "/workspace/compliance/dora?search=backup",
  "/workspace/compliance/nis2/gaps?priority=critical",
  "/workspace/timeline",
  "/workspace/timeline?framework=cra&status=upcoming",
  "/workspace/radar",
  "/workspace/drills",
  "/workspace/drills/drill-ransomware-core-banking",
  "/workspace/training",
  "/workspace/risk-register",
  "/workspace/risk-register?rating=inherent",
  "/workspace/vendor-scorecard",
  "/workspace/search?q=ransomware",
  "/workspace/webhooks",
  "/workspace/webhooks/new",
  "/workspace/api-keys",
  "/workspace/api-keys/new",
  "/workspace/audit",
  "/workspace/audit/verify",
  "/workspace/users",
  "/workspace/users/new",
  "/workspace/settings",
  "/workspace/profile",
  "/workspace/design",
];

/** One page in one width: everything in light, and what darkness can spoil in dark. */
async function look(page, path, wrong, status = 200) {
  await page.emulateMedia({ colorScheme: "light" });
  const answer = await page.goto(path);
  const moved = (await shifts(page)).map((text) => `moved: ${text}`);
  const found = [...moved, ...(await violations(page))];
  if (answer.status() !== status) found.push(`answered ${answer.status()}`);
  const out = await overflow(page);
  if (out) found.push(`sticks out to the right: ${out}`);
  await page.emulateMedia({ colorScheme: "dark" });
  found.push(...(await violations(page, ["color-contrast"])).map((text) => `dark: ${text}`));
  wrong.push(...found.map((text) => `${path}: ${text}`));
}

/** Registers one test for each width. */
export function everyPage(world) {
  for (const viewport of [WIDE, NARROW]) {
    test(`every page at ${viewport.width} pixels, light and dark`, async () => {
      const { service, browser, made } = world;
      const { context, page, wrong } = await open(browser, service.address, { viewport });
      for (const [path, status] of OUTSIDE) await look(page, path, wrong, status);
      await signIn(page, service.email, service.password);
      const edits = [made.programme, made.testCase, made.finding, made.report, made.arrangement].map((path) => `${path}/edit`);
      edits.push(`${made.arrangement}/facts`);
      for (const path of [...INSIDE, ...Object.values(made), ...edits]) await look(page, path, wrong);
      await context.close();
      assert.deepEqual(wrong, []);
    });
  }
}
