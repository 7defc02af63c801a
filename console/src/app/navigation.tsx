import { Icon } from "../ui/icon.tsx";
import { shellMessages } from "../i18n/shell.ts";
import { path, to } from "./address.ts";
import { places } from "./places.ts";
import * as css from "./navigation.module.css";

export function Navigation() {
  const t = shellMessages.value.navigation;
  return (
    <ul class={css.sideLinks}>
      {places().map(({ address, icon, word }) => (
        <li key={address}>
          <a href={to(address)} aria-current={isAt(address) ? "page" : undefined}>
            <Icon name={icon} />
            {t[word]}
          </a>
        </li>
      ))}
    </ul>
  );
}

const isAt = (address: string) => path.value === address || (address !== "/" && path.value.startsWith(`${address}/`));
