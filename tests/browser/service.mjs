// The service in demo mode: `serve --demo` in a fresh directory, and its output.
import { spawn, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const program = resolve(process.env.PROGRAM ?? "../../target/debug/tidewall");
export const PASSWORD = "the north wind doth blow";

function printed(text, pattern) {
  const found = pattern.exec(text);
  if (!found) throw new Error(`the service did not print ${pattern}:\n${text}`);
  return found.slice(1);
}

/** A chat server on this machine: keeps what it is sent, and answers with the status it is told to. */
async function chat() {
  const kept = { messages: [], status: 200 };
  const server = createServer((request, answer) => {
    let body = "";
    request.on("data", (data) => { body += data; });
    request.on("end", () => {
      kept.messages.push(body);
      answer.writeHead(kept.status).end(kept.status === 200 ? "ok" : "no");
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return Object.assign(kept, {
    address: `http://127.0.0.1:${server.address().port}`,
    stop: () => { server.closeAllConnections(); server.close(); },
  });
}

/** Starts the service and returns its address, a sign-in, a key, and how to stop it. `reaches` are servers here. */
export async function start({ listen = "127.0.0.1:0", publicUrl = "", reaches = [] } = {}) {
  const sink = await chat();
  const directory = mkdtempSync(join(tmpdir(), "tidewall-browser-"));
  // Nothing of the tester's own settings.
  const plain = Object.entries(process.env).filter(([name]) => !name.startsWith("TIDEWALL_"));
  const env = {
    ...Object.fromEntries(plain),
    TIDEWALL_LOG__FORMAT: "json",
    // Another service on this machine may have the default port.
    TIDEWALL_OPERATOR__LISTEN: "",
    // The tests come from one key and one address, and faster than people do.
    TIDEWALL_LIMITS__V1__STANDARD: "5000",
    TIDEWALL_LIMITS__V1__BURST: "10000",
    TIDEWALL_OUTBOUND__DEV_DESTINATIONS: [sink.address, ...reaches].join(","),
    TIDEWALL_PAGES__DESIGN: "true",
    TIDEWALL_PUBLIC_URL: publicUrl,
  };
  const child = spawn(program, ["serve", "--demo", "--listen", listen, "--data-dir", directory], { env });
  let out = "", log = "";
  const address = await new Promise((done, failed) => {
    child.stdout.on("data", (data) => { out += data; });
    child.stderr.on("data", (data) => {
      log += data;
      const found = /listening on (http:\/\/[^"]+)"/.exec(log);
      if (found) done(found[1]);
    });
    child.on("error", failed);
    child.on("exit", (code) => failed(new Error(`the service ended with ${code}: ${log}`)));
  });
  const [email, password] = printed(out, /Sign in\s+(\S+)\s+password (\S+)/);
  // Everyone in the demo, by their role.
  const people = Object.fromEntries([...out.matchAll(/(\S+@demo\.example)\s+password (\S+)\s+.*, (\w+)$/gm)]
    .map(([, address, secret, role]) => [role, { email: address, password: secret }]));
  const [key] = printed(out, /API key\s+(tw_\S+)/);
  const run = (parts, input) =>
    execFileSync(program, [...parts, "--data-dir", directory], { env, input, encoding: "utf8" });
  const stop = async () => {
    const ended = new Promise((done) => child.on("exit", done));
    child.kill("SIGTERM");
    await ended;
    sink.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  const api = async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const answer = await fetch(`${address}/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.status === 204 ? null : (await answer.json()).data;
  };
  return { address, email, password, people, key, api, run, stop, chat: sink };
}

/** Adds a person to the demo tenant and returns their address. */
export function addPerson(service, role) {
  const email = `${role}@demo.example`;
  const name = { administrator: "Ada König", manager: "Mark Sommer", contributor: "Cleo Brandt", viewer: "Vera Lang" }[role];
  const parts = ["user", "create", email, "--tenant", "demo", "--role", role, "--name", name, "--password-stdin"];
  service.run(parts, `${PASSWORD}\n`);
  return email;
}
