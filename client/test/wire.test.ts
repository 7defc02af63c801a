/** Checked by the compiler: the client's types are the contract's. */
import { test } from "node:test";
import type * as client from "@querent/client";
import type * as contract from "@querent/contract";
import type { Static } from "typebox";

/** True only for types that are the same in both directions, optional members and all. */
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;
const same = <Held extends true>(held: Held[] = []) => held;

test("every type of the client is what the contract has under its name", () => {
  same<Same<client.TaskRecord, contract.TaskRecord>>();
  same<Same<client.TaskSummary, contract.TaskSummary>>();
  same<Same<client.TaskState, contract.TaskState>>();
  same<Same<client.SubmissionItem, contract.SubmissionItem>>();
  same<Same<client.SubmissionAccepted, contract.SubmissionAccepted>>();
  same<Same<client.BatchRecord, contract.BatchRecord>>();
  same<Same<client.BatchPage, contract.BatchPage>>();
  same<Same<client.BatchCancellation, contract.BatchCancellation>>();
  same<Same<client.Quote, contract.Quote>>();
  same<Same<client.PlatformList, contract.PlatformList>>();
  same<Same<client.WebhookRecord, contract.WebhookRecord>>();
  same<Same<client.WebhookTestReply, contract.WebhookTestReply>>();
  same<Same<client.RecoveryRequest, contract.RecoveryRequest>>();
  same<Same<client.RecoveryReply, contract.RecoveryReply>>();
  same<Same<client.DeliveryPage, contract.DeliveryPage>>();
  same<Same<client.DeliveryDetail, contract.DeliveryDetail>>();
  same<Same<client.AnyNotification, contract.AnyNotification>>();
  same<Same<client.EventPage, Static<typeof contract.EventPage>>>();
  same<Same<client.LedgerPage, contract.LedgerPage>>();
  same<Same<client.UsageRecord, contract.UsageRecord>>();
  same<Same<client.UsageDays, contract.UsageDays>>();
  same<Same<client.Overview, contract.Overview>>();
  same<Same<client.IssuedToken, contract.IssuedToken>>();
  same<Same<client.TokenRequest, contract.TokenRequest>>();
  same<Same<client.Engine, contract.Engine>>();
  same<Same<client.AccountPage, contract.AccountPage>>();
  same<Same<client.Notification, contract.Notification>>();
  same<Same<client.Problem, contract.Problem>>();
  same<Same<client.ProblemCode, contract.ProblemCode>>();
  same<Same<client.Scope, contract.Scope>>();
  // @ts-expect-error The comparison sees a difference.
  same<Same<client.TaskRecord, contract.TaskSummary>>();
});
