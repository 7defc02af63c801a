import { useEffect, useRef, useState } from "preact/hooks";
import { useLive } from "../api/use-live.ts";
import { FailureNote } from "../ui/failure-note.tsx";
import { Icon } from "../ui/icon.tsx";
import { shellMessages } from "../i18n/shell.ts";
import { fixedCommands, searchCommands, type Command } from "./commands.ts";
import { shownProject } from "./projects.ts";
import { findById, isId, readNamed } from "./find-by-id.ts";
import * as css from "./palette.module.css";

export interface PaletteProps {
  readonly close: () => void;
  readonly showKeys: () => void;
}

/** The command palette: every view and action by keyboard, in a combobox as ARIA describes it. */
export function Palette({ close, showKeys }: PaletteProps) {
  const t = shellMessages.value.palette;
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  useEffect(() => dialog.current?.showModal(), []);

  const { id, byId, commands } = useCommands(text.trim(), showKeys);
  const at = Math.min(chosen, commands.length - 1);

  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    dialog.current?.close();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown") setChosen((at + 1) % Math.max(1, commands.length));
    else if (event.key === "ArrowUp") setChosen((at <= 0 ? commands.length : at) - 1);
    else if (event.key === "Enter") run(commands[at]);
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    dialog.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at]);

  return (
    <dialog
      ref={dialog}
      class={`dialog ${css.palette}`}
      aria-label={t.title}
      onClose={close}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <div class={css.paletteLine}>
        <Icon name="search" />
        <input
          class={css.paletteInput}
          role="combobox"
          aria-label={t.placeholder}
          aria-expanded={commands.length > 0}
          aria-controls="palette-list"
          aria-autocomplete="list"
          aria-activedescendant={commands.length > 0 ? `command-${at}` : undefined}
          autocomplete="off"
          spellcheck={false}
          placeholder={t.placeholder}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd aria-hidden="true">Esc</kbd>
      </div>
      <CommandList commands={commands} at={at} choose={setChosen} run={run} />
      {commands.length > 0 ? null : (
        <div class={`${css.paletteNone} quiet`} role="status">
          {byId.failed !== null ? (
            <FailureNote failed={byId.failed} retry={byId.refresh} />
          ) : id === null ? (
            t.noCommands
          ) : byId.value === null ? (
            t.looking
          ) : (
            t.unknownId
          )}
        </div>
      )}
    </dialog>
  );
}

/** The commands for a text: for an id, the record that has it; otherwise commands, panels and brands whose name matches, and searches. */
function useCommands(wanted: string, showKeys: () => void) {
  const id = isId(wanted) ? wanted.toLowerCase() : null;
  const byId = useLive(`find ${id ?? ""}`, async (call) => (id === null ? [] : await findById(id, call)), {
    everyMs: null,
  });
  const named = useLive(`panels and brands by name ${shownProject() ?? ""}`, readNamed, { everyMs: null }).value ?? [];
  const isMeant = ({ name }: Command) => name.toLowerCase().includes(wanted.toLowerCase());
  const fixed = fixedCommands(showKeys).filter(isMeant);
  const typed = wanted === "" ? [] : [...named.filter(isMeant).slice(0, namedShown), ...searchCommands(wanted)];
  const commands: readonly Command[] = id !== null ? (byId.value ?? []) : [...fixed, ...typed];
  return { id, byId, commands };
}

const namedShown = 8;

interface CommandListProps {
  readonly commands: readonly Command[];
  /** The index of the one that Enter runs. */
  readonly at: number;
  readonly choose: (index: number) => void;
  readonly run: (command: Command) => void;
}

function CommandList({ commands, at, choose, run }: CommandListProps) {
  const t = shellMessages.value.palette;
  return (
    <ul id="palette-list" class={css.paletteList} role="listbox" aria-label={t.title} hidden={commands.length === 0}>
      {commands.map((command, index) => (
        <li
          key={command.id}
          id={`command-${index}`}
          role="option"
          aria-selected={index === at}
          onMouseMove={() => choose(index)}
          onClick={() => run(command)}
        >
          <Icon name={command.icon} />
          <span class={css.paletteName} dir="auto">
            {command.name}
          </span>
          <span class="quiet small">{t.groups[command.group]}</span>
        </li>
      ))}
    </ul>
  );
}
