/** A browser in which somebody signs in: it keeps cookies, and says where its requests come from. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { LoginState, MemberRole } from "@querent/contract";
import { invite } from "../../src/people/index.ts";
import type { ServiceAnswer, TestCallOptions, TestService } from "../harness/service.ts";

export interface TestBrowser {
  /** The cookies, as they are sent. */
  cookie: string;
  call<Body = unknown>(method: string, path: string, options?: TestCallOptions): Promise<ServiceAnswer<Body>>;
}

export function openBrowser(service: TestService, cookie = ""): TestBrowser {
  const browser: TestBrowser = {
    cookie,
    call: async (method, path, options = {}) => {
      const answer = await service.call(method, path, {
        ...options,
        headers: {
          "x-querent-login": "1",
          "sec-fetch-site": "same-origin",
          ...(browser.cookie === "" ? {} : { cookie: browser.cookie }),
          ...options.headers,
        },
      });
      // The harness joins several cookies by commas, which none of them contains.
      const jar = new Map(browser.cookie.split("; ").flatMap((pair) => (pair === "" ? [] : [[nameOf(pair), pair]])));
      for (const set of answer.headers["set-cookie"]?.split(", ") ?? []) {
        const [pair = ""] = set.split(";", 1);
        if (/Max-Age=0;/.test(set)) jar.delete(nameOf(pair));
        else jar.set(nameOf(pair), pair);
      }
      browser.cookie = [...jar.values()].join("; ");
      return answer as never;
    },
  };
  return browser;
}

const nameOf = (pair: string) => pair.slice(0, pair.indexOf("="));

export interface TestPerson extends TestBrowser {
  readonly email: string;
  readonly password: string;
  readonly state: LoginState;
}

export const goodPassword = () => `orchid ${randomBytes(9).toString("base64url")} lantern`;

/** A new person, who joins an account by an invitation and is signed in. */
export async function joinAs(
  service: TestService,
  accountId: string,
  role: MemberRole,
  {
    operator = false,
    projects = role === "client" ? [accountId] : null,
  }: { operator?: boolean; projects?: readonly string[] | null } = {},
): Promise<TestPerson> {
  const email = `${randomBytes(6).toString("hex")}@example.com`;
  const { token } = await service.database.transaction((tx) =>
    invite(tx, { accountId, email: null, role, projects, operator, days: 1 }),
  );
  const browser = openBrowser(service);
  const password = goodPassword();
  const body = { token, email, name: "Ada", password };
  const answer = await browser.call<LoginState>("POST", "/v1/links/acceptance", { body });
  assert.equal(answer.status, 201, answer.text);
  return Object.assign(browser, { email, password, state: answer.body });
}
