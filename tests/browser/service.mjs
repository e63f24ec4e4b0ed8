// The service as an operator runs it: a fresh directory, a tenant, and people of every role.
import { spawn, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const program = resolve(process.env.PROGRAM ?? "target/debug/tidewall");
export const PASSWORD = "the north wind doth blow";

/** Starts the service with `arguments_` and returns its address, what it printed, and how to stop it. */
export async function start(arguments_ = []) {
  const directory = mkdtempSync(join(tmpdir(), "tidewall-browser-"));
  // Nothing of the tester's own settings.
  const plain = Object.entries(process.env).filter(([name]) => !name.startsWith("TIDEWALL_"));
  const env = { ...Object.fromEntries(plain), TIDEWALL_OPERATOR__LISTEN: "", TIDEWALL_LOG__FORMAT: "json" };
  const child = spawn(program, ["serve", "--listen", "127.0.0.1:0", "--data-dir", directory, ...arguments_], { env });
  let printed = "";
  child.stdout.on("data", (data) => { printed += data; });
  const address = await new Promise((done, failed) => {
    let log = "";
    child.stderr.on("data", (data) => {
      log += data;
      const found = /listening on (http:\/\/[^"]+)"/.exec(log);
      if (found) done(found[1]);
    });
    child.on("exit", (code) => failed(new Error(`the service ended with ${code}: ${log}`)));
  });
  const run = (parts, input) =>
    execFileSync(program, [...parts, "--data-dir", directory], { env, input, encoding: "utf8" });
  const stop = async () => {
    const ended = new Promise((done) => child.on("exit", done));
    child.kill("SIGTERM");
    await ended;
    rmSync(directory, { recursive: true, force: true });
  };
  return { address, run, stop, printed: () => printed };
}

/** Adds a person and returns their address. */
export function addPerson(service, tenant, role) {
  const email = `${role}@${tenant}.example`;
  const name = { administrator: "Anna Weber", manager: "Mark Sommer", contributor: "Cleo Brandt", viewer: "Vera Lang" }[role];
  service.run(["user", "create", email, "--tenant", tenant, "--role", role, "--name", name, "--password-stdin"], `${PASSWORD}\n`);
  return email;
}
