import { api } from "@querent/contract";
import { ProblemError } from "../api/problem-error.ts";
import { route, type Route } from "../api/route.ts";

export interface ProbesDeps {
  readonly version: string;
  /** Why the process cannot work, or null. */
  readonly notReady: () => Promise<string | null>;
  readonly metrics: () => Promise<string>;
}

export function probeRoutes(deps: ProbesDeps): Route[] {
  return [
    route(api.getHealth, async () => ({ status: 200, body: { status: "ok", version: deps.version } })),
    route(api.getReadiness, async () => {
      const reason = await deps.notReady();
      if (reason !== null) throw new ProblemError("unavailable", reason, { headers: { "retry-after": "2" } });
      return { status: 200, body: { status: "ready" } };
    }),
    route(api.getMetrics, async () => ({
      status: 200,
      headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
      body: await deps.metrics(),
    })),
  ];
}
