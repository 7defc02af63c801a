/** A page of ours with a sign-in form and one in a window of its own. Being signed in is a cookie, local storage and IndexedDB. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const store = `function store(user) {
  localStorage.setItem("user", user);
  const opening = indexedDB.open("auth", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("tokens");
  opening.onsuccess = () => {
    const writing = opening.result.transaction("tokens", "readwrite");
    writing.objectStore("tokens").put("token-of-" + user, "refresh");
    writing.oncomplete = () => location.reload();
  };
}`;
const at = (top: number) => `style="position:absolute;left:20px;top:${top}px;width:240px;height:30px"`;
const form = `<!doctype html><meta charset="utf-8"><title>Sign in</title><body style="height:3000px">
<input id="name" ${at(20)}><input id="password" type="password" ${at(60)}>
<button ${at(100)} onclick="login(document.getElementById('name').value, document.getElementById('password').value)">Sign in</button>
<button ${at(140)} onclick="window.open('/sso?secret=in-query', '', 'popup,width=500,height=400')">Other service</button>
<script>${store}
async function login(name, password) {
  const reply = await fetch("/login", { method: "POST", body: JSON.stringify({ name, password }) });
  if (reply.ok) store(name);
}
addEventListener("message", (event) => store(event.data));
requestAnimationFrame(() => requestAnimationFrame(() => fetch("/shown", { method: "POST" })));
addEventListener("wheel", () => fetch("/wheel", { method: "POST" }), { once: true });
</script>`;
const singleSignOn = `<!doctype html><title>Other service</title><button ${at(20)} onclick="go()">Allow</button><script>
requestAnimationFrame(() => requestAnimationFrame(() => fetch("/window-shown", { method: "POST" })));
async function go() {
  await fetch("/login", { method: "POST", body: JSON.stringify({ name: "sso", password: "right" }) });
  opener.postMessage("sso", "*");
  close();
}</script>`;
const welcome = `<!doctype html><title>Welcome</title><h1>Welcome</h1><script>
const opening = indexedDB.open("auth", 1);
opening.onsuccess = () => {
  const reading = opening.result.transaction("tokens").objectStore("tokens").get("refresh");
  reading.onsuccess = () => fetch("/welcomed", { method: "POST", body: localStorage.getItem("user") + " " + reading.result });
};
</script>`;

export interface LoginPage {
  readonly origin: string;
  /** What the page told the server, in order: paths with bodies. */
  readonly told: readonly string[];
  /** How often its form was drawn. */
  readonly shown: () => number;
  /** Writes a file of settings with the platform `login-page`, whose page this is; returns its path. */
  settings(folder: string): string;
}

export async function loginPage(): Promise<LoginPage> {
  const told: string[] = [];
  const site = createServer((request, response) => {
    void (async () => {
      let body = "";
      for await (const part of request) body += String(part);
      if (request.method === "POST") told.push(`${request.url} ${body}`);
      if (request.url === "/login") {
        const { name, password } = JSON.parse(body) as { name: string; password: string };
        if (password !== "right") return response.writeHead(403).end();
        return response.setHeader("set-cookie", `login=${name}; Path=/; Max-Age=86400`).end("{}");
      }
      const isSignedIn = (request.headers.cookie ?? "").includes("login=");
      const page = request.url?.startsWith("/sso") === true ? singleSignOn : isSignedIn ? welcome : form;
      return response.setHeader("content-type", "text/html; charset=utf-8").end(page);
    })();
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  after(() => {
    site.closeAllConnections();
    site.close();
  });
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  return {
    origin,
    told,
    shown: () => told.filter((line) => line.startsWith("/shown")).length,
    settings(folder) {
      writeFileSync(
        join(folder, "recipe.yaml"),
        `recipe: 1
name: Login page
entry: ${origin}/
version: 1
verified: true
composer: { input: textarea, submit: { click: button.send } }
turn: { each: .turn, text: .text }
complete: { done: .done }
`,
      );
      const file = join(folder, "querent.yaml");
      writeFileSync(
        file,
        "platforms:\n  login-page: { recipe: ./recipe.yaml, sessions: { limited: { runningMax: 1, perHour: 20 } } }\n",
      );
      return file;
    },
  };
}
