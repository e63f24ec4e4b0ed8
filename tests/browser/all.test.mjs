// The workspace in a real browser: one service, one browser, every page and what people come for.
import { after, before } from "node:test";
import { launch } from "./browser.mjs";
import { accessible } from "./accessible.mjs";
import { evidence } from "./evidence.mjs";
import { german } from "./german.mjs";
import { identity } from "./identity.mjs";
import { journeys } from "./journeys.mjs";
import { keyboard } from "./keyboard.mjs";
import { look } from "./look.mjs";
import { everyPage, firstVisits } from "./pages.mjs";
import { passkeys } from "./passkeys.mjs";
import { people } from "./people.mjs";
import { registerTable } from "./register_table.mjs";
import { seed } from "./seed.mjs";
import { start } from "./service.mjs";
import { thirdParties } from "./third_parties.mjs";
import { webhooks } from "./webhooks.mjs";
import { zoom } from "./zoom.mjs";

const world = {};

before(async () => {
  world.service = await start();
  world.made = await seed(world.service);
  world.browser = await launch();
});

after(async () => {
  await world.browser?.close();
  await world.service?.stop();
});

journeys(world);
people(world);
evidence(world);
thirdParties(world);
registerTable(world);
webhooks(world);
identity(world);
passkeys(world);
keyboard(world);
firstVisits(world);
everyPage(world);
german(world);
zoom(world);
accessible(world);
look(world);
