import { ForbiddenError, type CreatedInvitation, type MemberRecord } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { may, session } from "../../app/session.ts";
import { projects } from "../../app/projects.ts";
import { projectsMessages } from "../../i18n/projects.ts";
import { passkeyMessages } from "../../i18n/passkeys.ts";
import { peopleMessages } from "../../i18n/people.ts";
import { phrases } from "../../i18n/phrases.ts";
import { announce } from "../../ui/announcer.tsx";
import { ConfirmButtons } from "../../ui/confirm-buttons.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { TablePlace } from "../../ui/table-place.tsx";
import { Ago, number } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { useTitle } from "../../ui/use-title.ts";
import { chosenProjects, limitOf, ProjectChoice } from "../projects/project-choice.tsx";
import { InvitationForm, InvitationTable, NewInvitation, ShownLink } from "./invitations.tsx";
import { ConnectionsPart } from "./connections-part.tsx";
import * as css from "./people.module.css";

const refreshMs = 30_000;
const roles = ["owner", "admin", "editor", "viewer", "client"] as const satisfies readonly MemberRecord["role"][];

/** The people of the account: their roles, where they are signed in, and who is invited. */
export function MembersView() {
  const t = peopleMessages.value.members;
  useTitle(t.title);
  const members = useLive("members", (call) => querent.people.members(call), { everyMs: refreshMs });
  const invitations = useLive("invitations", (call) => querent.people.invitationList(call), { everyMs: refreshMs });
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<CreatedInvitation | null>(null);
  const mayManage = may("members:manage");
  return (
    <div class="view">
      <header class="view-head">
        <h1>{t.title}</h1>
        {mayManage && !making && made === null ? (
          <button type="button" class="button primary" onClick={() => setMaking(true)}>
            {t.invite}
          </button>
        ) : null}
      </header>
      <p class="quiet">{t.lead}</p>
      {members.failed instanceof ForbiddenError ? (
        <p class="note">{t.forbidden}</p>
      ) : (
        <>
          {mayManage ? null : <p class="note">{t.ownersOnly}</p>}
          {made !== null ? (
            <NewInvitation made={made} done={() => setMade(null)} />
          ) : making ? (
            <InvitationForm
              roles={roles}
              canMail={invitations.value?.mail.missing === null}
              cancel={() => setMaking(false)}
              created={(invitation) => {
                setMade(invitation);
                setMaking(false);
                invitations.refresh();
              }}
            />
          ) : null}
          {members.failed === null ? null : <FailureNote failed={members.failed} retry={members.refresh} />}
          {members.value === null ? null : (
            <MemberTable members={members.value} mayManage={mayManage} changed={members.refresh} />
          )}
          <FactorRule mayManage={mayManage} />
          <section class="stack" aria-label={t.invitations}>
            <h2>{t.invitations}</h2>
            {invitations.failed === null ? null : (
              <FailureNote failed={invitations.failed} retry={invitations.refresh} />
            )}
            {invitations.value === null ? null : (
              <InvitationTable
                invitations={invitations.value.invitations}
                mayManage={mayManage}
                changed={invitations.refresh}
              />
            )}
          </section>
          {may("access:manage") ? <ConnectionsPart of="account" /> : null}
        </>
      )}
    </div>
  );
}

/** Whether members need a second factor. */
function FactorRule({ mayManage }: { mayManage: boolean }) {
  const t = passkeyMessages.value.rule;
  const rule = useLive("second-factor-rule", (call) => querent.people.secondFactorRule(call), { everyMs: refreshMs });
  const { busy, failed, run } = useAttempt();
  const [asked, setAsked] = useState(false);
  const set = (required: boolean) =>
    run(async () => {
      await querent.people.requireSecondFactor(required);
      announce(t.changed);
      setAsked(false);
      rule.refresh();
    });
  return (
    <section class="stack" aria-label={t.title}>
      <h2>{t.title}</h2>
      {rule.failed === null ? null : <FailureNote failed={rule.failed} retry={rule.refresh} />}
      {failed === null ? null : <FailureNote failed={failed} />}
      {rule.value === null ? null : (
        <>
          <p class="quiet">{rule.value.required ? t.required : t.optional}</p>
          {!mayManage ? null : asked ? (
            <div class="actions">
              <ConfirmButtons
                yes={t.reallyRequire}
                confirm={() => set(true)}
                no={phrases.value.cancel}
                withdraw={() => setAsked(false)}
              />
            </div>
          ) : (
            <button
              type="button"
              class="button start"
              aria-disabled={busy}
              onClick={() => (rule.value?.required === true ? set(false) : setAsked(true))}
            >
              {rule.value.required ? t.lift : t.require}
            </button>
          )}
        </>
      )}
    </section>
  );
}

interface MemberTableProps {
  readonly members: readonly MemberRecord[];
  readonly mayManage: boolean;
  readonly changed: () => void;
}

type Asked = { readonly memberId: string; readonly what: "remove" | "sign-out" | "factor" | "passkeys" } | null;

function MemberTable({ members, mayManage, changed }: MemberTableProps) {
  const t = peopleMessages.value.members;
  const { busy, failed, run } = useAttempt();
  const [asked, setAsked] = useState<Asked>(null);
  const [limiting, setLimiting] = useState<Limiting | null>(null);
  const [reset, setReset] = useState<{ readonly name: string; readonly link: string } | null>(null);
  const limited = members.find(({ memberId }) => memberId === limiting?.memberId);
  const act = (work: () => Promise<unknown>, said: string) =>
    run(async () => {
      await work();
      announce(said);
      setAsked(null);
      changed();
    });
  return (
    <>
      {failed === null ? null : <FailureNote failed={failed} />}
      {reset === null ? null : (
        <ShownLink
          title={t.resetLink(reset.name)}
          lead={t.resetLinkLead}
          link={reset.link}
          done={() => setReset(null)}
        />
      )}
      {limiting === null || limited === undefined ? null : (
        <LimitForm
          key={`${limiting.memberId} ${limiting.role}`}
          member={limited}
          role={limiting.role}
          busy={busy}
          save={(chosen) =>
            act(async () => {
              await querent.people.setRole(limiting.memberId, limiting.role, { projects: chosen });
              setLimiting(null);
            }, t.roleChanged)
          }
          cancel={() => setLimiting(null)}
        />
      )}
      <TablePlace label={t.title}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{t.columns.name}</th>
              <th scope="col">{t.columns.role}</th>
              <th scope="col">{t.columns.factor}</th>
              <th scope="col">{t.columns.lastSignIn}</th>
              <th scope="col">{t.columns.logins}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {members.map((member) => (
              <tr key={member.memberId}>
                <th scope="row">
                  <span class={css.person}>
                    <bdi>{member.name}</bdi>
                    {session.value?.login?.memberId === member.memberId ? <span class="tag">{t.you}</span> : null}
                    <bdi class="quiet small">{member.email}</bdi>
                    {member.provider === null ? null : <span class="quiet small">{t.byGroups(member.provider)}</span>}
                  </span>
                </th>
                <td>
                  {mayManage ? (
                    <RoleChoice
                      member={member}
                      disabled={busy}
                      choose={(role) =>
                        // A client has projects, which are chosen first.
                        chosenProjects(role, idsOf(member)) === undefined
                          ? setLimiting({ memberId: member.memberId, role })
                          : act(() => querent.people.setRole(member.memberId, role), t.roleChanged)
                      }
                    />
                  ) : (
                    peopleMessages.value.roles[member.role].name
                  )}
                  {member.projects === null ? null : (
                    <bdi class={`quiet small ${css.projects}`}>
                      {member.projects.map(({ name }) => name).join(", ")}
                    </bdi>
                  )}
                  {mayManage && projects.value.length > 1 && limitOf(member.role) !== "never" ? (
                    <button
                      type="button"
                      class="button ghost"
                      aria-label={projectsMessages.value.projectsOf(member.name)}
                      onClick={() => setLimiting({ memberId: member.memberId, role: member.role })}
                    >
                      {projectsMessages.value.access}
                    </button>
                  ) : null}
                </td>
                <td class="quiet">{factorsOf(member)}</td>
                <td class="quiet nowrap">
                  {member.lastSignInAt === null ? t.never : <Ago at={member.lastSignInAt} />}
                </td>
                <td class="quiet nowrap">{t.browsers(number(member.logins))}</td>
                <td class="figure">
                  <MemberActions
                    member={member}
                    mayManage={mayManage}
                    asked={asked}
                    ask={setAsked}
                    act={act}
                    showLink={(link) => setReset({ name: member.name, link })}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablePlace>
      {mayManage ? <p class="quiet small">{t.tokensStay}</p> : null}
    </>
  );
}

/** What a member has besides a password. */
function factorsOf({ passkeys, secondFactor, hasPassword }: MemberRecord): string {
  const t = peopleMessages.value.members.factors;
  if (!hasPassword && passkeys === 0) return t.provider;
  const all = [...(passkeys > 0 ? [t.passkeys(number(passkeys))] : []), ...(secondFactor ? [t.codes] : [])];
  return all.length === 0 ? t.none : all.join(", ");
}

interface Limiting {
  readonly memberId: string;
  readonly role: MemberRecord["role"];
}

const idsOf = ({ projects: own }: MemberRecord) => own?.map(({ projectId }) => projectId) ?? null;

interface LimitFormProps {
  readonly member: MemberRecord;
  readonly role: MemberRecord["role"];
  readonly busy: boolean;
  readonly save: (projects: string[] | null) => void;
  readonly cancel: () => void;
}

/** Chooses the projects of a member. */
function LimitForm({ member, role, busy, save, cancel }: LimitFormProps) {
  const t = projectsMessages.value;
  const [value, setValue] = useState<readonly string[] | null>(idsOf(member));
  const [isTried, setTried] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    const chosen = chosenProjects(role, value);
    setTried(chosen === undefined);
    if (chosen !== undefined) save(chosen);
  };
  return (
    <form class="panel form" aria-label={t.projectsOf(member.name)} onSubmit={submit}>
      <h2>
        <bdi>{t.projectsOf(member.name)}</bdi>
      </h2>
      <ProjectChoice role={role} value={value} choose={setValue} />
      {isTried ? (
        <p class="note note-bad" role="alert">
          {t.noneChosen}
        </p>
      ) : null}
      <div class="actions">
        <button type="submit" class="button primary" aria-disabled={busy}>
          {t.save}
        </button>
        <button type="button" class="button" onClick={cancel}>
          {phrases.value.cancel}
        </button>
      </div>
    </form>
  );
}

interface RoleChoiceProps {
  readonly member: MemberRecord;
  readonly disabled: boolean;
  readonly choose: (role: MemberRecord["role"]) => void;
}

function RoleChoice({ member, disabled, choose }: RoleChoiceProps) {
  const { roles: words, members: t } = peopleMessages.value;
  return (
    <select
      class={`input ${css.role}`}
      aria-label={t.roleOf(member.name)}
      disabled={disabled}
      value={member.role}
      onChange={({ currentTarget }) => {
        const role = roles.find((one) => one === currentTarget.value);
        if (role !== undefined) choose(role);
        // Until the service has changed it.
        currentTarget.value = member.role;
      }}
    >
      {roles.map((role) => (
        <option key={role} value={role}>
          {words[role].name}
        </option>
      ))}
    </select>
  );
}

interface MemberActionsProps {
  readonly member: MemberRecord;
  readonly mayManage: boolean;
  readonly asked: Asked;
  readonly ask: (asked: Asked) => void;
  readonly act: (work: () => Promise<unknown>, said: string) => void;
  /** Shows a link, the one time that it can be seen. */
  readonly showLink: (link: string) => void;
}

function MemberActions({
  member: { memberId, name, logins, secondFactor, passkeys },
  mayManage,
  asked,
  ask,
  act,
  showLink,
}: MemberActionsProps) {
  const t = peopleMessages.value.members;
  if (asked?.memberId === memberId) {
    const { yes, work, said } = {
      remove: { yes: t.reallyRemove, work: () => querent.people.remove(memberId), said: t.removed },
      "sign-out": { yes: t.reallySignOut, work: () => querent.people.endLoginsOf(memberId), said: t.signedOut },
      factor: {
        yes: t.reallyResetFactor,
        work: () => querent.people.resetSecondFactor(memberId),
        said: t.factorReset,
      },
      passkeys: {
        yes: t.reallyResetPasskeys,
        work: async () => {
          const link = await querent.people.resetPasskeys(memberId);
          if (link !== null) showLink(link);
        },
        said: t.passkeysReset,
      },
    }[asked.what];
    const confirm = () => act(work, said);
    return (
      <span class={`actions ${css.end}`}>
        <ConfirmButtons yes={yes} confirm={confirm} no={phrases.value.cancel} withdraw={() => ask(null)} />
      </span>
    );
  }
  return (
    <span class={`actions ${css.end}`}>
      {logins > 0 && may("access:manage") ? (
        <button
          type="button"
          class="button ghost"
          aria-label={t.signOutOf(name)}
          onClick={() => ask({ memberId, what: "sign-out" })}
        >
          {t.signOut}
        </button>
      ) : null}
      {mayManage && secondFactor ? (
        <button
          type="button"
          class="button ghost"
          aria-label={t.resetFactorOf(name)}
          onClick={() => ask({ memberId, what: "factor" })}
        >
          {t.resetFactor}
        </button>
      ) : null}
      {mayManage && passkeys > 0 ? (
        <button
          type="button"
          class="button ghost"
          aria-label={t.resetPasskeysOf(name)}
          onClick={() => ask({ memberId, what: "passkeys" })}
        >
          {t.resetPasskeys}
        </button>
      ) : null}
      {mayManage ? (
        <button
          type="button"
          class="button ghost"
          aria-label={t.removeOf(name)}
          onClick={() => ask({ memberId, what: "remove" })}
        >
          {t.remove}
        </button>
      ) : null}
    </span>
  );
}
