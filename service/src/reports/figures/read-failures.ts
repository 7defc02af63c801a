import { figureAnswersMax, type FailedTaskRecord } from "@querent/contract";
import { failedTaskOf, readsFailures, type FailedTask } from "@querent/figures";
import type { Queryable } from "../../db/index.ts";
import { firstIdAt, millisecondAt } from "../../kernel/ids.ts";
import { InputTooLarge } from "../../computing/job.ts";
import { listedFailures, type FailureRow } from "../../observations/records/failure-row.ts";
import type { AnswerSelection } from "../../observations/answers/answer-pages.ts";
import { measuresOf, type AskedMeasures } from "./requests.ts";

const rowsAtOnce = 500;

/** The failed tasks of a panel in a window, oldest first. Throws `InputTooLarge` if there are more than `figureAnswersMax`. */
export async function* readFailures(
  db: Queryable,
  accountId: string,
  selection: AnswerSelection,
): AsyncGenerator<FailedTaskRecord[], void, void> {
  const { panelId, from, to, platformCode = null, locale = null, persona = null, runId = null } = selection;
  let count = 0;
  for (let after: string | null = null; ;) {
    // Index: panel_failures_panel, in its order; the filters leave out few rows of a panel. Locks nothing.
    const { rows }: { rows: FailureRow[] } = await db.query<FailureRow & Record<string, unknown>>(
      `select ${listedFailures.columns} from panel_failures o
        where o.account_id = $1 and o.panel_id = $2 and o.id >= $3::uuid and o.id < $4::uuid and ($5::uuid is null or o.id > $5)
          and ($6::text is null or o.platform = $6) and ($7::text is null or o.locale = $7)
          and ($8::text is null or o.persona = $8) and ($9::uuid is null or o.run_id = $9)
        order by o.id limit ${rowsAtOnce}`,
      [
        accountId,
        panelId,
        firstIdAt(millisecondAt(from)),
        firstIdAt(millisecondAt(to)),
        after,
        platformCode,
        locale,
        persona,
        runId,
      ],
    );
    count += rows.length;
    if (count > figureAnswersMax) throw new InputTooLarge("failed tasks");
    if (rows.length > 0) yield rows.map(listedFailures.recordOf);
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAtOnce) return;
    after = last.id;
  }
}

/** The same as pages of text for `decodeFailures`; none if no measure that is asked for reads them. */
export async function* failurePages(
  db: Queryable,
  accountId: string,
  selection: AnswerSelection,
  asked: AskedMeasures | "all",
): AsyncGenerator<string, void, void> {
  if (asked !== "all" && !measuresOf(asked).some(readsFailures)) return;
  for await (const records of readFailures(db, accountId, selection))
    yield records.map((record) => JSON.stringify(record)).join("\n");
}

/** The failed tasks of a page, as figures are made of them. */
export const decodeFailures = (page: string): FailedTask[] =>
  page
    .trimEnd()
    .split("\n")
    .map((line) => failedTaskOf(JSON.parse(line) as FailedTaskRecord));
