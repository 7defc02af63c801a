/** The dashboard and the alerts in deploy/monitoring, as docs/how-to/monitor.md#dashboard and docs/how-to/monitor.md#alerts describe them. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { parse } from "yaml";
import { promtool } from "../harness/promtool.ts";
import { metricDefinitions, Metrics } from "../../src/telemetry/index.ts";

const root = join(import.meta.dirname, "../../..");
const folder = join(root, "deploy/monitoring");
const textOf = (path: string) => readFileSync(join(root, path), "utf8");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}
const { groups } = parse(textOf("deploy/monitoring/alerts.yaml")) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}
const { panels } = JSON.parse(textOf("deploy/monitoring/grafana-dashboard.json")) as { panels: Panel[] };

suite("the dashboard", () => {
  test("has panels that use metrics and labels that exist, and every panel has a query", async () => {
    const charts = panels.filter(({ type }) => type !== "row");
    assert.ok(charts.length > 20);
    const known = await knownMetrics();
    for (const { title, targets = [] } of charts) {
      assert.ok(targets.length > 0, title);
      for (const { expr } of targets) assertKnown(expr, known, title);
    }
  });
});

suite("the alerts", () => {
  test("use metrics and labels that exist", async () => {
    const known = await knownMetrics();
    for (const { alert, expr } of rules) assertKnown(expr, known, alert);
  });

  test("each say what happened and what it means, and lead to a section that says what to do", () => {
    const page = textOf("docs/how-to/alerts.md");
    const anchors = [...page.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
    for (const { alert, labels, annotations } of rules) {
      assert.match(labels["severity"] ?? "", /^(critical|warning|info)$/, alert);
      assert.ok((annotations["summary"] ?? "").length > 10, alert);
      assert.ok((annotations["description"] ?? "").length > 20, alert);
      const [file, anchor = ""] = (annotations["runbook_url"] ?? "").split("#");
      assert.equal(file, "docs/how-to/alerts.md", alert);
      assert.ok(anchors.includes(anchor), `${alert}: there is no section ${anchor}`);
      assert.match(page, new RegExp(`^\`${alert}\``, "m"));
    }
    assert.equal(anchors.length, rules.length, "a section without an alert");
  });

  test("are each tested, and so is that none fires while all is well", () => {
    const { tests } = parse(textOf("deploy/monitoring/alerts.test.yaml")) as { tests: { name: string }[] };
    assert.deepEqual(
      // A name may go on with the situation.
      [...new Set(tests.map(({ name }) => name.replace(/, .*/, "")))].toSorted(),
      [...rules.map(({ alert }) => alert), "all is well"].toSorted(),
    );
  });

  test("fire in the situations that they are for", { skip: promtool.missing }, () => {
    for (const args of [
      ["check", "rules", "alerts.yaml"],
      ["test", "rules", "alerts.test.yaml"],
    ]) {
      const { status, stdout, stderr } = spawnSync("promtool", args, { cwd: folder, encoding: "utf8" });
      assert.equal(status, 0, `${stdout}${stderr}`);
    }
  });
});

/** The names of series, with their labels. */
async function knownMetrics(): Promise<ReadonlyMap<string, readonly string[]>> {
  const known = new Map<string, readonly string[]>([["up", []]]);
  // Those of the Node process are in a scrape of any process.
  for (const [, name = ""] of (await new Metrics().text()).matchAll(/^# TYPE (\w+)/gm)) known.set(name, []);
  for (const [name, { type, labels = {} }] of Object.entries(metricDefinitions)) {
    const named = Object.keys(labels);
    known.set(name, named);
    if (type !== "histogram") continue;
    known.set(`${name}_bucket`, [...named, "le"]);
    for (const suffix of ["sum", "count"]) known.set(`${name}_${suffix}`, named);
  }
  return known;
}

function assertKnown(expr: string, known: ReadonlyMap<string, readonly string[]>, where: string): void {
  const series = [...expr.matchAll(/\b(querent_\w+|up)\b(?:\{([^}]*)\})?/g)];
  assert.ok(series.length > 0, where);
  for (const [, name = "", selector = ""] of series) {
    const labels = known.get(name);
    assert.ok(labels !== undefined, `${where}: there is no metric ${name}`);
    for (const [, label = ""] of selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g))
      assert.ok(["job", "instance", ...labels].includes(label), `${where}: ${name} has no label ${label}`);
  }
}

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, "")
    .replaceAll(" ", "-");
