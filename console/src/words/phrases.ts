/** What more than one view says. */
import type { DeliveryRecord, Progress, TaskState } from "@querent/client";
import { spoken } from "./spoken.ts";

interface Phrases {
  copied: string;
  cancel: string;
  skip: string;
  units: { seconds: string; minutes: string; hours: string };
  states: Record<Progress["phase"] | Exclude<TaskState, "pending">, string>;
  taskStates: Record<TaskState, string>;
  deliveryStates: Record<DeliveryRecord["state"], string>;
  failures: { unreachable: string; refused: string; requestId: string; retry: string };
}

const english: Phrases = {
  copied: "Copied",
  cancel: "Cancel",
  skip: "Skip to the content",
  units: { seconds: "s", minutes: "min", hours: "h" },
  states: {
    queued: "Queued",
    running: "Running",
    waiting_retry: "Trying again",
    completed: "Completed",
    failed: "Failed",
    canceled: "Canceled",
  },
  taskStates: { pending: "Pending", completed: "Completed", failed: "Failed", canceled: "Canceled" },
  deliveryStates: {
    pending: "On its way",
    delivered: "Delivered",
    failed: "Given up",
    skipped: "No address",
    superseded: "Superseded",
  },
  failures: {
    unreachable: "The service can't be reached.",
    refused: "The service refused.",
    requestId: "Request",
    retry: "Try again",
  },
};

const chinese: Phrases = {
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
  taskStates: { pending: "进行中", completed: "已完成", failed: "失败", canceled: "已取消" },
  deliveryStates: {
    pending: "投递中",
    delivered: "已送达",
    failed: "已放弃",
    skipped: "没有地址",
    superseded: "已被取代",
  },
  failures: {
    unreachable: "无法连接服务。",
    refused: "服务拒绝了请求。",
    requestId: "请求编号",
    retry: "重试",
  },
};

export const phrases = spoken({ english, chinese });
