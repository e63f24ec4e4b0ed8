// Every page, wide and narrow, light and dark: nothing on the console, nothing against the policy, nothing axe finds.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { VARIANTS, launch, open, overflows, signIn, violations } from "./browser.mjs";
import { INSIDE, OUTSIDE } from "./pages.mjs";
import { PASSWORD, addPerson, start } from "./service.mjs";

let service, browser, email;

before(async () => {
  service = await start();
  service.run(["tenant", "create", "north", "--name", "North Bank AG"]);
  email = addPerson(service, "north", "administrator");
  service.run(["key", "create", "--tenant", "north", "--name", "SIEM export", "--permissions", "write"]);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await service?.stop();
});

for (const variant of VARIANTS) {
  test(`every page at ${variant.name}`, async () => {
    const { context, page, wrong } = await open(browser, service.address, variant);
    const look = async (path) => {
      await page.goto(path);
      const found = await violations(page);
      if (await overflows(page)) found.push("sticks out to the right");
      wrong.push(...found.map((text) => `${path}: ${text}`));
    };
    for (const path of OUTSIDE) await look(path);
    await signIn(page, email, PASSWORD);
    for (const path of INSIDE) await look(path);
    await context.close();
    assert.deepEqual(wrong, []);
  });
}
