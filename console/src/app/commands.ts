import type { IconName } from "../ui/icon.tsx";
import { language, languages, speak, type Language } from "../i18n/language.ts";
import { shellMessages } from "../i18n/shell.ts";
import { go, to } from "./address.ts";
import { places } from "./places.ts";
import { leave } from "./leave.ts";
import { may } from "./session.ts";
import { theme, themes } from "./theme.ts";

export interface Command {
  readonly id: string;
  readonly group: "found" | "search" | "views" | "actions";
  readonly name: string;
  readonly icon: IconName;
  readonly run: () => void;
}

/** The commands that do not depend on the text typed. */
export function fixedCommands(showKeys: () => void): readonly Command[] {
  const { navigation: t, palette } = shellMessages.value;
  const goTo = (
    id: string,
    name: string,
    icon: IconName,
    address: string,
    group: Command["group"] = "actions",
  ): Command => ({ id, group, name, icon, run: () => go(address) });
  return [
    ...places().map(({ address, icon, word }): Command => {
      return { id: word, group: "views", name: t[word], icon, run: () => go(to(address)) };
    }),
    ...(may("webhook:manage")
      ? [
          goTo("deliveries", t.deliveries, "bell", to("/webhooks/deliveries"), "views"),
          goTo("failed-deliveries", palette.failedDeliveries, "bell", to("/webhooks/deliveries", { state: "failed" })),
        ]
      : []),
    ...(may("tasks:read")
      ? [
          goTo("failed-tasks", palette.failedTasks, "tasks", to("/tasks", { q: "state:failed" })),
          goTo("failed-batches", palette.failedBatches, "batches", to("/batches", { state: "failed" })),
        ]
      : []),
    ...themes
      .filter((choice) => choice !== theme.value)
      .map((choice): Command => ({
        id: `theme-${choice}`,
        group: "actions",
        name: palette.theme(t.themes[choice]),
        icon: choice === "system" ? "system" : choice === "light" ? "sun" : "moon",
        run: () => void (theme.value = choice),
      })),
    ...(Object.keys(languages) as Language[])
      .filter((choice) => choice !== language.value)
      .map((choice): Command => ({
        id: `language-${choice}`,
        group: "actions",
        name: palette.language(languages[choice]),
        icon: "platforms",
        run: () => speak(choice),
      })),
    { id: "keys", group: "actions", name: t.keys, icon: "keyboard", run: showKeys },
    {
      id: "reference",
      group: "actions",
      name: t.reference,
      icon: "external",
      run: () => void window.open("/docs", "_blank", "noreferrer"),
    },
    { id: "sign-out", group: "actions", name: t.signOut, icon: "leave", run: () => leave() },
  ];
}

/** Searches for the text typed. */
export function searchCommands(text: string): readonly Command[] {
  if (!may("tasks:read")) return [];
  const { palette } = shellMessages.value;
  // Quoted, so that a colon in it names no filter.
  const quoted = `"${text.replaceAll('"', " ")}"`;
  return [
    {
      id: "search-tasks",
      group: "search",
      name: palette.searchTasks(text),
      icon: "search",
      run: () => go(to("/tasks", { q: quoted })),
    },
    {
      id: "search-batches",
      group: "search",
      name: palette.searchBatches(text),
      icon: "search",
      run: () => go(to("/batches", { q: text })),
    },
  ];
}
