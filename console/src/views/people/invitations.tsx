import type { CreatedInvitation, InvitationRecord, MemberRecord } from "@querent/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { language } from "../../i18n/language.ts";
import { peopleMessages } from "../../i18n/people.ts";
import { projectsMessages } from "../../i18n/projects.ts";
import { phrases } from "../../i18n/phrases.ts";
import { announce } from "../../ui/announcer.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { TablePlace } from "../../ui/table-place.tsx";
import { Ago } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { chosenProjects, ProjectChoice } from "../projects/project-choice.tsx";
import * as css from "./people.module.css";

interface InvitationFormProps {
  readonly roles: readonly MemberRecord["role"][];
  /** The service can send mail. */
  readonly canMail: boolean;
  readonly created: (invitation: CreatedInvitation) => void;
  readonly cancel: () => void;
}

export function InvitationForm({ roles, canMail, created, cancel }: InvitationFormProps) {
  const { members: t, roles: words } = peopleMessages.value;
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<MemberRecord["role"]>("editor");
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const [isMailed, setMailed] = useState(true);
  const [isTried, setTried] = useState(false);
  const { busy, failed, run } = useAttempt();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: Event) => {
    event.preventDefault();
    const projects = chosenProjects(role, chosen);
    setTried(projects === undefined);
    if (projects !== undefined)
      run(async () =>
        created(
          await querent.people.invite({
            ...{ email, role },
            ...(projects === null ? {} : { projects }),
            ...(canMail && isMailed ? { mail: language.value } : {}),
          }),
        ),
      );
  };
  return (
    <form class="panel form" aria-label={t.invite} onSubmit={submit}>
      <div class="field">
        <label for="invited">{t.email}</label>
        <input
          id="invited"
          ref={field}
          type="email"
          class="input"
          required
          maxLength={254}
          autocomplete="off"
          value={email}
          onInput={({ currentTarget }) => setEmail(currentTarget.value)}
        />
      </div>
      <fieldset class="field">
        <legend>{t.role}</legend>
        {roles.map((choice) => (
          <label key={choice} class="choice">
            <input type="radio" name="role" checked={role === choice} onChange={() => setRole(choice)} />
            <span>
              {words[choice].name} <span class="quiet small">{words[choice].about}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <ProjectChoice role={role} value={chosen} choose={setChosen} />
      {canMail ? (
        <label class="choice">
          <input
            type="checkbox"
            checked={isMailed}
            onChange={({ currentTarget }) => setMailed(currentTarget.checked)}
          />
          <span>{t.mailLink}</span>
        </label>
      ) : (
        <p class="quiet small">{t.noMail}</p>
      )}
      {isTried ? (
        <p class="note note-bad" role="alert">
          {projectsMessages.value.noneChosen}
        </p>
      ) : null}
      {failed === null ? null : <FailureNote failed={failed} />}
      <div class="actions">
        <button type="submit" class="button primary" aria-disabled={busy}>
          {t.create}
        </button>
        <button type="button" class="button" onClick={cancel}>
          {phrases.value.cancel}
        </button>
      </div>
    </form>
  );
}

/** The link of an invitation, the one time that it can be seen, and what became of its mail. */
export function NewInvitation({ made, done }: { made: CreatedInvitation; done: () => void }) {
  const t = peopleMessages.value.members;
  const { mail, link } = made;
  const email = made.record.email ?? t.anyone;
  return (
    <>
      {mail === null ? null : (
        <p class={`note ${mail.state === "accepted" ? "" : "note-bad"}`} role="status" data-mailed={mail.state}>
          {t.mailed[mail.state](email)}
        </p>
      )}
      <ShownLink
        title={t.created(email)}
        lead={mail?.state === "accepted" ? t.shownOnceMailed : t.shownOnce}
        link={link}
        done={done}
      />
    </>
  );
}

interface ShownLinkProps {
  readonly title: string;
  readonly lead: string;
  readonly link: string;
  readonly done: () => void;
}

/** A link that works once, the one time that it can be seen. */
export function ShownLink({ title, lead, link, done }: ShownLinkProps) {
  const t = peopleMessages.value.members;
  return (
    <div class="note note-good" role="status">
      <strong>
        <bdi>{title}</bdi>
      </strong>
      <p>{lead}</p>
      <code class={css.link} tabIndex={0} data-invitation>
        {link}
      </code>
      <div class="actions">
        <CopyButton text={() => link} label={t.copy} />
        <button type="button" class="button" onClick={done}>
          {t.done}
        </button>
      </div>
    </div>
  );
}

interface InvitationTableProps {
  readonly invitations: readonly InvitationRecord[];
  readonly mayManage: boolean;
  readonly changed: () => void;
}

export function InvitationTable({ invitations, mayManage, changed }: InvitationTableProps) {
  const { members: t, roles: words } = peopleMessages.value;
  const { failed, run } = useAttempt();
  if (invitations.length === 0) return <p class="quiet">{t.noInvitations}</p>;
  const withdraw = (invitationId: string) =>
    run(async () => {
      await querent.people.withdraw(invitationId);
      announce(t.withdrawn);
      changed();
    });
  return (
    <>
      {failed === null ? null : <FailureNote failed={failed} />}
      <TablePlace label={t.invitations}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{t.email}</th>
              <th scope="col">{t.role}</th>
              <th scope="col">{t.expires}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {invitations.map(({ invitationId, email, role, projects, expiresAt }) => (
              <tr key={invitationId}>
                <th scope="row">
                  <bdi>{email ?? t.anyone}</bdi>
                </th>
                <td>
                  {words[role].name}
                  {projects === null ? null : (
                    <bdi class={`quiet small ${css.projects}`}>{projects.map(({ name }) => name).join(", ")}</bdi>
                  )}
                </td>
                <td class="quiet nowrap">
                  <Ago at={expiresAt} />
                </td>
                <td class="figure">
                  {mayManage ? (
                    <button
                      type="button"
                      class="button ghost"
                      aria-label={t.withdrawOf(email ?? t.anyone)}
                      onClick={() => withdraw(invitationId)}
                    >
                      {t.withdraw}
                    </button>
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablePlace>
    </>
  );
}
