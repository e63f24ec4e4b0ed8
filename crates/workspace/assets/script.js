// Comfort for the workspace. Everything works without it; nothing here decides anything.
"use strict";

(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // A form is sent once: a second click while it is on its way does nothing.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "1";
    setTimeout(() => { delete form.dataset.sent; }, 4000);
    if (form.dataset.busy) {
      // Long work says that it goes on.
      const told = form.querySelector("[data-busy-note]");
      if (told) told.hidden = false;
    }
  });
  // Coming back with the browser's button, the form may be sent again.
  addEventListener("pageshow", () => {
    all("form[data-sent]").forEach((form) => { delete form.dataset.sent; });
    all("[data-busy-note]").forEach((note) => { note.hidden = true; });
  });

  // Menus and questions close on Escape, and menus when something else is clicked.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const open of all("details[open].account, details[open].menu, details[open].confirm")) {
      open.open = false;
      open.querySelector("summary").focus();
    }
  });
  // The keys of lists are shown by one of them.
  const keys = document.getElementById("keys");
  keys?.addEventListener("click", (event) => {
    if (event.target === keys || event.target.closest("button")) keys.close();
  });
  // From one record to the next by a single key, unless something is being typed.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog")) return;
    if (event.key === "?") {
      keys?.showModal();
      return;
    }
    const row = document.activeElement.closest("tr");
    if (event.key === "x") row?.querySelector("[data-done], input[name=ids], input[name=requirements]")?.click();
    const edited = event.key === "e" && row && (row.querySelector("a[data-edit]")?.dataset.edit
      ?? (row.querySelector("a[data-cell]") && `${row.querySelector("th a").pathname}/edit`));
    if (edited) location.assign(edited);
    const cell = { a: "owner", s: "status", d: "day" }[event.key];
    const link = cell && row?.querySelector(`a[data-cell=${cell}]`);
    if (link) {
      // The key is not typed into the field that it opens.
      event.preventDefault();
      link.click();
    }
    const step = { j: "next", k: "prev" }[event.key];
    if (!step) return;
    const rows = all("main a[data-step], main > table.list tbody th > a:first-of-type").filter((link) => link.checkVisibility());
    if (rows.length) {
      const at = rows.findIndex((link) => link === document.activeElement || (row && link.closest("tr") === row));
      rows[step === "next" ? Math.min(at + 1, rows.length - 1) : Math.max(at - 1, 0)].focus();
      return;
    }
    document.querySelector(`main a[rel="${step}"]`)?.click();
  });
  // Records are suggested by what is typed. An answer to an older text is dropped.
  let looked;
  document.addEventListener("input", (event) => {
    const { list, value } = event.target;
    if (!list?.dataset.records || [...list.options].some((option) => option.value === value)) return;
    clearTimeout(looked);
    looked = setTimeout(async () => {
      const found = await fetch(`${list.dataset.records}&q=${encodeURIComponent(value)}`)
        .then((answer) => (answer.ok ? answer.json() : []), () => []);
      if (event.target.value !== value) return;
      list.replaceChildren(...found.map((name) => {
        const option = document.createElement("option");
        option.value = name;
        return option;
      }));
    }, 150);
  });
  // People are suggested once a field for one of them is entered.
  let people;
  document.addEventListener("focusin", async (event) => {
    const list = event.target.list;
    if (!list?.dataset.people || list.options.length) return;
    people ??= fetch(list.dataset.people).then((answer) => (answer.ok ? answer.json() : []), () => []);
    const names = await people;
    list.replaceChildren(...names.map((name) => {
      const option = document.createElement("option");
      option.value = name;
      return option;
    }));
  });
  document.addEventListener("click", (event) => {
    for (const menu of all("details[open].account, details[open].menu")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });

  // A part of a page comes in place of the old one. The browser itself reads the answer into a document, so no text of
  // ours becomes markup; whatever is not a page of the same kind is opened the plain way.
  let coming;
  const fetchMain = (method, address, body, arrived, plain) => {
    coming?.abort();
    const request = coming = new XMLHttpRequest();
    request.open(method, address);
    request.responseType = "document";
    request.onload = () => {
      const main = request.response?.querySelector("main");
      const same = main && request.response.body.className === document.body.className && request.status < 500;
      if (same) arrived(request, main);
      else plain();
    };
    request.onerror = plain;
    request.send(body);
  };
  const fetchPage = (method, address, body, arrived, plain) => {
    fetchMain(method, address, body, (request, main) => {
      // The old part goes, and with it what it was about to do.
      const held = document.activeElement;
      all("main form[data-live]").forEach((form) => { form.dataset.gone = "1"; });
      document.title = request.response.title;
      document.querySelector("main").replaceWith(document.adoptNode(main));
      dress(main);
      arrived(request.responseURL, main, held);
    }, plain);
  };
  const fields = (form, submitter) => {
    const data = new FormData(form);
    if (submitter?.name) data.append(submitter.name, submitter.value);
    return new URLSearchParams(data);
  };
  // Going back to another view of a list, or of a record, loads it as it is now.
  addEventListener("popstate", () => location.reload());

  // Filters apply as soon as they are chosen or typed; what was typed stays under the hand.
  const live = (form) => {
    let waiting;
    const apply = () => {
      clearTimeout(waiting);
      if (form.dataset.gone) return;
      // A filter can have an empty day beside "not set", under one name.
      const wanted = new URLSearchParams([...fields(form)].filter(([, value]) => value !== ""));
      const address = `${form.action.split("?")[0]}${wanted.size > 0 ? `?${wanted}` : ""}`;
      const stays = form.querySelector("details[data-stays-open]")?.open;
      fetchPage("GET", address, null, (_, main, held) => {
        history.pushState(null, "", address);
        // Open filters stay open, since often several are chosen.
        if (stays) for (const fold of all("details[data-stays-open]", main)) fold.open = true;
        const field = held?.id ? main.querySelector(`#${CSS.escape(held.id)}`) : null;
        if (!field) return;
        field.focus();
        if (field.type !== "search") return;
        // What was typed while the answer was on its way is not lost.
        if (field.value !== held.value) {
          field.value = held.value;
          field.dispatchEvent(new Event("input"));
        }
        field.setSelectionRange(field.value.length, field.value.length);
      }, () => location.assign(address));
    };
    form.addEventListener("change", apply);
    form.addEventListener("submit", (event) => { event.preventDefault(); apply(); });
    all("input[type=search]", form).forEach((field) => field.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(apply, 350);
    }));
    all("[data-live-submit]", form).forEach((button) => { button.hidden = true; });
  };

  // A step of a record is made without leaving the page.
  const inline = (form) => form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (form.dataset.sent) return;
    const plain = () => location.reload();
    fetchPage("POST", form.action, fields(form, event.submitter), (address, main) => {
      history.replaceState(null, "", address);
      const note = main.querySelector(".note") ?? main;
      note.tabIndex = -1;
      note.focus();
    }, plain);
  });

  // A cell of a list gives way to its form, and comes back when the form is left.
  const cellForm = (form, restored) => {
    const leave = () => {
      form.replaceWith(restored);
      restored.focus();
    };
    if (restored) {
      form.querySelector("[data-cell-cancel]").addEventListener("click", (event) => { event.preventDefault(); leave(); });
    }
    form.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      if (restored) leave();
      else form.querySelector("[data-cell-cancel]").click();
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (form.dataset.sent) return;
      const ticked = new Set(all("main tbody input[type=checkbox]:checked").map((box) => box.value));
      const place = form.dataset.cellForm;
      fetchPage("POST", form.action, fields(form, event.submitter), (address, main) => {
        for (const box of all("tbody input[type=checkbox]", main).filter((each) => ticked.has(each.value))) {
          box.checked = true;
          box.dispatchEvent(new Event("change"));
        }
        const refused = main.querySelector("form[data-cell-form]");
        if (!refused) history.replaceState(null, "", address);
        const note = main.querySelector(".note") ?? main;
        const next = refused?.querySelector("select, input:not([type=hidden])")
          ?? main.querySelector(`tbody th a[href$="/${CSS.escape(place.slice(0, place.lastIndexOf(".")))}"]`) ?? note;
        if (next === note) note.tabIndex = -1;
        next.focus();
      }, () => location.reload());
    });
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-cell]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    const plain = () => location.assign(link.href);
    fetchMain("GET", link.href, null, (request, main) => {
      const form = main.querySelector("form[data-cell-form]");
      if (!form || !link.isConnected) {
        plain();
        return;
      }
      // One cell is open at a time.
      document.querySelector("main form[data-cell-form] [data-cell-cancel]")?.click();
      link.replaceWith(document.adoptNode(form));
      cellForm(form, link);
      form.querySelector("select, input:not([type=hidden])").focus();
    }, plain);
  });

  const local = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  const left = (milliseconds) => {
    const minutes = Math.floor(Math.abs(milliseconds) / 60000);
    const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
    const unit = (count, one, many) => count > 0 ? [`${count} ${count === 1 ? one : many}`] : [];
    const [day, days_, hour, hours_, minute] = document.documentElement.lang === "de"
      ? ["Tag", "Tage", "Std.", "Std.", "Min."] : ["day", "days", "hr", "hrs", "min"];
    const parts = days > 0
      ? [...unit(days, day, days_), ...unit(hours, hour, hours_)]
      : [...unit(hours, hour, hours_), ...unit(rest, minute, minute)];
    return parts.length ? parts.join(" ") : `0 ${minute}`;
  };
  // Clocks that run down.
  const tick = () => all("[data-until]").forEach((clock) => {
    const rest = new Date(clock.dataset.until) - Date.now();
    const told = rest < 0 ? clock.dataset.over : clock.dataset.left;
    clock.textContent = told.replace("{time}", left(rest));
  });
  setInterval(tick, 30000);

  // A page that shows more by the clock comes again, unless something is being written on it.
  const again = (link) => setTimeout(() => {
    const chosen = (each) => Math.max(0, [...each.options].findIndex((option) => option.defaultSelected));
    const entered = (each) => each.options
      ? each.selectedIndex !== chosen(each)
      : each.value !== each.defaultValue || each.checked !== each.defaultChecked;
    const busy = all("main input, main select, main textarea").some((each) => entered(each) || each === document.activeElement);
    if (!link.isConnected) return;
    if (busy) again(link);
    else location.replace(link.href);
  }, Number(link.dataset.again) * 1000);

  // One box chooses every row of its table, and the bar below says how many are chosen.
  const chooseAll = (box, root) => {
    const boxes = all("input[name=ids]", box.closest("table"));
    const told = root.querySelector("[data-chosen]");
    const count = () => {
      const chosen = boxes.filter((each) => each.checked).length;
      box.checked = chosen > 0 && chosen === boxes.length;
      box.indeterminate = chosen > 0 && chosen < boxes.length;
      if (told) told.textContent = chosen > 0 ? told.dataset.chosen.replace("{count}", chosen) : "";
    };
    box.hidden = boxes.length === 0;
    box.addEventListener("change", () => {
      boxes.forEach((each) => { each.checked = box.checked; });
      count();
    });
    boxes.forEach((each) => each.addEventListener("change", count));
    count();
  };

  // The filters of a list, for as long as the window is open.
  const kept = (list) => sessionStorage.getItem(`list ${list}`);
  const lists = new Set(all(".side a").map((link) => link.pathname));
  addEventListener("pagehide", () => {
    const query = new URLSearchParams(location.search);
    query.delete("done");
    const list = location.pathname;
    if (lists.has(list)) sessionStorage.setItem(`list ${list}`, query.size > 0 ? `${list}?${query}` : list);
  });

  // What every part of a page gets, when it comes with the page or later.
  const dress = (root) => {
    // Buttons that need a script are hidden until there is one.
    for (const button of all("[data-copy]", root)) {
      button.hidden = !navigator.clipboard;
      button.addEventListener("click", async () => {
        const source = document.getElementById(button.dataset.copy);
        await navigator.clipboard.writeText(source.textContent.trim());
        const before = button.textContent;
        button.textContent = button.dataset.done;
        setTimeout(() => { button.textContent = before; }, 2000);
      });
    }
    // What a list cuts is shown when the reader points at it.
    for (const cell of all("main > .list tbody :is(th, th > a), .list .person > div, .list .person a.cell, .trail [aria-current]", root)) {
      if (cell.scrollWidth > cell.clientWidth) cell.title = cell.innerText.trim();
    }
    // The time of the reader's device beside the one on the page.
    for (const time of all("time[datetime]", root)) {
      const at = new Date(time.dateTime);
      if (!Number.isNaN(at.valueOf())) time.title = local.format(at);
    }
    // A wide band of years shows today first.
    for (const band of all(".band-scroll", root)) {
      const today = band.querySelector(".band-today");
      if (today) band.scrollLeft += today.getBoundingClientRect().left - band.getBoundingClientRect().left - band.clientWidth / 2;
    }
    // The way back leads to the list as it was left.
    for (const back of all("a[data-list]", root)) back.href = kept(back.dataset.list) ?? back.href;
    all("form[data-live]", root).forEach(live);
    all("form[data-inline]", root).forEach(inline);
    all("form[data-cell-form]", root).forEach((form) => cellForm(form));
    all("[data-keys]", root).forEach((button) => {
      button.hidden = false;
      button.addEventListener("click", () => keys.showModal());
    });
    all("a[data-again]", root).forEach(again);
    // Of the fields that many records can get, those that are picked are shown.
    for (const pick of all("[data-bulk-pick]", root)) {
      const parts = all("[data-bulk-field]", pick.closest("form"));
      const entered = (field) => (field.type === "checkbox" ? field.checked : field.value !== "");
      for (const part of parts) part.hidden = !all("input, select, textarea", part).some(entered);
      pick.hidden = false;
      pick.querySelector("select").addEventListener("change", ({ target }) => {
        const part = parts.find((each) => each.dataset.bulkField === target.value);
        if (!part) return;
        part.hidden = false;
        target.value = "";
        part.querySelector("input, select, textarea").focus();
      });
    }
    all("[data-choose-all]", root).forEach((box) => chooseAll(box, root));
    tick();
  };
  dress(document);

  // The command palette.
  const palette = document.getElementById("palette");
  const opener = document.querySelector(".palette-open");
  if (!palette || !opener || !palette.showModal) return;
  const filter = document.getElementById("palette-filter");
  const none = document.getElementById("palette-none");
  const found = document.getElementById("palette-found");
  const everywhere = document.getElementById("palette-search");
  const pages = all("#palette-list li");
  const here = document.getElementById("palette-here");
  const entries = () => [...here.children, ...pages, ...found.children];
  const shown = () => entries().filter((entry) => !entry.hidden);
  const choose = (entry) => {
    entries().forEach((other) => other.firstElementChild.classList.toggle("chosen", other === entry));
    entry?.scrollIntoView({ block: "nearest" });
  };
  const chosen = () => entries().find((entry) => entry.firstElementChild.classList.contains("chosen"));
  const narrow = () => {
    const words = filter.value.toLowerCase().split(/\s+/);
    for (const entry of [...here.children, ...pages]) {
      const text = entry.textContent.toLowerCase();
      entry.hidden = !words.every((word) => text.includes(word));
    }
    here.hidden = [...here.children].every((entry) => entry.hidden);
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
    // What is called exactly like what was typed comes before what only contains it.
    const name = filter.value.trim().toLowerCase();
    const called = (entry) => [...entry.firstElementChild.childNodes].find((node) => node.nodeType === Node.TEXT_NODE)?.data.trim();
    const exact = shown().find((entry) => called(entry)?.toLowerCase() === name);
    if (exact) choose(exact);
    clearTimeout(waiting);
    waiting = setTimeout(suggest, 150);
  };
  // What the buttons of the shown page do, such as the next step of a record.
  const act = () => {
    const buttons = all("main .page-action a.button, main form#status button[name=status], main details.confirm > summary.button");
    here.replaceChildren(...buttons.filter((button) => button.checkVisibility()).map((button) => {
      const [item, link, about] = ["li", "a", "span"].map((name) => document.createElement(name));
      link.href = button.href ?? "";
      about.className = "quiet";
      about.textContent = here.dataset.here;
      link.append(button.textContent.trim(), about);
      link.addEventListener("click", (event) => {
        if (button.href) return;
        event.preventDefault();
        palette.close();
        button.click();
      });
      item.append(link);
      return item;
    }));
  };
  const open = () => {
    act();
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
