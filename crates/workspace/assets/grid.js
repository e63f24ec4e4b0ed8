// The table of a template: keyboard, pasting, undoing. Without it the table is a plain form that saves as well.
"use strict";

(() => {
  const form = document.querySelector("form[data-grid]");
  const body = form?.querySelector("table.grid tbody");
  if (!body) return;
  const MOST_ROWS = 500;
  const status = form.querySelector("[data-grid-status]");
  const undoButton = form.querySelector("[data-grid-undo]");
  const field = (element) => element?.closest?.("td")?.querySelector("input, textarea");
  const cellsOf = (row) => [...row.querySelectorAll("td input, td textarea")];
  const stored = (cell) => cell.dataset.was ?? cell.defaultValue;
  const isChanged = (cell) => cell.value !== stored(cell);

  // Each step is a list of cells with what they held before.
  const steps = [];
  let leftOut = 0;
  const show = () => {
    const changed = [...body.querySelectorAll("td input, td textarea")].filter((cell) => {
      const is = isChanged(cell);
      cell.classList.toggle("changed", is);
      return is;
    }).length;
    const parts = changed ? [form.dataset.changed.replace("{count}", changed)] : [];
    if (leftOut) parts.push(form.dataset.leftOut.replace("{count}", leftOut));
    status.textContent = parts.join("; ");
    undoButton.hidden = steps.length === 0;
    return changed;
  };
  const keep = (step) => {
    if (!step.length) return;
    steps.push(step);
    show();
    checkSoon();
  };
  const undo = () => {
    const step = steps.pop();
    if (!step) return false;
    for (const { cell, before } of step.toReversed()) {
      cell.value = before;
      if (cell === held.cell) held.before = before;
    }
    step[0].cell.focus();
    leftOut = 0;
    show();
    checkSoon();
    return true;
  };

  // What the cell held when it was entered: leaving it makes a step, Escape goes back to it.
  const held = { cell: null, before: "" };
  const leave = () => {
    const { cell, before } = held;
    if (cell && cell.value !== before) keep([{ cell, before }]);
    if (cell) held.before = cell.value;
  };
  body.addEventListener("focusin", (event) => {
    const cell = event.target;
    if (!cell.matches("td input, td textarea")) return;
    Object.assign(held, { cell, before: cell.value });
  });
  body.addEventListener("focusout", leave);
  body.addEventListener("input", () => { leftOut = 0; show(); });

  const rowOf = (cell) => cell.closest("tr");
  const go = (cell, down, right) => {
    const rows = [...body.rows];
    const row = rows[rows.indexOf(rowOf(cell)) + down];
    const next = row && cellsOf(row)[cellsOf(rowOf(cell)).indexOf(cell) + right];
    if (!next) return false;
    next.focus();
    next.select();
    return true;
  };
  const atEdge = (cell, right) => {
    const [start, end] = [cell.selectionStart, cell.selectionEnd];
    if (start === 0 && end === cell.value.length) return true;
    return start === end && start === (right > 0 ? cell.value.length : 0);
  };
  body.addEventListener("keydown", (event) => {
    const cell = event.target;
    if (!cell.matches("td input, td textarea") || event.isComposing) return;
    const command = event.ctrlKey || event.metaKey;
    const done = () => event.preventDefault();
    if (command && !event.shiftKey && event.key.toLowerCase() === "z") {
      // While a cell is being typed into, its own field undoes.
      if (cell.value === held.before && undo()) done();
      return;
    }
    if (command || event.altKey) return;
    switch (event.key) {
      case "Enter":
        // Enter would send the form: it goes to the next row instead.
        done();
        leave();
        go(cell, event.shiftKey ? -1 : 1, 0);
        break;
      case "Escape":
        if (cell.value !== held.before) {
          done();
          cell.value = held.before;
          show();
        }
        break;
      case "ArrowDown":
      case "ArrowUp":
        // A textarea has lines of its own, and an open list of suggestions its entries.
        if (cell.matches("textarea") || (cell.list && cell.value !== held.before)) return;
        if (go(cell, event.key === "ArrowDown" ? 1 : -1, 0)) done();
        break;
      case "ArrowRight":
      case "ArrowLeft": {
        const right = event.key === "ArrowRight" ? 1 : -1;
        if (!event.shiftKey && atEdge(cell, right) && go(cell, 0, right)) done();
        break;
      }
    }
  });

  // Cells as a spreadsheet copies them: tabs between cells, line ends between rows, quotation marks around a cell that
  // holds either.
  const read = (text) => {
    const rows = [[""]];
    let quoted = false;
    for (let at = 0; at < text.length; at += 1) {
      const [sign, row] = [text[at], rows.at(-1)];
      const put = (what) => { row[row.length - 1] += what; };
      if (quoted) {
        if (sign !== '"') put(sign);
        else if (text[at + 1] === '"') { put('"'); at += 1; }
        else quoted = false;
      } else if (sign === '"' && row.at(-1) === "" && /"(\t|\r|\n|$)/.test(text.slice(at + 1))) quoted = true;
      else if (sign === "\t") row.push("");
      else if (sign === "\n") rows.push([""]);
      else if (sign !== "\r") put(sign);
    }
    if (rows.length > 1 && rows.at(-1).length === 1 && rows.at(-1)[0] === "") rows.pop();
    return rows;
  };

  // A further empty row, made like the last one.
  const addRow = () => {
    const last = body.rows[body.rows.length - 1];
    if (body.rows.length >= MOST_ROWS || !("new" in last.dataset)) return null;
    const row = last.cloneNode(true);
    const [before, number] = [body.rows.length - 1, body.rows.length];
    for (const input of row.querySelectorAll("[name]")) {
      input.name = input.name.replace(/^(id\.)?\d+/, (all, id) => `${id ?? ""}${number}`);
      if (input.type === "hidden") continue;
      input.value = "";
      input.setAttribute("aria-labelledby", input.getAttribute("aria-labelledby").replace(`r-${before}`, `r-${number}`));
    }
    const head = row.querySelector("th");
    head.id = `r-${number}`;
    const count = [...body.rows].filter((each) => "new" in each.dataset).length + 1;
    head.firstChild.textContent = form.dataset.new.replace("{number}", count);
    body.append(row);
    return row;
  };

  body.addEventListener("paste", (event) => {
    const cell = field(event.target);
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!cell || !/[\t\n]/.test(text.replace(/\r?\n$/, ""))) return;
    event.preventDefault();
    leave();
    const step = [];
    leftOut = 0;
    const [first, from] = [[...body.rows].indexOf(rowOf(cell)), cellsOf(rowOf(cell)).indexOf(cell)];
    read(text).forEach((values, down) => {
      const row = body.rows[first + down] ?? addRow();
      const cells = row ? cellsOf(row) : [];
      values.forEach((value, right) => {
        const target = cells[from + right];
        // A field of one line holds no line ends, so a blank stands for them.
        const fitting = target?.matches("input") ? value.replace(/\s*\n\s*/g, " ") : value;
        if (!target) leftOut += value === "" ? 0 : 1;
        else if (target.value !== fitting) {
          step.push({ cell: target, before: target.value });
          target.value = fitting;
        }
      });
    });
    held.before = cell.value;
    keep(step);
    show();
  });

  undoButton.addEventListener("click", undo);

  // After each step the entries are checked without being saved: the counts and the problems beside the cells follow.
  let waiting, asked;
  const checkSoon = () => { clearTimeout(waiting); waiting = setTimeout(check, 500); };
  const check = () => {
    asked?.abort();
    const data = new URLSearchParams({ step: "check" });
    const send = (...fields) => fields.forEach(({ name, value }) => data.append(name, value));
    send(...form.querySelectorAll(":scope > input[type=hidden]"));
    for (const row of body.rows) {
      const changed = cellsOf(row).filter(isChanged);
      if (changed.length) send(row.querySelector("input[type=hidden]"), ...changed);
    }
    const request = asked = new XMLHttpRequest();
    request.open("POST", form.action);
    request.responseType = "document";
    request.onload = () => {
      const told = request.status === 200 && request.response?.querySelector("form[data-grid]");
      if (told) follow(told);
    };
    request.send(data);
  };
  const follow = (told) => {
    const nameOf = (row) => row.querySelector("input[type=hidden]").value.split(":")[0];
    const [fresh, known] = [[], new Map()];
    for (const row of told.querySelectorAll("tbody tr")) {
      if ("new" in row.dataset) fresh.push(row);
      else known.set(nameOf(row), row);
    }
    for (const row of body.rows) {
      const isNew = "new" in row.dataset;
      // New rows come back in their order, without the empty ones between them.
      const from = isNew ? cellsOf(row).some(isChanged) && fresh.shift() : known.get(nameOf(row));
      [...row.cells].forEach((cell, place) => {
        cell.querySelectorAll(".grid-problem").forEach((old) => old.remove());
        const problems = from ? [...from.cells[place].querySelectorAll(".grid-problem")] : [];
        cell.append(...problems);
        const input = field(cell);
        if (!input) return;
        input.setAttribute("aria-invalid", problems.length > 0);
        problems.forEach((problem) => { problem.id = `p-${input.name}`; });
        input.setAttribute("aria-describedby", problems.map(({ id }) => id).join(" "));
      });
    }
    form.querySelector("[data-grid-counts]").textContent = told.querySelector("[data-grid-counts]").textContent;
  };

  // Only what changed is sent, in one request.
  let leaving = false;
  form.addEventListener("submit", () => {
    leave();
    clearTimeout(waiting);
    asked?.abort();
    leaving = true;
    for (const row of body.rows) {
      const cells = cellsOf(row);
      const changed = cells.filter(isChanged);
      cells.forEach((cell) => { cell.disabled = !isChanged(cell); });
      row.querySelector("input[type=hidden]").disabled = changed.length === 0;
    }
  });
  // Coming back with the browser's button, everything can be typed into again.
  addEventListener("pageshow", () => {
    leaving = false;
    for (const cell of body.querySelectorAll("input, textarea")) cell.disabled = false;
    show();
  });
  addEventListener("beforeunload", (event) => {
    if (!leaving && show() > 0) event.preventDefault();
  });
  show();
})();
