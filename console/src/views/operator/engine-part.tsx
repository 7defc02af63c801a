import type { Engine, NodeRecord, QueueRecord } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Ago, distance, now, number } from "../../ui/time.tsx";
import { operatorMessages } from "../../i18n/operator.ts";
import { platformsMessages } from "../../i18n/platforms.ts";
import { AccountUses } from "./account-uses.tsx";
import { LimitsForm } from "./limits-form.tsx";
import { TablePlace } from "../../ui/table-place.tsx";
import * as css from "./engine-part.module.css";

const refreshMs = 3000;
/** The service's count stops here. */
const countedMax = 20_000;

export function EnginePart() {
  const t = operatorMessages.value;
  const { value, failed, refresh } = useLive<Engine>("engine", (call) => querent.operator.engine(call), {
    everyMs: refreshMs,
  });
  const [changing, setChanging] = useState<string | null>(null);
  return (
    <>
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {value === null ? null : (
        <>
          <section class="stack" aria-labelledby="queues-title">
            <h2 id="queues-title">{t.queues}</h2>
            <TablePlace label={t.queues}>
              <table class="table">
                <thead>
                  <tr>
                    <th scope="col">{t.queueColumns.platform}</th>
                    <th scope="col" class="figure">
                      {t.queueColumns.queued}
                    </th>
                    <th scope="col" class="figure">
                      {t.queueColumns.waiting}
                    </th>
                    <th scope="col" class="figure">
                      {t.queueColumns.running}
                    </th>
                    <th scope="col">{t.queueColumns.oldest}</th>
                    <th scope="col">{t.queueColumns.rate}</th>
                    <th scope="col">{t.queueColumns.gate}</th>
                    <td />
                  </tr>
                </thead>
                <tbody>
                  {inOrder(value.queues).map((queue) => (
                    <Queue
                      key={queue.platformCode}
                      queue={queue}
                      changing={changing === queue.platformCode}
                      change={(open) => setChanging(open ? queue.platformCode : null)}
                      changed={refresh}
                    />
                  ))}
                </tbody>
              </table>
            </TablePlace>
          </section>
          <AccountUses accounts={value.accounts} />
          <Nodes nodes={value.nodes} />
        </>
      )}
    </>
  );
}

/** Orders the queues: those that can be asked come first. */
const inOrder = (queues: readonly QueueRecord[]) =>
  queues.toSorted(
    (one, other) => Number(other.configured) - Number(one.configured) || one.name.localeCompare(other.name),
  );

interface QueueProps {
  readonly queue: QueueRecord;
  readonly changing: boolean;
  readonly change: (open: boolean) => void;
  readonly changed: () => void;
}

function Queue({ queue, changing, change, changed }: QueueProps) {
  const t = operatorMessages.value;
  const upTo = (count: number) => (count >= countedMax ? `${number(countedMax)}+` : number(count));
  const { limits, override } = queue;
  return (
    <>
      <tr class={queue.configured ? "" : "gone"}>
        <th scope="row" class="nowrap">
          {queue.name}
          {override === null ? null : (
            <span class={`small quiet ${css.below}`}>
              {t.setLive(distance(Date.parse(override.setAt) - now.value))}
            </span>
          )}
        </th>
        <td class={queue.queued === 0 ? "figure quiet" : "figure"}>{upTo(queue.queued)}</td>
        <td class={queue.waiting === 0 ? "figure quiet" : "figure"}>{upTo(queue.waiting)}</td>
        <td class="figure nowrap">
          {number(queue.running)} <span class="quiet">/ {number(limits.runningMax)}</span>
        </td>
        <td class="quiet nowrap">{queue.oldestQueuedAt === null ? "–" : <Ago at={queue.oldestQueuedAt} />}</td>
        <td class="quiet nowrap">
          {limits.rate === null ? t.noRate : t.rate(number(limits.rate.perSecond), number(limits.rate.burst))}
        </td>
        <td>
          <Gate queue={queue} />
        </td>
        <td class="figure">
          <button
            type="button"
            class="button ghost"
            aria-expanded={changing}
            aria-label={`${t.change}: ${queue.name}`}
            onClick={() => change(!changing)}
          >
            {t.change}
          </button>
        </td>
      </tr>
      {changing ? (
        <tr class={css.formRow}>
          <td colSpan={8}>
            <LimitsForm
              queue={queue}
              close={() => change(false)}
              changed={() => {
                change(false);
                changed();
              }}
            />
          </td>
        </tr>
      ) : null}
    </>
  );
}

/** Why no task would start at the moment, if so. */
function Gate({ queue: { configured, limits, heldUntil, breaker } }: { queue: QueueRecord }) {
  const t = operatorMessages.value;
  const when = (at: string) => distance(Math.max(0, Date.parse(at) - now.value));
  if (!configured) return <span class="mark">{platformsMessages.value.notConfigured}</span>;
  if (limits.runningMax === 0) return <span class="mark mark-warn">{t.stopped}</span>;
  if (breaker.openUntil !== null) return <span class="mark mark-bad">{t.breakerOpen(when(breaker.openUntil))}</span>;
  if (heldUntil !== null) return <span class="mark mark-warn">{t.held(when(heldUntil))}</span>;
  if (breaker.failuresInRow > 0) return <span class="mark mark-warn">{t.failing(number(breaker.failuresInRow))}</span>;
  return <span class="mark mark-good">{t.open}</span>;
}

/** What a node runs and can ask; on demand, what it cannot ask, and why, in the service's words. */
function NodePlatforms({ node: { roles, platforms } }: { node: NodeRecord }) {
  const t = operatorMessages.value;
  if (roles === null) return <span class="quiet">{t.notReported}</span>;
  const lacking = platforms.filter(({ missing }) => missing !== null);
  const running = platforms.filter((platform) => platform.running > 0);
  return (
    <>
      {running.map(({ platformCode, running: count }) => (
        <div key={platformCode}>
          {platformCode}: {number(count)}
        </div>
      ))}
      <details>
        <summary class="quiet">
          {t.asks(number(platforms.length - lacking.length))}
          {lacking.length === 0 ? "" : `, ${t.lacks(number(lacking.length))}`}
        </summary>
        <ul>
          {platforms.map(({ platformCode, missing }) => (
            <li key={platformCode}>
              {platformCode}
              {missing === null ? null : (
                <>
                  : <span lang="en">{missing}</span>
                </>
              )}
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

function Nodes({ nodes }: { nodes: readonly NodeRecord[] }) {
  const t = operatorMessages.value;
  return (
    <section class="stack" aria-labelledby="nodes-title">
      <h2 id="nodes-title">{t.nodes}</h2>
      {nodes.length === 0 ? (
        <p class="note note-warn">{t.noNodes}</p>
      ) : (
        <TablePlace label={t.nodes}>
          <table class="table">
            <thead>
              <tr>
                <th scope="col">{t.nodeColumns.node}</th>
                <th scope="col">{t.nodeColumns.version}</th>
                <th scope="col" class="figure">
                  {t.nodeColumns.running}
                </th>
                <th scope="col">{t.nodeColumns.platforms}</th>
                <th scope="col">{t.nodeColumns.started}</th>
                <th scope="col">{t.nodeColumns.lease}</th>
              </tr>
            </thead>
            <tbody>
              {nodes.map((node) => (
                <tr key={node.nodeId}>
                  <th scope="row">
                    {node.name} <code class="quiet">{node.nodeId.slice(-12)}</code>
                    <div class="quiet">{[node.roles ?? [], node.onlyPlatforms ?? []].flat().join(", ")}</div>
                  </th>
                  <td class="quiet">{node.version}</td>
                  <td class="figure">
                    {number(node.running)}
                    {node.slotsMax === null ? "" : ` / ${number(node.slotsMax)}`}
                  </td>
                  <td>
                    <NodePlatforms node={node} />
                  </td>
                  <td class="quiet nowrap">
                    <Ago at={node.startedAt} />
                  </td>
                  <td class="nowrap">
                    <span class={node.alive ? "mark mark-good" : "mark mark-bad"}>
                      {node.alive ? t.lease(distance(Math.max(0, Date.parse(node.leaseUntil) - now.value))) : t.dead}
                    </span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TablePlace>
      )}
    </section>
  );
}
