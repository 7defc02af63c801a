/** The chart, rendered by Helm: valid for Kubernetes, KEDA and the Prometheus operator, and locked down. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { parse, parseAllDocuments } from "yaml";
import { temporaryFolder } from "../../service/test/harness/process.ts";
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
  const everything = { ingress: { enabled: true }, autoscaling: { enabled: true }, podMonitor: { enabled: true } };
  /** Renders with a file of values, or returns the sentences of the refusal. */
  const attempt = (values: unknown): KubernetesObject[] | string => {
    using folder = temporaryFolder();
    const [all, own] = [join(folder.path, "all.yaml"), join(folder.path, "own.yaml")];
    writeFileSync(all, JSON.stringify(everything));
    writeFileSync(own, typeof values === "string" ? values : JSON.stringify(values));
    const { status, stdout, stderr } = run("template", "first", chart, "--values", all, "--values", own);
    if (status !== 0) return stderr;
    return parseAllDocuments(stdout).flatMap((document) => (document.toJS() as KubernetesObject | null) ?? []);
  };
  const variablesOf = (objects: readonly KubernetesObject[] | string, name: string) => {
    assert.ok(typeof objects !== "string", JSON.stringify(objects));
    const containers = podsOf(objects).flatMap(({ spec }) => spec.containers);
    return new Set(
      containers.flatMap(({ env = [] }) => env.filter((each) => each.name === name).map(({ value }) => value)),
    );
  };

  test("it passes helm lint, with its own values and with the examples", () => {
    for (const words of [
      [],
      example("autoscaling.yaml"),
      [...example("cloudnativepg-values.yaml"), ...example("s3.yaml")],
      example("s3-role.yaml"),
    ])
      assert.equal(run("lint", "--strict", chart, ...words).status, 0);
  });

  test("everything that it renders is valid", () => {
    const all = [
      render(),
      render(...example("autoscaling.yaml")),
      render(...example("cloudnativepg-values.yaml"), ...example("s3.yaml")),
      render(...example("s3-role.yaml")),
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

  test("by the role of a service account, no pod has a key of the bucket", () => {
    const objects = render(...example("s3-role.yaml"));
    assert.doesNotMatch(JSON.stringify(objects), /ACCESS_KEY/);
    const account = objects.find(({ kind }) => kind === "ServiceAccount");
    assert.equal(
      account?.metadata.annotations?.["eks.amazonaws.com/role-arn"],
      "arn:aws:iam::123456789012:role/querent",
    );
    for (const { metadata, spec } of objects) {
      const pod = spec?.template as Pod | undefined;
      if (pod === undefined) continue;
      // The migrations run before the service account is there, and need no bucket.
      const expected: string | undefined = metadata.name.endsWith("-migrate") ? undefined : account?.metadata.name;
      assert.equal(pod.spec.serviceAccountName, expected, metadata.name);
    }
  });

  test("with an authority of the database, each process and the migrations verify its certificate", () => {
    for (const { spec } of podsOf(render(...example("cloudnativepg-values.yaml")))) {
      const [container] = spec.containers;
      const file = container?.env?.find(({ name }) => name === "QUERENT_DATABASE_CA")?.value ?? "";
      const mount = container?.volumeMounts?.find(({ mountPath }) => file.startsWith(`${mountPath}/`));
      const volume = spec.volumes?.find(({ name }) => name === mount?.name);
      assert.deepEqual(volume?.secret, { secretName: "querent-db-ca", items: [{ key: "ca.crt", path: "ca.crt" }] });
    }
  });

  test("the API is scaled by its processors alone, and knows its proxies", () => {
    const objects = render(...example("autoscaling.yaml"));
    const scaler = objects.find(({ kind }) => kind === "HorizontalPodAutoscaler");
    const target = (scaler?.spec?.["scaleTargetRef"] as { name: string } | undefined)?.name;
    const api = objects.find(({ kind, metadata }) => kind === "Deployment" && metadata.name === target);
    assert.ok(api !== undefined && api.spec?.["replicas"] === undefined);
    assert.deepEqual(variablesOf(objects, "QUERENT_TRUSTED_PROXIES"), new Set(["10.42.0.0/16"]));
  });

  test("objects of one's own are installed with it, and may come before the migrations", () => {
    const objects = attempt({
      extraObjects: [
        {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { name: "own", annotations: { "helm.sh/hook": "pre-install", "helm.sh/hook-weight": "-10" } },
          data: { text: "{{ not a template }}" },
        },
      ],
      api: { priorityClassName: "high" },
      service: { annotations: { "a/b": 3 } },
    });
    assert.ok(typeof objects !== "string", JSON.stringify(objects));
    for (const object of objects) assert.deepEqual(validateObject(object), [], object.kind);
    assert.match(JSON.stringify(objects), /\{\{ not a template \}\}/);
    assert.match(JSON.stringify(objects), /"priorityClassName":"high"/);
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

  test("numbers and booleans are text where Kubernetes takes text only, in whatever way YAML writes them", () => {
    for (const [written, text] of [
      ["30", "30"],
      ["true", "true"],
      ["10000000", "10000000"],
      ["0.25", "0.25"],
      ["0", "0"],
      ["false", "false"],
      ['"0030"', "0030"],
      ['"yes"', "yes"],
      ['"{{ x }} \\"# é"', '{{ x }} "# é'],
      ['""', ""],
    ] as const) {
      const own = `api: { env: [{ name: OWN, value: ${written} }], podAnnotations: { a/b: ${written} }, tolerations: [{ key: k, value: ${written} }] }`;
      const objects = attempt(
        `env: [{ name: EVERY, value: ${written} }]\ningress: { annotations: { a/b: ${written} } }\n${own}`,
      );
      assert.deepEqual(variablesOf(objects, "EVERY"), new Set([text]), written);
      assert.deepEqual(variablesOf(objects, "OWN"), new Set([text]), written);
      assert.ok(typeof objects !== "string");
      for (const object of objects) assert.deepEqual(validateObject(object), [], written);
      const ingress = objects.find(({ kind }) => kind === "Ingress");
      assert.equal(ingress?.metadata.annotations?.["a/b"], text);
    }
    const labelled = attempt(
      "api: { nodeSelector: { spot: true, zone: 3 }, resources: { requests: { cpu: 2, memory: 1073741824 } } }\npodMonitor: { labels: { release: 7 } }",
    );
    assert.ok(typeof labelled !== "string", JSON.stringify(labelled));
    for (const object of labelled) assert.deepEqual(validateObject(object), []);
    assert.match(JSON.stringify(labelled), /"spot":"true","zone":"3"/);
    assert.match(JSON.stringify(labelled), /"cpu":"2","memory":"1073741824"/);
  });

  test("a release and a namespace whose names look like numbers are text", () => {
    const { status, stdout } = run("template", "123", chart, "--namespace", "456", "--set", "ingress.enabled=true");
    assert.equal(status, 0);
    for (const document of parseAllDocuments(stdout)) {
      const object = document.toJS() as KubernetesObject | null;
      if (object !== null) assert.deepEqual(validateObject(object), [], object.kind);
    }
  });

  test("what Kubernetes would refuse at the installation is refused before it, with a sentence that names the place", () => {
    for (const [values, place] of [
      ["secretName:", "secretName"],
      ["database: { secretKey: null }", "/database"],
      ["env: { A: b }", "/env"],
      ["env: [{ name: A, value: [1] }]", "/env/0/value"],
      ["env: [{ name: A, value: null }]", "/env/0/value"],
      ["env: [{ name: A, vaule: x }]", "vaule"],
      ["env: [{ name: A, value: 12345678901234567890 }]", "/env/0/value"],
      ["env: [{ name: A=B, value: x }]", "/env/0/name"],
      ["env: [{ value: x }]", "/env/0"],
      ["env: [{ name: A, value: x, valueFrom: { fieldRef: { fieldPath: p } } }]", "/env/0"],
      ["envFrom: [{ secretref: { name: a } }]", "/envFrom/0"],
      ["envFrom: [a]", "/envFrom/0"],
      ["api: { nodeSelector: [a] }", "/api/nodeSelector"],
      ["api: { nodeSelector: { a: { b: c } } }", "/api/nodeSelector/a"],
      ["api: { podAnnotations: { a: [b] } }", "/api/podAnnotations/a"],
      ["api: { resources: { requests: { cpu: yes } } }", "/api/resources/requests/cpu"],
      ["api: { resources: { memory: 1Gi } }", "/api/resources"],
      ["api: { resources: { requests: { memory: 1 GB } } }", "/api/resources/requests/memory"],
      ["api: { tolerations: { key: a } }", "/api/tolerations"],
      ["api: { affinity: { nodeAfinity: {} } }", "nodeAfinity"],
      ["api: { enabled: 'yes' }", "/api/enabled"],
      ["worker: { platforms: [api, web] }", "/worker/platforms"],
      ["worker: { platforms: null }", "platforms"],
      ["networkPolicy: { apiFrom: [{ nameSpaceSelector: {} }] }", "/networkPolicy/apiFrom/0"],
      ["podMonitor: { labels: { a: 'not a label!' } }", "/podMonitor/labels/a"],
      ["image: { pullSecrets: [regcred] }", "/image/pullSecrets/0"],
      ["image: { tag: 1.2 }", "/image/tag"],
      ["platforms: { openai: null }", "/platforms/openai"],
      ["platforms: [openai]", "/platforms"],
      ["artifacts: { volume: { size: '' } }", "/artifacts/volume/size"],
    ] as const) {
      const refusal = attempt(values);
      assert.ok(typeof refusal === "string", values);
      assert.match(refusal, /values don't meet the specifications of the schema/, values);
      assert.ok(refusal.includes(place), `${values}: ${refusal}`);
    }
  });

  test("any value of the chart, replaced by one of another kind, is refused or renders what Kubernetes takes", () => {
    const values = parse(readFileSync(join(chart, "values.yaml"), "utf8")) as Tree;
    for (const path of pathsOf(values))
      for (const replaced of [null, "", 7, ["a"], { a: "b" }]) {
        const objects = attempt(at(path, replaced));
        const what = `${path.join(".")}: ${JSON.stringify(replaced)}`;
        if (typeof objects === "string") {
          assert.match(objects, /values don't meet the specifications of the schema/, what);
          continue;
        }
        for (const object of objects) {
          assert.deepEqual(validateObject(object), [], what);
          assert.doesNotMatch(JSON.stringify(object), /:null[,}]/, what);
        }
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

interface Tree {
  readonly [name: string]: unknown;
}

/** The path of every map and every value in it. */
function pathsOf(tree: Tree, above: readonly string[] = []): string[][] {
  return Object.entries(tree).flatMap(([name, value]) => {
    const path = [...above, name];
    const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
    return [path, ...(isMap ? pathsOf(value as Tree, path) : [])];
  });
}

const at = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
