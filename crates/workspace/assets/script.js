// Comfort for the workspace. Everything works without it; nothing here decides anything.
"use strict";

(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // Buttons that need a script are hidden until there is one.
  const copies = all("[data-copy]");
  for (const button of copies) {
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copy);
      await navigator.clipboard.writeText(source.textContent.trim());
      const before = button.textContent;
      button.textContent = button.dataset.done;
      setTimeout(() => { button.textContent = before; }, 2000);
    });
  }

  // A form is sent once: a second click while it is on its way does nothing.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "1";
    setTimeout(() => { delete form.dataset.sent; }, 4000);
  });
  // Coming back with the browser's button, the form may be sent again.
  addEventListener("pageshow", () => all("form[data-sent]").forEach((form) => { delete form.dataset.sent; }));

  // Menus and questions close on Escape, and menus when something else is clicked.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const open of all("details[open].account, details[open].confirm")) {
      open.open = false;
      open.querySelector("summary").focus();
    }
  });
  document.addEventListener("click", (event) => {
    for (const menu of all("details[open].account")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });

  // The reader's own time beside UTC.
  const local = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  for (const time of all("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (!Number.isNaN(at.valueOf())) time.title = local.format(at);
  }

  // Filters apply as soon as they are chosen.
  for (const form of all("form[data-live]")) {
    form.addEventListener("change", () => form.requestSubmit());
    all("[data-live-submit]", form).forEach((button) => { button.hidden = true; });
  }

  // Clocks that run down.
  const clocks = all("[data-until]");
  const left = (milliseconds) => {
    const minutes = Math.floor(Math.abs(milliseconds) / 60000);
    const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
    const text = days > 0 ? `${days} d ${hours} h` : hours > 0 ? `${hours} h ${rest} min` : `${rest} min`;
    return text;
  };
  const tick = () => clocks.forEach((clock) => {
    const rest = new Date(clock.dataset.until) - Date.now();
    const told = rest < 0 ? clock.dataset.over : clock.dataset.left;
    clock.textContent = told.replace("{time}", left(rest));
  });
  if (clocks.length > 0) {
    tick();
    setInterval(tick, 30000);
  }

  // The command palette.
  const palette = document.getElementById("palette");
  const opener = document.querySelector(".palette-open");
  if (!palette || !opener || !palette.showModal) return;
  const filter = document.getElementById("palette-filter");
  const none = document.getElementById("palette-none");
  const found = document.getElementById("palette-found");
  const everywhere = document.getElementById("palette-search");
  const pages = all("#palette-list li");
  const entries = () => [...pages, ...found.children];
  const shown = () => entries().filter((entry) => !entry.hidden);
  const choose = (entry) => {
    entries().forEach((other) => other.firstElementChild.classList.toggle("chosen", other === entry));
    entry?.scrollIntoView({ block: "nearest" });
  };
  const chosen = () => entries().find((entry) => entry.firstElementChild.classList.contains("chosen"));
  const narrow = () => {
    const words = filter.value.toLowerCase().split(/\s+/);
    for (const entry of pages) {
      const text = entry.textContent.toLowerCase();
      entry.hidden = !words.every((word) => text.includes(word));
    }
    none.hidden = shown().length > 0;
    if (!chosen() || chosen().hidden) choose(shown()[0]);
  };

  // Records of the catalogue, as they are found. An answer to an older question is dropped.
  let asking;
  const suggest = async () => {
    asking?.abort();
    const question = filter.value.trim();
    everywhere.href = `${everywhere.pathname}?q=${encodeURIComponent(question)}`;
    if (question.length < 3) {
      found.replaceChildren();
      found.hidden = true;
      return;
    }
    asking = new AbortController();
    try {
      const answer = await fetch(`${found.dataset.from}?q=${encodeURIComponent(question)}`, { signal: asking.signal });
      if (!answer.ok) return;
      const hits = await answer.json();
      found.replaceChildren(...hits.map(({ title, kind, url }) => {
        const [item, link, about] = ["li", "a", "span"].map((name) => document.createElement(name));
        link.href = url;
        about.className = "quiet";
        about.textContent = kind;
        link.append(title, about);
        item.append(link);
        return item;
      }));
      found.hidden = hits.length === 0;
      narrow();
    } catch (error) {
      if (error.name !== "AbortError") found.hidden = true;
    }
  };
  let waiting;
  const typed = () => {
    narrow();
    clearTimeout(waiting);
    waiting = setTimeout(suggest, 150);
  };
  const open = () => {
    filter.value = "";
    found.replaceChildren();
    found.hidden = true;
    narrow();
    palette.showModal();
    filter.focus();
  };
  opener.hidden = false;
  opener.addEventListener("click", open);
  filter.addEventListener("input", typed);
  palette.addEventListener("click", (event) => { if (event.target === palette) palette.close(); });
  palette.addEventListener("keydown", (event) => {
    const list = shown();
    const at = list.indexOf(chosen());
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(list[(at + (event.key === "ArrowDown" ? 1 : list.length - 1)) % list.length]);
    } else if (event.key === "Enter" && event.target === filter) {
      event.preventDefault();
      (list[at]?.firstElementChild ?? everywhere).click();
    }
  });
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      if (palette.open) palette.close(); else open();
    }
  });
})();
