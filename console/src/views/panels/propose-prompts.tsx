import {
  decodeText,
  EncodingError,
  proposalLanguages,
  type PanelInput,
  type PromptProposal,
  type PromptProposalRequest,
  type PromptProposals,
} from "@querent/client";
import { useRef, useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { language } from "../../i18n/language.ts";
import { promptProposalsMessages } from "../../i18n/prompt-proposals.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { number } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import * as css from "./propose-prompts.module.css";

export interface ChosenPrompts {
  readonly prompts: PanelInput["prompts"];
  readonly draw: PromptProposals["draw"];
}

interface ProposePromptsProps {
  /** The panel that is edited: what it asks is marked. */
  readonly panelId: string | null;
  readonly project: string | undefined;
  readonly take: (chosen: ChosenPrompts) => void;
}

type Language = NonNullable<PromptProposalRequest["language"]>;

/** As much as the service takes of an export. */
const csvCharsMax = 8_000_000;

interface Sources {
  readonly searches: boolean;
  readonly csv: { readonly name: string; readonly text: string } | null;
  readonly site: string;
  readonly topics: string;
  readonly languages: readonly Language[];
  readonly questions: string;
}

/** The step in which prompts are proposed: choose sources, see what they give by topic, choose and edit, and take it into the form. */
export function ProposePrompts({ panelId, project, take }: ProposePromptsProps) {
  const t = promptProposalsMessages.value;
  const [sources, setSources] = useState<Sources>({
    searches: true,
    csv: null,
    site: "",
    topics: "",
    languages: [language.value === "zh-CN" ? "zh" : "en"],
    questions: "",
  });
  const [found, setFound] = useState<PromptProposals | null>(null);
  /** The texts of those that are chosen, as they are edited, by their place in the reply. */
  const [chosen, setChosen] = useState<ReadonlyMap<number, string>>(new Map());
  const [isMissing, setMissing] = useState(false);
  const [taken, setTaken] = useState<number | null>(null);
  const { busy, failed, run } = useAttempt();
  const propose = () => {
    const request = requestOf(sources, panelId);
    setMissing(request === null);
    if (request === null) return;
    run(async () => {
      const reply = await querent.panels.propose(request, { project: panelId === null ? project : undefined });
      setFound(reply);
      setChosen(new Map());
      setTaken(null);
    });
  };
  const takeChosen = () => {
    if (found === null || chosen.size === 0) return;
    const prompts = [...chosen]
      .toSorted(([one], [other]) => one - other)
      .flatMap(([index, text]) => {
        const proposal = found.proposals[index];
        const tidy = text.replaceAll(/\s+/g, " ").trim();
        if (proposal === undefined || tidy === "") return [];
        return [{ text: tidy, topic: proposal.topic, intent: proposal.intent, origins: proposal.origins }];
      });
    take({ prompts, draw: found.draw });
    setTaken(prompts.length);
    setChosen(new Map());
  };
  return (
    <details class={css.step} data-propose>
      <summary>{t.title}</summary>
      {/* Enter in a field proposes, instead of saving the panel. */}
      <div
        class={css.body}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement) || event.target.type !== "text")
            return;
          event.preventDefault();
          if (event.target.dataset["source"] !== undefined) propose();
        }}
      >
        <p class="quiet small">{t.lead}</p>
        <SourceFields sources={sources} change={(change) => setSources({ ...sources, ...change })} />
        {isMissing ? (
          <p class="field-error small" role="alert">
            {t.noSource}
          </p>
        ) : null}
        <div class="actions">
          <button type="button" class="button" aria-disabled={busy} onClick={propose}>
            {t.propose}
          </button>
          {busy ? (
            <span class="quiet small" role="status">
              {t.proposing}
            </span>
          ) : null}
        </div>
        {failed === null ? null : <FailureNote failed={failed} />}
        {found === null ? null : <Found found={found} chosen={chosen} change={setChosen} />}
        {found === null || found.proposals.length === 0 ? null : (
          <div class="actions">
            <button type="button" class="button primary" aria-disabled={chosen.size === 0} onClick={takeChosen}>
              {chosen.size === 0 ? t.takeNone : t.take(chosen.size)}
            </button>
          </div>
        )}
        {taken === null ? null : (
          <p class="quiet small" role="status">
            {t.taken(taken)}
          </p>
        )}
      </div>
    </details>
  );
}

/** Null: no source is chosen. */
function requestOf(
  { searches, csv, site, topics, languages, questions }: Sources,
  panelId: string | null,
): PromptProposalRequest | null {
  const named = topics
    .split(/[,，、\n]/)
    .map((topic) => topic.trim())
    .filter((topic) => topic !== "")
    .slice(0, 20);
  const request: PromptProposalRequest = {
    ...(searches ? { searches: {} } : {}),
    ...(csv === null ? {} : { searchConsole: { csv: csv.text } }),
    ...(site.trim() === "" ? {} : { site: { address: site.trim() } }),
    ...(named.length === 0 ? {} : { templates: { topics: named, languages: [...languages] } }),
    ...(questions.trim() === "" ? {} : { questions: { text: questions } }),
  };
  if (Object.keys(request).length === 0) return null;
  return { ...request, ...(panelId === null ? {} : { panelId }), language: languages[0] ?? null };
}

interface SourceFieldsProps {
  readonly sources: Sources;
  readonly change: (change: Partial<Sources>) => void;
}

function SourceFields({ sources, change }: SourceFieldsProps) {
  const t = promptProposalsMessages.value;
  const names = new Intl.DisplayNames(language.value, { type: "language" });
  const text = (member: "site" | "topics", label: string, hint: string) => (
    <div class="field">
      <label for={`propose-${member}`}>{label}</label>
      <input
        id={`propose-${member}`}
        class="input"
        type="text"
        data-source={member}
        autocomplete="off"
        spellcheck={member === "topics"}
        value={sources[member]}
        aria-describedby={`propose-${member}-hint`}
        onInput={({ currentTarget }) => change({ [member]: currentTarget.value })}
      />
      <p id={`propose-${member}-hint`} class="quiet small">
        {hint}
      </p>
    </div>
  );
  return (
    <>
      <label class="choice">
        <input
          type="checkbox"
          checked={sources.searches}
          onChange={({ currentTarget }) => change({ searches: currentTarget.checked })}
        />
        <span>{t.searches}</span>
      </label>
      <ExportField csv={sources.csv} change={(csv) => change({ csv })} />
      {text("site", t.site, t.siteHint)}
      {text("topics", t.topics, t.topicsHint)}
      <fieldset class="field">
        <legend>{t.languages}</legend>
        <div class={css.languages}>
          {proposalLanguages.map((code) => (
            <label key={code} class="choice">
              <input
                type="checkbox"
                checked={sources.languages.includes(code)}
                onChange={({ currentTarget }) => {
                  const others = sources.languages.filter((one) => one !== code);
                  const next = currentTarget.checked ? [...others, code] : others;
                  // Without one, templates would be in no language.
                  if (next.length > 0) change({ languages: next });
                  else currentTarget.checked = true;
                }}
              />
              <span>{names.of(code)}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <div class="field">
        <label for="propose-questions">{t.questions}</label>
        <textarea
          id="propose-questions"
          class="input"
          rows={3}
          dir="auto"
          value={sources.questions}
          maxLength={1_000_000}
          aria-describedby="propose-questions-hint"
          onInput={({ currentTarget }) => change({ questions: currentTarget.value })}
        />
        <p id="propose-questions-hint" class="quiet small">
          {t.questionsHint}
        </p>
      </div>
    </>
  );
}

interface ExportFieldProps {
  readonly csv: Sources["csv"];
  readonly change: (csv: Sources["csv"]) => void;
}

function ExportField({ csv, change }: ExportFieldProps) {
  const t = promptProposalsMessages.value;
  const picker = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<string | null>(null);
  const read = async (file: File) => {
    setFault(null);
    change(null);
    if (file.size > 3 * csvCharsMax) return setFault(t.tooLarge);
    try {
      const text = decodeText(new Uint8Array(await file.arrayBuffer()));
      if (text.length > csvCharsMax) setFault(t.tooLarge);
      else if (text.trim() !== "") change({ name: file.name, text });
    } catch (error) {
      if (!(error instanceof EncodingError)) throw error;
      setFault(t.notText(error.line));
    }
  };
  return (
    <div class="field" role="group" aria-label={t.searchConsole}>
      <div class="actions">
        <button type="button" class="button" onClick={() => picker.current?.click()}>
          {t.chooseFile}
        </button>
        {csv === null ? null : (
          <button
            type="button"
            class="button ghost"
            aria-label={`${t.removeFile}: ${csv.name}`}
            onClick={() => change(null)}
          >
            {csv.name} ×
          </button>
        )}
      </div>
      <p class="quiet small">{t.searchConsoleHint}</p>
      <input
        ref={picker}
        type="file"
        class="unseen"
        tabIndex={-1}
        aria-label={t.searchConsole}
        accept=".csv,.tsv,.txt"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) void read(file);
          currentTarget.value = "";
        }}
      />
      {fault === null ? null : (
        <p class="field-error small" role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}

interface Placed {
  readonly index: number;
  readonly proposal: PromptProposal;
}

interface Group {
  readonly topic: string | null;
  readonly placed: readonly Placed[];
}

/** Those that name no brand, by topic, in the order of the reply. */
const groupsOf = ({ proposals }: PromptProposals): Group[] =>
  [
    ...Map.groupBy(
      proposals.map((proposal, index) => ({ index, proposal })).filter(({ proposal }) => !proposal.branded),
      ({ proposal }) => proposal.topic,
    ),
  ].map(([topic, placed]) => ({ topic, placed }));

interface FoundProps {
  readonly found: PromptProposals;
  readonly chosen: ReadonlyMap<number, string>;
  readonly change: (chosen: ReadonlyMap<number, string>) => void;
}

function Found({ found, chosen, change }: FoundProps) {
  const t = promptProposalsMessages.value;
  const groups = groupsOf(found);
  const branded = found.proposals.flatMap((proposal, index) => (proposal.branded ? [{ index, proposal }] : []));
  const topics = groups.filter(({ topic }) => topic !== null).length;
  const put = (entries: readonly (readonly [number, string | null])[]) => {
    const next = new Map(chosen);
    for (const [index, text] of entries) {
      if (text === null) next.delete(index);
      else next.set(index, text);
    }
    change(next);
  };
  if (found.proposals.length === 0)
    return (
      <>
        <SourceFacts found={found} />
        <p role="status">{t.none}</p>
      </>
    );
  return (
    <div class={css.groups}>
      <p role="status">{t.found(number(found.proposals.length + found.more), number(topics), found.more)}</p>
      <SourceFacts found={found} />
      {groups.map(({ topic, placed }, at) => (
        <GroupOf
          key={topic ?? ""}
          name={topic ?? t.noTopic}
          placed={placed}
          chosen={chosen}
          put={put}
          isOpen={at === 0}
          withAll
        />
      ))}
      {branded.length === 0 ? null : (
        <GroupOf name={t.branded} about={t.brandedText} placed={branded} chosen={chosen} put={put} isOpen={false} />
      )}
    </div>
  );
}

/** What was left out, and which pages were not read. */
function SourceFacts({ found: { sources } }: { found: PromptProposals }) {
  const t = promptProposalsMessages.value;
  const lines = sources.flatMap(({ origin, leftOut, pages = [] }) => {
    const reasons = Object.entries(leftOut).map(([why, count]) => `${t.reasons[why] ?? why} ${number(count)}`);
    const read = pages.filter(({ outcome }) => outcome === "read" || outcome === "cut").length;
    const unread = pages.filter(({ outcome }) => outcome !== "read");
    return [
      ...(pages.length === 0 ? [] : [t.pages(read, pages.length)]),
      ...unread.slice(0, 5).map(({ address, outcome }) => `${address}: ${t.outcomes[outcome]}`),
      ...(reasons.length === 0 ? [] : [`${t.origins[origin]}: ${t.leftOut(reasons.join(", "))}`]),
    ];
  });
  return (
    <>
      {lines.map((line) => (
        <p key={line} class="quiet small">
          {line}
        </p>
      ))}
    </>
  );
}

interface GroupProps {
  readonly name: string;
  readonly about?: string;
  readonly placed: readonly Placed[];
  readonly chosen: ReadonlyMap<number, string>;
  readonly put: (entries: readonly (readonly [number, string | null])[]) => void;
  readonly isOpen: boolean;
  readonly withAll?: boolean;
}

/** The rows of a topic, which are drawn once it is opened: there may be thousands. */
function GroupOf({ name, about, placed, chosen, put, isOpen, withAll = false }: GroupProps) {
  const t = promptProposalsMessages.value;
  const [wasOpened, setOpened] = useState(isOpen);
  const selected = placed.filter(({ index }) => chosen.has(index)).length;
  const free = placed.filter(({ proposal }) => !proposal.inPanel);
  const isAll = free.length > 0 && free.every(({ index }) => chosen.has(index));
  return (
    <details class={css.group} open={isOpen} onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}>
      <summary>{t.group(name, number(placed.length), selected)}</summary>
      {about === undefined ? null : <p class={`${css.all} quiet small`}>{about}</p>}
      {withAll && free.length > 0 ? (
        <label class={`choice ${css.all}`}>
          <input
            type="checkbox"
            checked={isAll}
            onChange={({ currentTarget }) =>
              put(
                free.map(({ index, proposal }) => [
                  index,
                  currentTarget.checked ? (chosen.get(index) ?? proposal.question ?? proposal.text) : null,
                ]),
              )
            }
          />
          <span>{t.allUnbranded(name)}</span>
        </label>
      ) : null}
      {wasOpened ? (
        <ul class={css.rows}>
          {placed.map(({ index, proposal }) => (
            <Row
              key={index}
              proposal={proposal}
              text={chosen.get(index) ?? null}
              put={(text) => put([[index, text]])}
            />
          ))}
        </ul>
      ) : null}
    </details>
  );
}

interface RowProps {
  readonly proposal: PromptProposal;
  /** As it is edited; null: it is not chosen. */
  readonly text: string | null;
  readonly put: (text: string | null) => void;
}

function Row({ proposal, text, put }: RowProps) {
  const t = promptProposalsMessages.value;
  const { question, entities, evidence } = proposal;
  const brands = entities.filter(({ relation }) => relation !== "other").map(({ name }) => name);
  return (
    <li data-proposal={proposal.text}>
      <label class="choice">
        <input
          type="checkbox"
          checked={text !== null}
          disabled={proposal.inPanel}
          onChange={({ currentTarget }) => put(currentTarget.checked ? (question ?? proposal.text) : null)}
        />
        <bdi lang={proposal.language ?? undefined}>{proposal.text}</bdi>
      </label>
      <div class={`${css.facts} small quiet`}>
        <span class="tag">{t.intents[proposal.intent]}</span>
        <span>{proposal.origins.map((origin) => t.origins[origin]).join(", ")}</span>
        {evidence
          .flatMap((one) => toldOf(one))
          .slice(0, 3)
          .map((told) => (
            <span key={told}>{told}</span>
          ))}
        {brands.length === 0 ? null : <span>{t.names(brands.join(", "))}</span>}
        {proposal.inPanel ? <span class="tag">{t.inPanel}</span> : null}
      </div>
      {text === null ? null : (
        <div class={css.edit}>
          <input
            class="input"
            type="text"
            dir="auto"
            aria-label={t.text(proposal.text)}
            value={text}
            maxLength={1_000}
            onInput={({ currentTarget }) => put(currentTarget.value)}
          />
          {question === null ? null : (
            <button
              type="button"
              class="button small"
              aria-label={text === question ? t.asKeywordsOf(proposal.text) : t.asQuestionOf(proposal.text)}
              onClick={() => put(text === question ? proposal.text : question)}
            >
              {text === question ? t.asKeywords : t.asQuestion}
            </button>
          )}
        </div>
      )}
    </li>
  );
}

function toldOf({ clicks, impressions, answers, address }: PromptProposal["evidence"][number]): string[] {
  const t = promptProposalsMessages.value;
  return [
    ...(clicks === undefined ? [] : [t.clicks(number(clicks ?? 0), number(impressions ?? 0))]),
    ...(answers === undefined ? [] : [t.answers(number(answers))]),
    ...(address === undefined ? [] : [t.onPage(address)]),
  ];
}
