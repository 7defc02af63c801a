/** `querentd person | invite | connection`: who can sign in, and their assistants, for operators. Each can run beside a service. */
import { consoleLanguages, invitationDaysMax, memberRoles, type MemberRole } from "@querent/contract";
import { InvalidArgumentError, Option, type Command } from "commander";
import type { Database } from "../../db/index.ts";
import { querentd } from "../../kernel/program-name.ts";
import { noteAudit } from "../../runtime/audited.ts";
import {
  endConnection,
  endConnectionsOf,
  endLogins,
  findPerson,
  InvitationMailer,
  invite,
  linkAddress,
  listConnections,
  listInvitations,
  listMembers,
  listPasskeys,
  makePasswordLink,
  readEmail,
  removeFactor,
  removeMember,
  removePasskeys,
  roleNamed,
  setOperator,
  setRole,
  unlink,
  withdraw,
  type Email,
} from "../../people/index.ts";
import { type Config, readConfig } from "../config.ts";
import { linkBase } from "../accounts.ts";
import { accountNamed } from "./account-commands.ts";
import { CommandError } from "../command-error.ts";
import { collectProjects, projectIdsNamed } from "./project-names.ts";
import { print, readUuid, withDatabase, type OperatorOutput } from "./operator-command.ts";
import { table, type TableColumn } from "./table.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { describeOutcome } from "../../mail/index.ts";
import { mailerOf, testMail } from "../mail.ts";

type OfAccount = OperatorOutput & { account: string };

const roleList = Object.keys(memberRoles).join(", ");
const passwordLinkHours = 24;
const projectOption = [
  "--project <project>",
  "limit it to a project, by name or id; repeatable. Required of a client",
  collectProjects,
] as const;

export function addPersonCommands(program: Command): void {
  const person = program.command("person").description("manage who can sign in");
  addPersonList(person);
  addMembership(person);
  addPersonAccess(person);
  addPersonPasskeys(person);
  addInvite(program);
  addConnections(program);
}

function addPersonList(person: Command): void {
  person
    .command("list")
    .description("list persons with their roles, one line for each account")
    .option("--account <name>", "only members of this account")
    .option("--json", "print JSON")
    .action((options: OperatorOutput & { account?: string }) =>
      withDatabase(async ({ config, database }) => {
        const filter =
          options.account === undefined ? {} : { accountId: await accountNamed(database, options.account) };
        const members = await listMembers(database, filter, limitsOf(config));
        print(
          options,
          members.map(({ accountName, operator, record }) => ({ ...record, accountName, operator })),
          table(
            memberColumns,
            members.map(({ accountName, operator, record }) => [
              record.email,
              accountName,
              record.role,
              record.projects?.map(({ name }) => name).join(", ") ?? "-",
              operator ? "yes" : "-",
              record.logins,
              record.lastSignInAt ?? "-",
              record.name,
            ]),
          ),
        );
      }),
    );
}

function addMembership(person: Command): void {
  person
    .command("role")
    .description("change a member's role or projects, and end the member's logins for the account")
    .argument("<email>", "the person", readAddress)
    .argument("<role>", roleList, readRoleName)
    .requiredOption("--account <name>", "the account")
    .option(...projectOption)
    .option("--whole-account", "no longer limited to projects (default: as before)")
    .option("--json", "print JSON")
    .action((email: Email, role: MemberRole, options: OfAccount & { project?: string[]; wholeAccount?: true }) =>
      withDatabase(async ({ config, database }) => {
        const { accountId, memberId } = await memberNamed(config, database, options.account, email);
        const named = await projectIdsNamed(database, accountId, options.project);
        if (named !== null && options.wholeAccount === true)
          throw new CommandError("Specify --project or --whole-account, not both.");
        const projects = named ?? (options.wholeAccount === true ? null : undefined);
        await database.transaction((tx) => setRole(tx, { accountId, memberId, role, projects }));
        print(
          options,
          { email: email.text, account: options.account, role, ...(projects === undefined ? {} : { projects }) },
          `${email.text} is ${role} of ${options.account}${options.project === undefined ? "" : ` in ${options.project.join(", ")}`}.`,
        );
      }),
    );
  person
    .command("remove")
    .description("remove a member from an account, with immediate effect")
    .argument("<email>", "the person", readAddress)
    .requiredOption("--account <name>", "the account")
    .option("--json", "print JSON")
    .action((email: Email, options: OfAccount) =>
      withDatabase(async ({ config, database }) => {
        const { accountId, memberId } = await memberNamed(config, database, options.account, email);
        await database.transaction((tx) => removeMember(tx, { accountId, memberId }));
        print(
          options,
          { email: email.text, account: options.account, removed: true },
          `${email.text} is no longer a member of ${options.account}. Access tokens of the account go on working.`,
        );
      }),
    );
}

function addPersonAccess(person: Command): void {
  person
    .command("password")
    .description(`print a link with which a person sets a new password, once and within ${passwordLinkHours} hours`)
    .argument("<email>", "the person", readAddress)
    .option("--json", "print JSON")
    .action((email: Email, options: OperatorOutput) =>
      withDatabase(async ({ config, database }) => {
        const { personId } = await personNamed(database, email);
        const token = await database.transaction((tx) => makePasswordLink(tx, personId, passwordLinkHours));
        const link = linkAddress(linkBase(config, null), token);
        print(options, { email: email.text, link }, link);
      }),
    );
  person
    .command("sign-out")
    .description("end all logins of a person, and the connections of the person's assistants, with immediate effect")
    .argument("<email>", "the person", readAddress)
    .option("--json", "print JSON")
    .action((email: Email, options: OperatorOutput) =>
      withDatabase(async ({ database }) => {
        const { personId } = await personNamed(database, email);
        const { ended, connections } = await database.transaction(async (tx) => ({
          ended: await endLogins(tx, { personId }),
          connections: await endConnectionsOf(tx, { personId }),
        }));
        print(
          options,
          { email: email.text, ended, connections },
          `${ended} logins and ${connections} connected assistants of ${email.text} were ended.`,
        );
      }),
    );
  person
    .command("reset-factor")
    .description("remove the second factor of a person who has lost it, and end the person's logins")
    .argument("<email>", "the person", readAddress)
    .option("--json", "print JSON")
    .action((email: Email, options: OperatorOutput) =>
      withDatabase(async ({ database }) => {
        const { personId } = await personNamed(database, email);
        const removed = await database.transaction(async (tx) => {
          const had = await removeFactor(tx, personId);
          await endLogins(tx, { personId });
          return had;
        });
        print(
          options,
          { email: email.text, removed },
          removed
            ? `${email.text} signs in with the password alone. All logins of the person were ended.`
            : `${email.text} had no second factor. All logins of the person were ended.`,
        );
      }),
    );
  person
    .command("unlink")
    .description("forget by which identity an identity provider knows a person, and end the logins that it began")
    .argument("<email>", "the person", readAddress)
    .option("--json", "print JSON")
    .action((email: Email, options: OperatorOutput) =>
      withDatabase(async ({ database }) => {
        const { personId } = await personNamed(database, email);
        const forgotten = await database.transaction((tx) => unlink(tx, personId));
        print(
          options,
          { email: email.text, forgotten },
          `${forgotten} identities of ${email.text} were forgotten. The next sign-in at a provider links the person by the e-mail address.`,
        );
      }),
    );
  person
    .command("operator")
    .description("let a person operate the service, over all accounts, in addition to the person's roles")
    .argument("<email>", "the person", readAddress)
    .option("--revoke", "no longer")
    .option("--json", "print JSON")
    .action((email: Email, options: OperatorOutput & { revoke?: true }) =>
      withDatabase(async ({ database }) => {
        const { personId } = await personNamed(database, email);
        const operator = options.revoke !== true;
        await database.transaction((tx) => setOperator(tx, personId, operator));
        print(
          options,
          { email: email.text, operator },
          `${email.text} ${operator ? "operates the service" : "no longer operates the service"}. All logins of the person were ended.`,
        );
      }),
    );
}

function addPersonPasskeys(person: Command): void {
  person
    .command("passkeys")
    .description("list the passkeys of a person")
    .argument("<email>", "the person", readAddress)
    .option("--json", "print JSON")
    .action((email: Email, options: OperatorOutput) =>
      withDatabase(async ({ database }) => {
        const { personId } = await personNamed(database, email);
        const passkeys = await listPasskeys(database, personId);
        print(
          options,
          passkeys,
          table(
            passkeyColumns,
            passkeys.map((row) => [
              row.passkeyId,
              row.name,
              row.host,
              row.synced ? "yes" : "-",
              row.createdAt,
              row.lastUsedAt ?? "-",
            ]),
          ),
        );
      }),
    );
  person
    .command("remove-passkey")
    .description("remove a passkey of a person who has lost it, and end the person's logins")
    .argument("<email>", "the person", readAddress)
    .argument("[id]", "the id shown by `person passkeys`", readUuid)
    .option("--all", "all passkeys of the person")
    .option("--json", "print JSON")
    .action((email: Email, passkeyId: string | undefined, options: OperatorOutput & { all?: true }) =>
      withDatabase(async ({ database }) => {
        if ((passkeyId === undefined) === (options.all !== true))
          throw new CommandError("Specify the id of a passkey or --all, not both.");
        const { personId, passwordHash } = await personNamed(database, email);
        const removed = await database.transaction(async (tx) => {
          const count = await removePasskeys(tx, { personId, passkeyId: passkeyId ?? null });
          await endLogins(tx, { personId });
          return count;
        });
        const left = await listPasskeys(database, personId);
        print(
          options,
          { email: email.text, removed, left: left.length },
          `${removed} passkeys of ${email.text} were removed. All logins of the person were ended.${
            left.length === 0 && passwordHash === null
              ? ` Without an identity provider, the person has no way to sign in: make a link with \`${querentd} person password ${email.text}\`.`
              : ""
          }`,
        );
      }),
    );
}

type InviteOptions = OfAccount & {
  role: MemberRole;
  project?: string[];
  email?: Email;
  operator?: true;
  days: number;
  mail?: (typeof consoleLanguages)[number];
};

function addInvite(program: Command): void {
  const command = program.command("invite").description("manage invitations to accounts");
  command
    .command("create")
    .description("print a link with which a person joins an account, once")
    .requiredOption("--account <name>", "the account")
    .requiredOption("--role <role>", roleList, readRoleName)
    .option(...projectOption)
    .option("--email <address>", "for this person alone (default: whoever opens the link)", readAddress)
    .option("--operator", "the person also operates the service, over all accounts")
    .option("--days <n>", "days until the link expires", readDays, 7)
    .addOption(new Option("--mail <language>", "also mail the link to --email").choices([...consoleLanguages]))
    .option("--json", "print JSON")
    .action((options: InviteOptions) =>
      withDatabase(async ({ config, database }) => {
        const { role, email = null, operator = false, days, mail: language } = options;
        if (language !== undefined && email === null)
          throw new CommandError(
            "--mail sends the link to the address in --email, which is missing. Nothing was done.",
          );
        const accountId = await accountNamed(database, options.account);
        const projects = await projectIdsNamed(database, accountId, options.project);
        const { token, record } = await database.transaction((tx) =>
          invite(tx, { accountId, email, role, projects, operator, days }),
        );
        const link = linkAddress(linkBase(config, null), token);
        const mailer = mailerOf(config);
        const faults: string[] = [];
        const mail =
          language === undefined || email === null
            ? null
            : await new InvitationMailer(mailer, (outcome) => faults.push(describeOutcome(outcome, mailer))).send({
                ...{ accountId, accountName: options.account, email: email.text, by: null, link, language },
                expiresAt: new Date(record.expiresAt),
              });
        const said = mail === null ? null : [mail.detail, ...faults].join("\n");
        print(
          options,
          {
            ...record,
            account: options.account,
            operator,
            link,
            mail: mail === null ? null : { ...mail, detail: said },
          },
          link,
        );
        // Standard output is the link alone, for scripts.
        if (said !== null && options.json !== true) process.stderr.write(`${said}\n`);
      }),
    );
  command
    .command("list")
    .description("list an account's open invitations")
    .requiredOption("--account <name>", "the account")
    .option("--json", "print JSON")
    .action((options: OfAccount) =>
      withDatabase(async ({ database }) => {
        const invitations = await listInvitations(database, await accountNamed(database, options.account));
        print(
          options,
          invitations,
          table(
            invitationColumns,
            invitations.map((row) => [
              row.invitationId,
              row.email ?? "whoever opens it",
              row.role,
              row.projects?.map(({ name }) => name).join(", ") ?? "-",
              row.expiresAt,
            ]),
          ),
        );
      }),
    );
  command
    .command("withdraw")
    .description("withdraw an invitation: its link no longer works")
    .argument("<id>", "the id shown by `invite list`", readUuid)
    .requiredOption("--account <name>", "the account")
    .option("--json", "print JSON")
    .action((invitationId: string, options: OfAccount) =>
      withDatabase(async ({ database }) => {
        const accountId = await accountNamed(database, options.account);
        noteAudit({ target: { type: "invitation", id: invitationId } });
        await database.transaction((tx) => withdraw(tx, accountId, invitationId));
        print(options, { invitationId, withdrawn: true }, "Withdrawn.");
      }),
    );
}

type ConnectionListOptions = OperatorOutput & { account?: string; email?: Email };

function addConnections(program: Command): void {
  const command = program.command("connection").description("manage the assistants that people have connected");
  command
    .command("list")
    .description("list connected assistants, the newest first, 500 at most")
    .option("--account <name>", "only those of this account")
    .option("--email <address>", "only those of this person", readAddress)
    .option("--json", "print JSON")
    .action(({ account, email, ...output }: ConnectionListOptions) =>
      withDatabase(async ({ database }) => {
        const connections = await listConnections(database, {
          ...(account === undefined ? {} : { accountId: await accountNamed(database, account) }),
          ...(email === undefined ? {} : { personId: (await personNamed(database, email)).personId }),
        });
        print(
          output,
          connections,
          table(
            connectionColumns,
            connections.map((row) => [
              row.connectionId,
              row.client.name,
              row.email,
              row.accountName,
              row.scopes.join(", "),
              row.redirectHost,
              row.lastUsedAt ?? "-",
            ]),
          ),
        );
      }),
    );
  command
    .command("end")
    .description("end the connection of an assistant, with immediate effect; the person can connect it again")
    .argument("<id>", "the id shown by `connection list`", readUuid)
    .option("--json", "print JSON")
    .action((connectionId: string, options: OperatorOutput) =>
      withDatabase(async ({ database }) => {
        const isEnded = await database.transaction((tx) => endConnection(tx, { connectionId }));
        if (!isEnded)
          throw new CommandError(
            `There is no connection ${connectionId}. It may have ended before: \`${querentd} connection list\` lists those that work.`,
          );
        print(options, { connectionId, ended: true }, "Ended.");
      }),
    );
}

const connectionColumns: readonly TableColumn[] = [
  { head: "ID" },
  { head: "ASSISTANT", least: 8 },
  { head: "E-MAIL", least: 12 },
  { head: "ACCOUNT", least: 8 },
  { head: "SCOPES", least: 8, optional: 2 },
  { head: "RETURNS TO", least: 8, optional: 3 },
  { head: "LAST USED", optional: 1 },
];

const memberColumns: readonly TableColumn[] = [
  { head: "E-MAIL", least: 12 },
  { head: "ACCOUNT", least: 8 },
  { head: "ROLE" },
  { head: "PROJECTS", least: 8 },
  { head: "OPERATOR", optional: 2 },
  { head: "LOGINS", optional: 1 },
  { head: "LAST SIGN-IN", optional: 3 },
  { head: "NAME", least: 8, optional: 4 },
];

const passkeyColumns: readonly TableColumn[] = [
  { head: "ID" },
  { head: "NAME", least: 8 },
  { head: "HOST", least: 8 },
  { head: "SYNCED", optional: 2 },
  { head: "ADDED", optional: 1 },
  { head: "LAST USED", optional: 3 },
];

const invitationColumns: readonly TableColumn[] = [
  { head: "ID" },
  { head: "E-MAIL", least: 12 },
  { head: "ROLE" },
  { head: "PROJECTS", least: 8 },
  { head: "EXPIRES", optional: 1 },
];

const limitsOf = ({ loginHours, loginIdleHours }: Config) => ({ hours: loginHours, idleHours: loginIdleHours });

async function personNamed(database: Database, email: Email) {
  const person = await findPerson(database, { email });
  if (person === null) throw new CommandError(`There is no person with the e-mail address ${email.text}.`);
  noteAudit({ target: { type: "person", id: person.personId } });
  return person;
}

async function memberNamed(config: Config, database: Database, account: string, email: Email) {
  const accountId = await accountNamed(database, account);
  const [member] = await listMembers(database, { accountId, email }, limitsOf(config));
  if (member === undefined) throw new CommandError(`${email.text} is not a member of ${account}.`);
  return { accountId, memberId: member.record.memberId };
}

function readAddress(text: string): Email {
  const email = readEmail(text);
  if (email === null) throw new InvalidArgumentError("It is not an e-mail address.");
  return email;
}

function readRoleName(text: string): MemberRole {
  const role = roleNamed(text);
  if (role === null) throw new InvalidArgumentError(`Roles are ${roleList}.`);
  return role;
}

function readDays(text: string): number {
  const days = Number(text);
  if (!/^\d{1,2}$/.test(text) || days < 1 || days > invitationDaysMax)
    throw new InvalidArgumentError(`It is a number of days from 1 to ${invitationDaysMax}.`);
  return days;
}

/** `querentd mail`: whether mail arrives. */
export function addMailCommand(program: Command): void {
  program
    .command("mail")
    .description("test the mail settings")
    .command("test")
    .description("send a test mail with the settings of this environment, and say what happened")
    .argument("<address>", "to whom")
    .option("--json", "print JSON")
    .action(async (address: string, options: OperatorOutput) => {
      const tested = await testMail(mailerOf(readConfig(process.env)), address).catch((error: unknown) => {
        throw error instanceof ProblemError ? new CommandError(error.message) : error;
      });
      if (!tested.passed && options.json !== true) throw new CommandError(tested.detail);
      print(options, tested, tested.detail);
      if (!tested.passed) process.exitCode = 1;
    });
}
