// A browser that tells on the pages: console errors, policy violations, failed requests, accessibility.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Every way the pages are looked at. */
export const VARIANTS = [1280, 390].flatMap((width) =>
  ["light", "dark"].map((scheme) => ({ width, scheme, name: `${width}-${scheme}` })));

export async function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
}

/** A window of its own, with a list of everything that went wrong in it. */
export async function open(browser, address, variant, options = {}) {
  const context = await browser.newContext({
    baseURL: address,
    viewport: { width: variant.width, height: 900 },
    colorScheme: variant.scheme,
    locale: "en-GB",
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  const wrong = [];
  page.on("console", (message) => {
    // A form that is refused answers 422, and Chromium puts that on the console although it is as it should be.
    if (message.type() === "error" && !/status of 4(22|04)/.test(message.text())) wrong.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`script: ${error.message}`));
  page.on("requestfailed", (request) => {
    // Leaving a page while it loads cancels what it was loading.
    if (request.failure()?.errorText !== "net::ERR_ABORTED") wrong.push(`failed: ${request.url()}`);
  });
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
  });
  return { context, page, wrong };
}

export async function signIn(page, email, password) {
  await page.goto("/workspace/sign-in");
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/workspace");
}

/** What axe finds wrong with the page as it is now. */
export async function violations(page) {
  await page.evaluate(axe);
  const found = await page.evaluate((values) => window.axe.run(document, { runOnly: { type: "tag", values } }), RULES);
  return found.violations.map(({ id, nodes }) => `axe ${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join("\n  ")}`);
}

/** Whether anything sticks out to the right. */
export async function overflows(page) {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}
