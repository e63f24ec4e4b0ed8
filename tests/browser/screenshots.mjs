// The screenshots of the README: few, small, and of the demo tenant.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { NARROW, WIDE, launch, open, signIn } from "./browser.mjs";
import { seed } from "./seed.mjs";
import { start } from "./service.mjs";

const folder = process.argv[2] ?? "screenshots";
mkdirSync(folder, { recursive: true });

const service = await start();
const browser = await launch();
try {
  const made = await seed(service);
  const PICTURES = [
    ["dashboard", "/workspace", WIDE, "light"],
    ["dashboard-dark", "/workspace", WIDE, "dark"],
    ["findings", "/workspace/findings", WIDE, "light"],
    ["findings-dark", "/workspace/findings", WIDE, "dark"],
    ["my-work", "/workspace/work", WIDE, "light"],
    ["finding", made.finding, WIDE, "light"],
    ["cra-report", made.report, WIDE, "light"],
    ["concentration", "/workspace/concentration-risk", WIDE, "light"],
    ["compliance", "/workspace/compliance", WIDE, "light"],
    ["finding-phone", made.finding, NARROW, "light"],
  ];
  for (const [name, path, viewport, colorScheme] of PICTURES) {
    const { context, page } = await open(browser, service.address, { viewport, colorScheme });
    await signIn(page, service.email, service.password);
    await page.goto(path, { waitUntil: "networkidle" });
    const file = join(folder, `${name}.png`);
    await page.screenshot({ path: file });
    // 256 colours are plenty for flat pages, and a third of the size.
    execFileSync("pngquant", ["--force", "--skip-if-larger", "--output", file, "--speed", "1", "--strip", file]);
    await context.close();
  }
} finally {
  await browser.close();
  await service.stop();
}
