import { language } from "../../i18n/language.ts";
import { panelFormMessages } from "../../i18n/panel-form.ts";
import * as css from "./panel-view.module.css";

interface LocalesFieldProps {
  /** One a line, as the draft of a panel has them: `DE/de/Berlin`. */
  readonly value: string;
  readonly change: (value: string) => void;
  readonly error: string | null;
}

/** Codes to which the names of countries were given that are none, or not asked from. */
const noCountries = new Set("AC CP CQ DG EA EU EZ IC QO TA UN XA XB XK ZZ".split(" "));
const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const pairs = letters.flatMap((one) => letters.map((other) => one + other));

/** Languages that are written or spoken differently by region. */
const regional = ["de-AT", "de-CH", "en-GB", "en-US", "es-MX", "fr-CA", "pt-BR", "pt-PT", "zh-CN", "zh-HK", "zh-TW"];

type Named = readonly (readonly [code: string, name: string])[];

/** By name, in the language of the console. */
function namesOf(type: "region" | "language", codes: readonly string[]): Named {
  const names = new Intl.DisplayNames(language.value, { type, fallback: "none" });
  return codes
    .flatMap((code) => {
      const name = names.of(code);
      return name === undefined ? [] : [[code, name] as const];
    })
    .toSorted(([, one], [, other]) => one.localeCompare(other, language.value));
}

const countries = () =>
  namesOf(
    "region",
    pairs.filter((code) => !noCountries.has(code) && new Intl.Locale(`und-${code}`).region === code),
  );
const languages = () => {
  const codes = pairs.map((code) => code.toLowerCase()).filter((code) => new Intl.Locale(code).language === code);
  return namesOf("language", [...codes, ...regional]);
};

/** Where and in which language is asked: countries and languages are chosen by name. */
export function LocalesField({ value, change, error }: LocalesFieldProps) {
  const t = panelFormMessages.value;
  const lines = value.split("\n").filter((line) => line.trim() !== "");
  const set = (index: number, line: string | null) =>
    change(lines.flatMap((each, at) => (at === index ? (line === null ? [] : [line]) : [each])).join("\n"));
  const [byCountry, byLanguage] = lines.length === 0 ? [[], []] : [countries(), languages()];
  return (
    <fieldset class="field" data-field="locales">
      <legend>{t.locales}</legend>
      <p class="quiet small">{t.localesHint}</p>
      {lines.map((line, index) => {
        const [country = "", tongue = "", city = "", ...more] = line.split("/").map((part) => part.trim());
        const put = (next: readonly string[]) => set(index, next.join("/").replace(/\/+$/, "") || "/");
        return (
          <div key={index} class={css.locale}>
            <Choice
              label={t.country}
              value={country}
              named={byCountry}
              none={t.noCountry}
              choose={(chosen) => put([chosen, tongue, city, ...more])}
            />
            <Choice
              label={t.language}
              value={tongue}
              named={byLanguage}
              none={t.noLanguage}
              choose={(chosen) => put([country, chosen, city, ...more])}
            />
            <label>
              <span class="small quiet">{t.city}</span>
              <input
                class="input"
                autocomplete="off"
                value={[city, ...more].filter((part) => part !== "").join(", ")}
                readOnly={more.length > 0}
                onInput={({ currentTarget }) => put([country, tongue, currentTarget.value.replaceAll("/", " ")])}
              />
            </label>
            <button type="button" class="button" onClick={() => set(index, null)}>
              {t.remove}
            </button>
          </div>
        );
      })}
      <div class="actions">
        <button type="button" class="button" onClick={() => change([...lines, browserLocale(lines)].join("\n"))}>
          {t.addLocale}
        </button>
      </div>
      {error === null ? null : <p class="field-error small">{error}</p>}
    </fieldset>
  );
}

/** That of the browser first, then the United States in English: a row that says something, to be changed. */
function browserLocale(lines: readonly string[]): string {
  const { language: tongue, region } = new Intl.Locale(navigator.language).maximize();
  const own = `${region ?? "US"}/${tongue}`;
  return lines.includes(own) ? (lines.includes("US/en") ? "GB/en" : "US/en") : own;
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly named: Named;
  readonly none: string;
  readonly choose: (value: string) => void;
}

function Choice({ label, value, named, none, choose }: ChoiceProps) {
  const isKnown = value === "" || named.some(([code]) => code === value);
  return (
    <label>
      <span class="small quiet">{label}</span>
      <select class="input" value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        <option value="">{none}</option>
        {isKnown ? null : <option value={value}>{value}</option>}
        {named.map(([code, name]) => (
          <option key={code} value={code}>
            {name} ({code})
          </option>
        ))}
      </select>
    </label>
  );
}
