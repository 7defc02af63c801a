/** Projects over HTTP: what stands in them, how it is moved, and that what one has is in nothing of another. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import {
  projectScopes,
  type AuditPage,
  type CreatedInvitation,
  type EntityChanges,
  type EntityMentions,
  type EntityPage,
  type EntityRecord,
  type IssuedToken,
  type LoginState,
  type MemberList,
  type MemberRecord,
  type MovedToProject,
  type PanelFigures,
  type PanelPage,
  type PanelPrices,
  type PanelRecord,
  type ProjectList,
  type ProjectRecord,
} from "@querent/contract";
import { readZip } from "../../../evidence/src/read-zip.ts";
import { newId } from "../../src/kernel/ids.ts";
import { invalidAt, refused, startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { panel, runPanel } from "../insight/fixture.ts";
import { joinAs } from "../people/browser.ts";
import { createBrand, createPanelIn, createProject, personAs, tokenWith } from "./fixture.ts";

suite("projects", async () => {
  const service = await startTestService();
  after(() => service.stop());

  const list = async (account: TestAccount) => (await account.get<ProjectList>("/v1/projects")).body.projects;
  const move = (account: TestAccount, projectId: string, body: object) =>
    account.call<MovedToProject>("POST", `/v1/projects/${projectId}/contents`, { body });
  const observed = async (account: TestAccount, panelId: string) => {
    const { runId, taskCount } = (await runPanel(account, panelId)).body;
    await until("every answer is observed", async () => {
      const { rows } = await service.database.query<{ count: number }>(
        "select count(*)::int as count from observations where account_id = $1 and run_id = $2",
        [account.accountId, runId],
      );
      return rows[0]?.count === taskCount;
    });
  };

  test("an account that never heard of them has one, in which everything stands", async () => {
    const account = await service.account();
    const { entityId } = (await account.call<EntityRecord>("POST", "/v1/entities", { body: { name: "Acme" } })).body;
    const made = await account.call<PanelRecord>("POST", "/v1/panels", { body: panel({ brands: { own: ["Acme"] } }) });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(made.body.brands, { own: [{ entityId, name: "Acme" }], competitors: [] });
    assert.equal(made.body.projectId, account.accountId);
    assert.deepEqual(await list(account), [
      {
        projectId: account.accountId,
        name: "default",
        isDefault: true,
        panelCount: 1,
        entityCount: 1,
        archivedAt: null,
      },
    ]);
    refused(await account.call("DELETE", `/v1/projects/${account.accountId}`), "state_conflict");
    const archived = { name: "default", archived: true };
    refused(await account.call("PUT", `/v1/projects/${account.accountId}`, { body: archived }), "state_conflict");
  });

  test("a project is created, renamed, archived, restored, and deleted once it is empty", async () => {
    const account = await service.account();
    const { projectId } = await createProject(account, "  Acme  ");
    for (const name of ["Acme", "default"])
      refused(await account.call("POST", "/v1/projects", { body: { name } }), "state_conflict");
    const put = (body: object) => account.call<ProjectRecord>("PUT", `/v1/projects/${projectId}`, { body });
    refused(await put({ name: "default" }), "state_conflict");
    assert.equal((await put({ name: "Acme Mills" })).body.name, "Acme Mills");
    const main = { name: "House" };
    assert.equal((await account.call("PUT", `/v1/projects/${account.accountId}`, { body: main })).status, 200);
    assert.deepEqual(
      (await list(account)).map(({ name, isDefault }) => [name, isDefault]),
      [
        ["House", true],
        ["Acme Mills", false],
      ],
    );
    const schedule = { cron: "0 6 * * MON", timeZone: "UTC" };
    const { panelId } = await createPanelIn(account, "Acme Mills", { schedule });
    const archived = await put({ name: "Acme Mills", archived: true });
    assert.notEqual(archived.body.archivedAt, null);
    const paused = (await account.get<PanelRecord>(`/v1/panels/${panelId}`)).body;
    assert.deepEqual([paused.schedule?.paused, paused.nextRunAt], [true, null], "a client who left costs nothing");
    const more = await account.call("POST", `/v1/panels?project=${projectId}`, { body: panel() });
    assert.match(refused(more, "state_conflict").detail, /archived/);
    const brand = await account.call("POST", `/v1/entities?project=${projectId}`, { body: { name: "New" } });
    assert.match(refused(brand, "state_conflict").detail, /archived/);
    assert.equal((await put({ name: "Acme Mills" })).body.archivedAt, archived.body.archivedAt, "left out: as before");
    assert.equal((await put({ name: "Acme Mills", archived: false })).body.archivedAt, null);
    assert.match(
      refused(await account.call("DELETE", `/v1/projects/${projectId}`), "state_conflict").detail,
      /1 panels and 0 brands/,
    );
    assert.equal((await account.call("DELETE", `/v1/panels/${panelId}`)).status, 204);
    assert.equal((await account.call("DELETE", `/v1/projects/${projectId}`)).status, 204);
    refused(await account.call("DELETE", `/v1/projects/${projectId}`), "not_found");
  });

  test("hostile names and ids are refused", async () => {
    const account = await service.account();
    for (const name of [" ", "a\nb", "\u{0}", "x".repeat(101), 1, null])
      refused(await account.call("POST", "/v1/projects", { body: { name } }), "validation_failed");
    for (const project of [newId(), "nobody's", "' or true --"]) {
      const query = `project=${encodeURIComponent(project)}`;
      refused(await account.get(`/v1/panels?${query}`), "not_found");
      refused(await account.get(`/v1/entities?${query}`), "not_found");
      refused(await account.call("POST", `/v1/panels?${query}`, { body: panel() }), "not_found");
    }
    refused(await account.get(`/v1/panels?project=${"x".repeat(101)}`), "validation_failed");
    const { projectId } = await createProject(await service.account(), "Foreign");
    refused(await move(account, projectId, { panelIds: [] }), "not_found");
    refused(await account.call("PUT", `/v1/projects/${projectId}`, { body: { name: "Mine" } }), "not_found");
    refused(await account.get(`/v1/panels?project=${projectId}`), "not_found");
    const own = await createProject(account, "Own");
    for (const body of [{ panelIds: [newId()] }, { entityIds: [newId()] }])
      refused(await move(account, own.projectId, body), "not_found");
    refused(await move(account, own.projectId, { panelIds: Array.from({ length: 101 }, newId) }), "validation_failed");
  });

  test("brands of one name stand in several projects, and a panel has those of its own", async () => {
    const account = await service.account();
    const [acme, globex] = [await createProject(account, "Acme"), await createProject(account, "Globex")];
    const ids = new Map<string, string>();
    for (const project of [account.accountId, acme.projectId, globex.projectId])
      ids.set(project, (await createBrand(account, project, "Umbrella", "competitor")).entityId);
    const again = { body: { name: "Umbrella" } };
    refused(await account.call("POST", `/v1/entities?project=${acme.projectId}`, again), "state_conflict");
    const { brands, projectId } = await createPanelIn(account, "Acme", { brands: { competitors: ["Umbrella"] } });
    assert.deepEqual(
      [projectId, brands?.competitors],
      [acme.projectId, [{ entityId: ids.get(acme.projectId), name: "Umbrella" }]],
    );
    const errorsOf = async (brand: string) =>
      refused(
        await account.call("POST", "/v1/panels?project=Acme", { body: panel({ brands: { own: [brand] } }) }),
        "validation_failed",
      ).errors;
    await createBrand(account, globex.projectId, "Globex");
    const unknown = await errorsOf("Nobody Ltd");
    assert.deepEqual(await errorsOf("Globex"), unknown, "a brand of another project is as one that nobody has");
    assert.deepEqual(await errorsOf(ids.get(globex.projectId) ?? ""), unknown);
    const put = await account.call<EntityChanges>("PUT", "/v1/entities?project=Globex", {
      body: [{ name: "Umbrella", relation: "competitor" }, { name: "Initech" }],
    });
    assert.deepEqual(put.body, { created: 1, updated: 0, unchanged: 1 });
    const named = async (query: string) =>
      (await account.get<EntityPage>(`/v1/entities${query}`)).body.entities.map(({ name }) => name).toSorted();
    assert.deepEqual(await named("?project=Globex"), ["Globex", "Initech", "Umbrella"]);
    assert.deepEqual(await named("?project=default"), ["Umbrella"]);
    assert.equal((await named("")).length, 5, "without a project, those of the whole account");
    const open = await createPanelIn(account, "Globex");
    assert.deepEqual(
      open.brands?.competitors.map(({ entityId }) => entityId),
      [ids.get(globex.projectId)],
    );
    const renamed = await account.call<EntityRecord>("PUT", `/v1/entities/${ids.get(globex.projectId)}`, {
      body: { name: "Initech" },
    });
    refused(renamed, "state_conflict");
  });

  test("a panel moves with its brands and all that belongs to it, and not without a brand that others have", async () => {
    const account = await service.account();
    const project = await createProject(account, "Acme");
    const own = await createBrand(account, account.accountId, "Acme");
    const shared = await createBrand(account, account.accountId, "Umbrella", "competitor");
    const loose = await createBrand(account, account.accountId, "Loose", "other");
    const brands = { own: ["Acme"], competitors: ["Umbrella"] };
    const one = await createPanelIn(account, account.accountId, { name: "One", brands });
    const two = await createPanelIn(account, account.accountId, { name: "Two", brands: { competitors: ["Umbrella"] } });
    await observed(account, one.panelId);
    const link = await account.call("POST", `/v1/panels/${one.panelId}/report/shares`, { body: {} });
    assert.equal(link.status, 201, link.text);
    const body = { panelIds: [one.panelId] };
    assert.match(
      refused(await move(account, project.projectId, body), "state_conflict").detail,
      /Umbrella \(panel Two\)/,
    );
    assert.equal((await account.get<PanelRecord>(`/v1/panels/${one.panelId}`)).body.projectId, account.accountId);
    const both = { panelIds: [one.panelId, two.panelId], entityIds: [loose.entityId] };
    const moved = await move(account, project.projectId, both);
    assert.deepEqual(
      [moved.body.panelIds.toSorted(), moved.body.entityIds.toSorted()],
      [both.panelIds.toSorted(), [own, shared, loose].map(({ entityId }) => entityId).toSorted()],
    );
    assert.deepEqual((await move(account, project.projectId, both)).body, { panelIds: [], entityIds: [] });
    const there = (await account.get<PanelRecord>(`/v1/panels/${one.panelId}`)).body;
    assert.deepEqual([there.projectId, there.digest, there.brands], [project.projectId, one.digest, one.brands]);
    const shares = await account.get<{ shares: object[] }>(`/v1/panels/${one.panelId}/report/shares`);
    assert.equal(shares.body.shares.length, 1);
    const figures = await account.get<PanelFigures>(`/v1/panels/${one.panelId}/figures?measure=mention_share`);
    assert.ok(figures.body.rows.length > 0, "its figures go along");
    await createBrand(account, account.accountId, "Acme");
    const back = await move(account, account.accountId, both);
    assert.match(refused(back, "state_conflict").detail, /two brands of the same name: Acme/);
    const entries = (await account.get<AuditPage>("/v1/audit?operation=moveToProject")).body.entries;
    assert.deepEqual(entries[0]?.target, { type: "project", id: project.projectId });
    assert.ok(entries.some(({ after: settings }) => JSON.stringify(settings).includes(one.panelId)));
  });

  test("what one project has changes no figure of another, and is in no report, table or search of it", async () => {
    const account = await service.account();
    const [acme, globex] = [await createProject(account, "Acme"), await createProject(account, "Globex")];
    const own = await createBrand(account, acme.projectId, "Acme Mills");
    // It begins with the other's brand: within one project, it would take its mentions.
    const longer = await createBrand(account, globex.projectId, "Acme Mills Deluxe");
    const same = await createBrand(account, globex.projectId, "Initech Labs");
    const prompts = [
      { text: "Which? brands=Acme_Mills_Deluxe:1@1,Initech_Labs:1@2 products=Initech_Labs:1", promptId: "p" },
    ];
    const { panelId } = await createPanelIn(account, "Acme", { prompts, brands: { own: [own.entityId] } });
    await observed(account, panelId);
    const { rows } = await service.database.query<{ mentions: { entityId?: string }[] }>(
      "select mentions::text from observations where panel_id = $1",
      [panelId],
    );
    assert.ok(JSON.stringify(rows).includes(own.entityId));
    assert.ok(JSON.stringify(rows).includes(same.entityId), "the answers name the brand of the other project");
    const client = await personAs(service, account, "client", [acme.projectId]);
    const editor = await personAs(service, account, "editor", [acme.projectId]);
    const to = encodeURIComponent(new Date(Date.now() + 3_600_000).toISOString());
    for (const path of [
      "",
      "/figures",
      `/figures?to=${to}`,
      `/searches?to=${to}`,
      `/prices?to=${to}`,
      `/pairs?to=${to}&all=true`,
      "/changes",
      `/report?to=${to}`,
      `/report?format=html&to=${to}`,
    ])
      for (const caller of [client, editor]) {
        const { status, text } = await caller.call("GET", `/v1/panels/${panelId}${path}`);
        assert.equal(status, 200, text);
        for (const secret of [longer.entityId, same.entityId, globex.projectId, "Globex"])
          assert.ok(!text.includes(secret), `${secret} in ${path}`);
      }
    const share = await account.get<PanelFigures>(`/v1/panels/${panelId}/figures?measure=presence&to=${to}`);
    assert.equal(share.body.rows[0]?.thesePrompts.value, 1, share.text);
    const prices = await account.get<PanelPrices>(`/v1/panels/${panelId}/prices?to=${to}`);
    assert.ok(prices.body.series.length > 0, prices.text);
    refused(await client.call("GET", `/v1/panels/${panelId}/report?format=zip&to=${to}`), "scope_missing");
    const zip = await fetch(`${service.address}/v1/panels/${panelId}/report?format=zip&to=${to}`, {
      headers: { authorization: `Bearer ${account.token}` },
    });
    const { files } = readZip(new Uint8Array(await zip.arrayBuffer()));
    const all = [...files.values()].map((bytes) => Buffer.from(bytes).toString()).join("\n");
    assert.ok(all.includes(own.entityId));
    assert.ok(!all.includes(same.entityId) && !all.includes(longer.entityId));
    const tried = await editor.call("POST", "/v1/entities/try", {
      body: { text: "Acme Mills Deluxe and Initech Labs" },
    });
    assert.deepEqual(
      (tried.body as EntityMentions).mentions.map(({ entityId, start, end }) => [entityId, start, end]),
      [[own.entityId, 0, 10]],
    );
  });

  test("a limited access creates where it is, and names the project if there are several", async () => {
    const account = await service.account();
    const [acme, globex] = [await createProject(account, "Acme"), await createProject(account, "Globex")];
    const one = await tokenWith(service, account, projectScopes, [acme.projectId]);
    const made = (await one.call("POST", "/v1/entities", { body: { name: "Acme" } })) as { body: EntityRecord };
    assert.equal(made.body.projectId, acme.projectId);
    const two = await tokenWith(service, account, projectScopes, [acme.projectId, globex.projectId]);
    invalidAt(await two.call("POST", "/v1/entities", { body: { name: "New" } }), { "?project": "required" });
    const there = await two.call("POST", "/v1/panels?project=Globex", { body: panel() });
    assert.equal((there.body as PanelRecord).projectId, globex.projectId);
    const listed = async (query: string) => {
      const { body } = await two.call("GET", `/v1/panels${query}`);
      return (body as PanelPage).panels.length;
    };
    assert.deepEqual([await listed(""), await listed("?project=Acme"), await listed("?project=Globex")], [1, 0, 1]);
    assert.deepEqual(
      ((await one.call("GET", "/v1/projects")).body as ProjectList).projects.map(({ name }) => name),
      ["Acme"],
    );
    for (const [method, path] of [
      ["POST", "/v1/projects"],
      ["PUT", `/v1/projects/${acme.projectId}`],
      ["DELETE", `/v1/projects/${acme.projectId}`],
      ["POST", `/v1/projects/${acme.projectId}/contents`],
    ] as const)
      refused(await two.call(method, path, { body: { name: "x" } }), "scope_missing");
  });

  test("a client is invited to projects, keeps to them, and loses them at once", async () => {
    const account = await service.account();
    const [acme, globex] = [await createProject(account, "Acme"), await createProject(account, "Globex")];
    const ofAcme = await createPanelIn(account, "Acme");
    const owner = await joinAs(service, account.accountId, "owner");
    const invite = (body: object) => owner.call<CreatedInvitation>("POST", "/v1/invitations", { body });
    const email = "client@example.com";
    invalidAt(await invite({ email, role: "client" }), { "/projects": "not_allowed" });
    invalidAt(await invite({ email, role: "owner", projects: [acme.projectId] }), { "/projects": "not_allowed" });
    invalidAt(await invite({ email, role: "admin", projects: [acme.projectId] }), { "/projects": "not_allowed" });
    invalidAt(await invite({ email, role: "client", projects: [acme.projectId, newId()] }), {
      "/projects/1": "not_allowed",
    });
    const { projectId: foreign } = await createProject(await service.account(), "Foreign");
    invalidAt(await invite({ email, role: "client", projects: [foreign] }), { "/projects/0": "not_allowed" });
    const invited = await invite({ email, role: "client", projects: [acme.projectId] });
    assert.deepEqual(invited.body.record.projects, [{ projectId: acme.projectId, name: "Acme" }]);

    const client = await joinAs(service, account.accountId, "client", { projects: [acme.projectId] });
    const { body: state } = await client.call<LoginState>("GET", "/v1/login");
    assert.deepEqual(
      [state.role, state.scopes, state.projects],
      ["client", ["reports:read"], [{ projectId: acme.projectId, name: "Acme" }]],
    );
    assert.equal((await client.call("GET", `/v1/panels/${ofAcme.panelId}`)).status, 200);
    const member = `/v1/members/${client.state.memberId}`;
    const put = (body: object) => owner.call<MemberRecord>("PUT", member, { body });
    assert.equal((await put({ role: "client" })).body.projects?.length, 1, "left out: as before");
    assert.equal((await client.call("GET", "/v1/login")).status, 200, "and the login goes on");
    invalidAt(await put({ role: "client", projects: null }), { "/projects": "not_allowed" });
    assert.deepEqual((await put({ role: "client", projects: [globex.projectId] })).body.projects, [
      { projectId: globex.projectId, name: "Globex" },
    ]);
    refused(await client.call("GET", "/v1/login"), "unauthorized");
    assert.equal((await put({ role: "viewer" })).body.projects?.length, 1, "another role does not widen it");
    assert.equal((await put({ role: "viewer", projects: null })).body.projects, null);
    invalidAt(await put({ role: "client" }), { "/projects": "not_allowed" });
    await put({ role: "viewer", projects: [globex.projectId] });
    assert.equal((await put({ role: "admin" })).body.projects, null, "an admin is one of the whole account");
    const members = (await owner.call<MemberList>("GET", "/v1/members")).body.members;
    assert.deepEqual(
      members.map(({ projects }) => projects),
      [null, null],
    );
    const entries = (await account.get<AuditPage>("/v1/audit?operation=setMemberRole")).body.entries;
    assert.ok(entries.some(({ after: settings }) => JSON.stringify(settings).includes(globex.projectId)));
  });

  test("what a panel's project loses, a limited access loses at once; a deleted project is access to nothing", async () => {
    const account = await service.account();
    const [acme, globex] = [await createProject(account, "Acme"), await createProject(account, "Globex")];
    const { panelId } = await createPanelIn(account, "Acme");
    const client = await personAs(service, account, "client", [acme.projectId]);
    assert.equal((await client.call("GET", `/v1/panels/${panelId}/figures`)).status, 200);
    assert.equal((await move(account, globex.projectId, { panelIds: [panelId] })).status, 200);
    refused(await client.call("GET", `/v1/panels/${panelId}/figures`), "not_found");
    assert.equal((await account.call("DELETE", `/v1/projects/${acme.projectId}`)).status, 204);
    assert.deepEqual((await client.call("GET", "/v1/projects")).body, { projects: [] });
    assert.deepEqual((await client.call("GET", "/v1/panels")).body, { panels: [], nextCursor: null });
    assert.deepEqual(((await client.call("GET", "/v1/login")).body as LoginState).projects, []);
  });

  test("a token is issued for projects, with no scope that is about the whole account", async () => {
    const account = await service.account();
    const { projectId } = await createProject(account, "Acme");
    const issue = (more: object) => account.call<IssuedToken>("POST", "/v1/tokens", { body: { name: "t", ...more } });
    invalidAt(await issue({ scopes: ["tasks:write", "panels:read"], projects: [projectId] }), {
      "/scopes": "not_allowed",
    });
    invalidAt(await issue({ scopes: ["panels:read"], projects: [newId()] }), { "/projects/0": "not_allowed" });
    refused(await issue({ scopes: ["panels:read"], projects: [] }), "validation_failed");
    const { token, record } = (await issue({ scopes: ["panels:read"], projects: [projectId] })).body;
    assert.deepEqual(record.projects, [{ projectId, name: "Acme" }]);
    const as = service.as(account.accountId, token);
    assert.equal((await as.get<PanelPage>("/v1/panels")).status, 200);
    refused(await as.get("/v1/caps"), "scope_missing");
    refused(await as.get("/v1/tasks"), "scope_missing");
    assert.equal((await issue({ scopes: ["panels:read"] })).body.record.projects, null);
  });
});
