/** What more than one view says. */
import type { DeliveryRecord, Progress, TaskState } from "@querent/client";
import { spoken } from "./spoken.ts";

const english = {
  copied: "Copied",
  cancel: "Cancel",
  skip: "Skip to content",
  units: { seconds: "s", minutes: "min", hours: "h" },
  states: {
    queued: "Queued",
    running: "Running",
    waiting_retry: "Retrying",
    completed: "Completed",
    failed: "Failed",
    canceled: "Canceled",
  } satisfies Record<Progress["phase"] | Exclude<TaskState, "pending">, string>,
  taskStates: { pending: "Pending", completed: "Completed", failed: "Failed", canceled: "Canceled" } satisfies Record<
    TaskState,
    string
  >,
  deliveryStates: {
    pending: "Pending",
    delivered: "Delivered",
    failed: "Failed",
    skipped: "No endpoint",
    superseded: "Superseded",
  } satisfies Record<DeliveryRecord["state"], string>,
  deliveryPhases: {
    queued: "Queued",
    in_flight: "Sending",
    waiting: "Waiting for retry",
    held: "Paused: endpoint suspended",
  } satisfies Record<NonNullable<DeliveryRecord["phase"]>, string>,
  standings: {
    not_configured: "Not configured",
    no_browser: "No browser",
    no_worker: "No worker",
    paused: "Paused by operator",
    breaker_open: "Unavailable",
    failing: "Failing",
    throttled: "Rate limited",
    degraded: "Degraded",
    idle: "No recent tasks",
    healthy: "Healthy",
  },
  failures: {
    unreachable: "Can’t reach the service.",
    refused: "The request was rejected.",
    requestId: "Request ID",
    retry: "Retry",
    caps: "Show the caps",
    more: (count: number) => (count === 1 ? "and one more error" : `and ${count} more errors`),
  },
  notLoaded: {
    title: "This part of the console could not be loaded.",
    detail: "The service was upgraded meanwhile, or cannot be reached. Your tasks are not affected.",
    reload: "Reload the page",
  },
};

const chinese: typeof english = {
  copied: "已复制",
  cancel: "取消",
  skip: "跳到正文",
  units: { seconds: "秒", minutes: "分", hours: "小时" },
  states: {
    queued: "排队中",
    running: "运行中",
    waiting_retry: "等待重试",
    completed: "已完成",
    failed: "失败",
    canceled: "已取消",
  },
  taskStates: { pending: "未完成", completed: "已完成", failed: "失败", canceled: "已取消" },
  deliveryStates: {
    pending: "待投递",
    delivered: "已送达",
    failed: "失败",
    skipped: "未设置端点",
    superseded: "已被取代",
  },
  deliveryPhases: { queued: "排队中", in_flight: "发送中", waiting: "等待重试", held: "已暂停：端点已暂停" },
  standings: {
    not_configured: "未配置",
    no_browser: "没有浏览器",
    no_worker: "没有工作进程",
    paused: "已被运维人员暂停",
    breaker_open: "不可用",
    failing: "异常",
    throttled: "被限流",
    degraded: "部分失败",
    idle: "近期没有任务",
    healthy: "正常",
  },
  failures: {
    unreachable: "无法连接到服务。",
    refused: "请求被拒绝。",
    requestId: "请求 ID",
    retry: "重试",
    caps: "查看限额",
    more: (count) => `另有 ${count} 个错误`,
  },
  notLoaded: {
    title: "无法加载控制台的这一部分。",
    detail: "服务可能已升级，或暂时无法连接。您的任务不受影响。",
    reload: "重新加载页面",
  },
};

export const phrases = spoken({ english, chinese });
