// Files as evidence: several at once, dropped or pasted. One file at a time is sent without it.
"use strict";

(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // Several files, chosen, dropped or pasted, are sent one after the other, each as if it had been sent alone.
  for (const form of all("form[data-files]")) {
    const input = form.querySelector("input[type=file]");
    const list = form.querySelector("[data-files-list]");
    input.multiple = true;
    const sendOne = (file, alone, row) => new Promise((done) => {
      const body = new FormData(form);
      body.set(input.name, file);
      // Each of several files goes by its own name.
      if (!alone) body.delete("title");
      const bar = row.appendChild(document.createElement("progress"));
      const said = row.appendChild(document.createElement("span"));
      const request = new XMLHttpRequest();
      request.open("POST", form.action);
      request.responseType = "document";
      request.upload.onprogress = (event) => {
        if (!event.lengthComputable) return;
        bar.max = event.total;
        bar.value = event.loaded;
      };
      const ended = (fine) => {
        bar.remove();
        const why = all(".note.critical li", request.response ?? document.createElement("div"));
        const refused = why.map((one) => one.textContent.trim()).join("; ") || form.dataset.filesRefused;
        said.textContent = ` ${fine ? form.dataset.filesDone : refused}`;
        done(fine);
      };
      request.onload = () => ended(request.status === 200 && request.responseURL.includes("done=created"));
      request.onerror = () => ended(false);
      request.send(body);
    });
    // What is dropped or pasted while files are being sent waits for its turn.
    const queue = [];
    let sending = false;
    const sendAll = async (files) => {
      for (const file of files) {
        const row = list.appendChild(document.createElement("li"));
        row.textContent = `${file.name} `;
        queue.push({ file, alone: files.length === 1 && !sending, row });
      }
      if (sending || !queue.length) return;
      sending = true;
      list.hidden = false;
      let fine = true;
      while (queue.length) {
        const { file, alone, row } = queue.shift();
        fine = (await sendOne(file, alone, row)) && fine;
      }
      sending = false;
      if (fine) location.assign(form.dataset.files);
    };
    form.addEventListener("submit", (event) => {
      if (input.files.length < 2) return;
      event.preventDefault();
      sendAll([...input.files]);
    });
    for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
      form.addEventListener(kind, (event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        form.classList.toggle("dropping", kind === "dragenter" || kind === "dragover");
        if (kind === "drop") sendAll([...event.dataTransfer.files]);
      });
    }
    document.addEventListener("paste", (event) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (!files.length || !form.isConnected) return;
      event.preventDefault();
      sendAll(files);
    });
  }
})();
