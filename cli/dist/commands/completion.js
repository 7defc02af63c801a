import { Argument } from "commander";
const scripts = {
  bash: `_querent() {
  local IFS=$'\\n'
  COMPREPLY=($(querent __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _querent querent`,
  zsh: `#compdef querent
_querent() {
  local -a found
  found=("\${(@f)$(querent __complete -- "\${words[@]:1:$((CURRENT-1))}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
compdef _querent querent`,
  fish: `complete -c querent -f -a '(querent __complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
};
export function addCompletion(program, _open) {
  program
    .command("completion")
    .description("print the shell completion script")
    .addArgument(new Argument("<shell>").choices(Object.keys(scripts)))
    .addHelpText(
      "after",
      '\nbash: eval "$(querent completion bash)" in ~/.bashrc\nzsh:  eval "$(querent completion zsh)" in ~/.zshrc\nfish: querent completion fish > ~/.config/fish/completions/querent.fish',
    )
    .action((shell) => void process.stdout.write(`${scripts[shell]}\n`));
  program
    .command("__complete", { hidden: true })
    .argument("[words...]")
    .action(
      (words) =>
        void process.stdout.write(
          candidates(program, words)
            .map((word) => `${word}\n`)
            .join(""),
        ),
    );
}
/** The completions of the last word. */
function candidates(program, words) {
  const typed = words.at(-1) ?? "";
  let command = program;
  let awaited;
  for (const word of words.slice(0, -1)) {
    const isValue = awaited !== undefined;
    awaited = isValue ? undefined : valueOption(command, program, word);
    if (!isValue && !word.startsWith("-")) command = command.commands.find((child) => child.name() === word) ?? command;
  }
  if (awaited !== undefined) return startingWith(awaited.argChoices ?? [], typed);
  const flags = typed.startsWith("-") ? [...command.options, ...program.options].map(({ long }) => long ?? "") : [];
  const commands = command.commands.map((child) => child.name()).filter((name) => !name.startsWith("__"));
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  return startingWith([...commands, ...choices, ...flags], typed);
}
/** The option that a word names, if it takes a value. */
function valueOption(command, program, word) {
  return [...command.options, ...program.options].find(
    (option) => (option.long === word || option.short === word) && (option.required || option.optional),
  );
}
const startingWith = (words, typed) =>
  [...new Set(words)].filter((word) => word !== "" && word.startsWith(typed)).sort();
