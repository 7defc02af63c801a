import { path, to } from "../../app/address.ts";
import { session } from "../../app/session.ts";
import { operatorMessages } from "../../i18n/operator.ts";
import { AccountsPart } from "./accounts-part.tsx";
import { EnginePart } from "./engine-part.tsx";
import { MailPart } from "./mail-part.tsx";
import { SessionsPart } from "./sessions-part.tsx";
import { SetupsPart } from "./setups-part.tsx";
import { useTitle } from "../../ui/use-title.ts";

const addresses = {
  engine: "/operator",
  accounts: "/operator/accounts",
  platforms: "/operator/platforms",
  sessions: "/operator/sessions",
  mail: "/operator/mail",
} as const;
const components = {
  engine: EnginePart,
  accounts: AccountsPart,
  platforms: SetupsPart,
  sessions: SessionsPart,
  mail: MailPart,
};
const parts = ["engine", "accounts", "platforms", "sessions", "mail"] as const;

/** What the operator watches and changes, over all accounts. */
export function OperatorView() {
  const t = operatorMessages.value;
  useTitle(t.title);
  const part = parts.find((name) => name !== "engine" && path.value.startsWith(addresses[name])) ?? "engine";
  const Part = components[part];
  const mayLook = session.value?.scopes?.includes("admin") === true;
  return (
    <div class="view">
      <header class="view-head">
        <h1>{t.title}</h1>
        <nav aria-label={t.partsLabel}>
          <ul class="segments wrap">
            {parts.map((name) => (
              <li key={name}>
                <a class="segment" aria-current={name === part ? "page" : undefined} href={to(addresses[name])}>
                  {t.parts[name]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      {!mayLook ? <p class="note">{t.forbidden}</p> : <Part />}
    </div>
  );
}
