// The days of the five people of the demo bank. What each comes for takes five clicks at most, which are counted.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, signIn, violations } from "./browser.mjs";

const MOST_CLICKS = 5;

/** Clicks and choices of one person on one page, counted; typing is not. */
class Hand {
  #count = 0;

  constructor(page) {
    this.page = page;
  }

  async click(target) {
    this.#count += 1;
    await target.click();
  }

  async choose(target, options) {
    this.#count += 1;
    await target.selectOption(options);
  }

  button(name) {
    return this.click(this.page.getByRole("button", { name, exact: true }));
  }

  link(name) {
    return this.click(this.page.getByRole("link", { name }).first());
  }

  /** Ends a task. */
  done(task) {
    assert.ok(this.#count > 0 && this.#count <= MOST_CLICKS, `${task} took ${this.#count} clicks`);
    this.#count = 0;
  }
}

export function people(world) {
  const day = (name, role, steps) => test(name, async () => {
    const { context, page, wrong } = await open(world.browser, world.service.address);
    const { email, password } = world.service.people[role];
    await signIn(page, email, password);
    await steps(page, new Hand(page));
    assert.deepEqual(await violations(page), []);
    await context.close();
    assert.deepEqual(wrong, []);
  });
  const unread = (page) => page.locator("a.bell .unseen").textContent();

  day("a contributor reads what was decided, asks for a decision and answers a comment", "contributor", async (page, hand) => {
    assert.notEqual(await unread(page), "Inbox, 0 unread");
    await hand.click(page.locator("a.bell"));
    await page.getByText("your request is decided").first().waitFor();
    hand.done("Reading what was decided");

    await page.goto("/workspace/findings/new");
    await page.getByLabel("Title").fill("Spare keys of the vault are not counted");
    await hand.choose(page.getByLabel("Severity"), "high");
    await hand.button("Record the finding");
    await page.getByText("Created.").waitFor();
    hand.done("Recording a finding");
    await hand.click(page.locator("a[href*='approvals/new'][href*='action=accept']"));
    await page.getByLabel("Reason").fill("Counted by hand until the cabinet is replaced");
    await page.getByLabel("Accepted until").fill(new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10));
    await hand.button("Ask");
    await page.getByText("The approval is asked for.").waitFor();
    await page.getByText("Can decide").waitFor();
    assert.equal(await page.getByRole("button", { name: "Grant and carry out" }).count(), 0, "no button to decide");
    hand.done("Asking for a decision");

    await page.goto("/workspace/work");
    await hand.click(page.locator("main table a").first());
    hand.done("Opening a task");
  });

  day("a manager decides what waits, and the asker's finding is accepted at once", "manager", async (page, hand) => {
    await page.locator("[data-part=waiting]").getByText("Decisions asked of you").waitFor();
    await hand.link("Decisions asked of you");
    await hand.link(/Spare keys of the vault/);
    await page.getByLabel("What you say to it").fill("Agreed until the cabinet is there");
    await hand.button("Grant and carry out");
    await page.getByText("The approval is granted and carried out.").waitFor();
    hand.done("Deciding");
    await hand.link(/Spare keys of the vault/);
    await page.getByText("Counted by hand until the cabinet is replaced").first().waitFor();
    hand.done("Seeing the result");

    await page.goto("/workspace/trainings/new");
    await hand.click(page.getByLabel("Miriam Vogt").first());
    await page.getByLabel("Title of a course held elsewhere").fill("First aid");
    await page.getByLabel("Due").fill(new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10));
    await hand.button("Assign");
    await page.getByText("The training was assigned.").waitFor();
    hand.done("Assigning a training");
    await hand.link("First aid");
    await page.getByLabel("Passed on").fill(new Date().toISOString().slice(0, 10));
    await hand.button("Record the result");
    await page.getByText("The result was recorded.").waitFor();
    hand.done("Recording a result");
  });

  day("an auditor asks a question where it arises, and the person asked gets a notice", "auditor", async (page, hand) => {
    assert.notEqual(await unread(page), "Inbox, 0 unread", "Anna asked something");
    await page.goto("/workspace/findings?status=all&search=vault");
    await hand.link(/Spare keys of the vault/);
    await page.locator("#comment-text").fill("Who counted them last month?");
    await hand.choose(page.locator("#comment-mentions"), { label: "Miriam Vogt" });
    await hand.button("Comment");
    await page.getByText("Who counted them last month?").first().waitFor();
    hand.done("Asking a question");
    assert.equal(await page.getByRole("button", { name: "Start work" }).count(), 0, "an auditor changes nothing");

    const { context, page: hers } = await open(world.browser, world.service.address);
    const { email, password } = world.service.people.contributor;
    await signIn(hers, email, password);
    const miriam = new Hand(hers);
    await miriam.click(hers.locator("a.bell"));
    await miriam.click(hers.getByRole("link", { name: /Spare keys of the vault/ }).first());
    await hers.getByText("Who counted them last month?").first().waitFor();
    await hers.locator("#comment-text").fill("I did, on the third.");
    await miriam.button("Comment");
    await hers.getByText("I did, on the third.").first().waitFor();
    miriam.done("Answering");
    await context.close();
  });

  day("an officer sees who decided what, and what still waits", "administrator", async (page, hand) => {
    await page.locator("[data-part=waiting]").getByText("Decisions asked of you").waitFor();
    await page.goto("/workspace/approvals");
    await hand.click(page.locator("main").getByRole("link", { name: "All", exact: true }));
    await page.locator("main table").getByText("Granted").first().waitFor();
    await page.locator("main table").getByText("Lapsed").first().waitFor();
    hand.done("Reading all decisions");
    await hand.click(page.locator("a.bell"));
    await hand.button("Mark all as read");
    await page.getByText("All notices are marked as read.").waitFor();
    assert.equal(await unread(page), "Inbox, 0 unread");
    hand.done("Clearing the inbox");
  });

  day("a member of the board finds what concerns them, and changes nothing", "viewer", async (page, hand) => {
    assert.notEqual(await unread(page), "Inbox, 0 unread", "Anna mentioned her");
    await hand.click(page.locator("a.bell"));
    await hand.click(page.locator("main tr", { hasText: "you are mentioned" }).getByRole("link"));
    await page.getByText("this one is on the agenda of the next board meeting").waitFor();
    assert.equal(await page.getByRole("button", { name: "Start work" }).count(), 0, "a viewer changes no status");
    hand.done("Reading a mention");
    await page.goto("/workspace/work");
    await page.locator("main table").getByText(/management body/i).first().waitFor();
  });
}
