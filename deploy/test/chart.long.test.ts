/** The chart, rendered by Helm: valid for Kubernetes, KEDA and the Prometheus operator, and locked down. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { parseAllDocuments } from "yaml";
import { findHelm } from "./helm.ts";
import { validateObject, type KubernetesObject, type Pod } from "./validate-object.ts";

const chart = join(import.meta.dirname, "../helm/querent");
const helm = findHelm();
const skip = "why" in helm ? helm.why : false;

function run(...words: readonly string[]) {
  assert.ok("path" in helm);
  const { status, stdout, stderr } = spawnSync(helm.path, words, { encoding: "utf8" });
  return { status, stdout, stderr };
}

function render(...words: readonly string[]): KubernetesObject[] {
  const { status, stdout, stderr } = run("template", "first", chart, "--namespace", "querent", ...words);
  assert.equal(status, 0, stderr);
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null);
}

const example = (name: string) => ["--values", join(chart, "examples", name)];
const named = (objects: readonly KubernetesObject[]) => objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
const podsOf = (objects: readonly KubernetesObject[]) =>
  objects.flatMap(({ spec }) => (spec?.template === undefined ? [] : [spec.template as Pod]));

suite("the chart", { skip }, () => {
  test("it passes helm lint, with its own values and with the examples", () => {
    for (const words of [
      [],
      example("autoscaling.yaml"),
      [...example("cloudnativepg-values.yaml"), ...example("s3.yaml")],
    ])
      assert.equal(run("lint", "--strict", chart, ...words).status, 0);
  });

  test("everything that it renders is valid", () => {
    const all = [
      render(),
      render(...example("autoscaling.yaml")),
      render(...example("cloudnativepg-values.yaml"), ...example("s3.yaml")),
      render(
        "--set",
        "api.enabled=false,pageWorker.enabled=false,migrations.enabled=false,networkPolicy.enabled=false",
      ),
    ];
    for (const object of all.flat())
      assert.deepEqual(validateObject(object), [], `${object.kind} ${object.metadata.name}`);
  });

  test("it has the four components, with a budget for those with several replicas", () => {
    assert.deepEqual(named(render()).toSorted(), [
      "Deployment first-querent-api",
      "Deployment first-querent-notifier",
      "Deployment first-querent-page-worker",
      "Deployment first-querent-worker",
      "Job first-querent-migrate",
      "NetworkPolicy first-querent",
      "PersistentVolumeClaim first-querent-data",
      "PodDisruptionBudget first-querent-api",
      "PodDisruptionBudget first-querent-notifier",
      "PodDisruptionBudget first-querent-worker",
      "Service first-querent",
    ]);
  });

  test("with autoscaling, KEDA alone decides how many workers there are", () => {
    const objects = render(...example("autoscaling.yaml"));
    const scaled = objects.filter(({ kind }) => kind === "ScaledObject");
    assert.equal(scaled.length, 2);
    for (const { spec } of scaled) {
      const target = (spec?.["scaleTargetRef"] as { name: string } | undefined)?.name;
      const deployment = objects.find(({ kind, metadata }) => kind === "Deployment" && metadata.name === target);
      assert.ok(deployment !== undefined);
      assert.equal(deployment.spec?.["replicas"], undefined, "a number here would be restored by each upgrade");
    }
  });

  test("with a bucket, no pod needs a volume that several nodes can mount", () => {
    const text = JSON.stringify(render(...example("s3.yaml")));
    assert.doesNotMatch(text, /[pP]ersistentVolumeClaim/);
    assert.match(text, /QUERENT_ARTIFACTS_S3_SECRET_ACCESS_KEY/);
  });

  test("every container is locked down, and no secret is in a manifest", () => {
    const pods = podsOf(render());
    assert.equal(pods.length, 5);
    for (const { spec } of pods) {
      assert.equal(spec.automountServiceAccountToken, false);
      assert.equal(spec.securityContext?.runAsNonRoot, true);
      assert.deepEqual(spec.securityContext?.seccompProfile, { type: "RuntimeDefault" });
      for (const { securityContext, resources, env = [] } of spec.containers) {
        assert.equal(securityContext?.readOnlyRootFilesystem, true);
        assert.equal(securityContext?.allowPrivilegeEscalation, false);
        assert.deepEqual(securityContext?.capabilities, { drop: ["ALL"] });
        assert.ok(resources?.limits?.["memory"] !== undefined);
        for (const { name, value } of env)
          if (/KEY|TOKEN|DATABASE_URL/.test(name)) assert.equal(value, undefined, `${name} comes from a Secret`);
      }
    }
  });

  test("every process is probed on its management port, and has time to drain", () => {
    for (const { spec } of podsOf(render()).filter(
      ({ spec: { containers } }) => containers[0]?.args?.[0] === "serve",
    )) {
      const [container] = spec.containers;
      assert.deepEqual(container?.livenessProbe?.httpGet, { path: "/healthz", port: "management" });
      assert.deepEqual(container?.readinessProbe?.httpGet, { path: "/readyz", port: "management" });
      assert.deepEqual(container?.startupProbe?.httpGet, { path: "/startupz", port: "management" });
      const drain = Number(container?.env?.find(({ name }) => name === "QUERENT_DRAIN_SECONDS")?.value);
      assert.ok((spec.terminationGracePeriodSeconds ?? 0) > drain + 30, "what a stop takes beside the drain");
    }
  });

  test("a value of a wrong type, and a misspelled one, are errors", () => {
    for (const wrong of ["api.replicas=two", "workr.replicas=2", "publicUrl=example.com"]) {
      const { status, stderr } = run("template", chart, "--set", wrong);
      assert.equal(status, 1, wrong);
      assert.match(stderr, /values don't meet the specifications of the schema/);
    }
  });

  test("the chart installs the version of the service", () => {
    const { version } = JSON.parse(readFileSync(join(chart, "../../../service/package.json"), "utf8")) as {
      version: string;
    };
    const { stdout } = run("show", "chart", chart);
    assert.match(stdout, new RegExp(`^appVersion: "?${version}"?$`, "m"));
  });
});
