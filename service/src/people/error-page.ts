import type { KoaContextWithOIDC } from "oidc-provider";

/** Why a request to connect cannot be put to a person, in both languages of the console. */
const reasons: Readonly<Record<string, readonly [string, string]>> = {
  invalid_client: [
    "The assistant is not known here any more, or its description could not be read. Remove the connection in the assistant, and add it again.",
    "此处不认识该助手，或无法读取其说明。请在助手中删除该连接，然后重新添加。",
  ],
  invalid_redirect_uri: [
    "The assistant asks to be sent to an address that is not one of its own. Nothing was given to it.",
    "助手要求跳转到不属于它的地址。未授予任何权限。",
  ],
  session_not_found: [
    "The request has expired, or was begun in another browser. Begin again in the assistant.",
    "请求已过期，或是在其他浏览器中发起的。请在助手中重新开始。",
  ],
};
const otherwise: readonly [string, string] = [
  "The assistant’s request could not be read. Begin again in the assistant, and update it if that does not help.",
  "无法读取助手的请求。请在助手中重新开始；如果没有帮助，请更新助手。",
];

/** The page for a request whose client cannot be told: nothing that was sent stands in it, except a known code. */
export function errorPage(ctx: Pick<KoaContextWithOIDC, "set" | "type" | "body">, code: string): void {
  const [english, chinese] = (Object.hasOwn(reasons, code) ? reasons[code] : undefined) ?? otherwise;
  const shown = Object.hasOwn(reasons, code) ? ` <code>${code}</code>` : "";
  ctx.set({
    "cache-control": "no-store",
    "content-security-policy":
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  });
  ctx.type = "html";
  ctx.body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Not connected · Querent</title>
<style>:root{color-scheme:light dark}body{font:16px/1.6 system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1.25rem}</style>
<main>
<h1>Not connected</h1>
<p>${english}${shown}</p>
<p lang="zh">${chinese}</p>
<p><a href="/console">Querent</a></p>
</main>
</html>
`;
}
