/** What the list of caps and their form say. */
import type { Cap } from "@querent/client";
import { counted } from "./counted.ts";
import { spoken } from "./spoken.ts";

interface CapsMessages {
  title: string;
  lead: string;
  warnings: string;
  warningsLink: string;
  columns: Record<"of" | "run" | "day" | "month" | "since", string>;
  kinds: Record<Cap["kind"], string>;
  account: string;
  panel: string;
  tag: (tag: string) => string;
  perRun: (points: string) => string;
  used: (held: string, limit: string) => string;
  /** The highest share that is reached, as warnings name it. */
  reached: Record<50 | 80 | 100, string>;
  noLimit: string;
  concerning: (panel: string) => string;
  showAll: string;
  create: string;
  edit: string;
  remove: string;
  reallyRemove: string;
  saved: string;
  removed: string;
  save: string;
  kind: string;
  panelLabel: string;
  choosePanel: string;
  tagLabel: string;
  tagHint: string;
  limits: Record<"runPoints" | "dayPoints" | "monthPoints", string>;
  limitHint: string;
  taken: string;
  emptyTitle: string;
  emptyText: string;
  noneConcern: string;
  readOnly: string;
  forbidden: string;
}

const english: CapsMessages = {
  title: "Caps",
  lead: "A cap limits the points of a run or batch, of a day and of a month (UTC). What would exceed a cap is refused as a whole: nothing is asked, and no points are held.",
  warnings: "When 50, 80 or 100 % of a cap are used, and when it refuses something, the event cap.reached is sent.",
  warningsLink: "Set up webhooks",
  columns: { of: "Cap of", run: "Per run or batch", day: "Today", month: "This month", since: "Counted from" },
  kinds: { account: "Account", panel: "Panel", tag: "Tag" },
  account: "The account",
  panel: "Panel",
  tag: (tag) => `Tag ${tag}`,
  perRun: (points) => counted(points, "point"),
  used: (held, limit) => `${held} of ${counted(limit, "point")}`,
  reached: { 50: "50 % used", 80: "80 % used", 100: "Used up" },
  noLimit: "No limit",
  concerning: (panel) => `Caps that apply to the panel ${panel}`,
  showAll: "Show all caps",
  create: "New cap",
  edit: "Edit",
  remove: "Remove",
  reallyRemove: "Really remove",
  saved: "Cap saved",
  removed: "Cap removed",
  save: "Save",
  kind: "What it limits",
  panelLabel: "Panel",
  choosePanel: "Choose a panel",
  tagLabel: "Tag",
  tagHint: "Counts the tasks with this tag, of runs and of batches.",
  limits: {
    runPoints: "Points per run or batch",
    dayPoints: "Points per day (UTC)",
    monthPoints: "Points per month (UTC)",
  },
  limitHint: "Empty: no limit.",
  taken: "There is a cap of this already. Edit that one.",
  emptyTitle: "No caps yet",
  emptyText:
    "Only the available points limit what is spent. Set a cap of the account to limit a month, or of a panel to limit each of its runs.",
  noneConcern: "No cap applies to this panel.",
  readOnly: "Changing caps requires a token with the panels:write scope.",
  forbidden: "This token can’t read caps. It needs the panels:read scope.",
};

const chinese: CapsMessages = {
  title: "限额",
  lead: "限额限制每次运行或批次、每天和每月（UTC）的点数。超出限额的请求会被整体拒绝：不会提问，也不会冻结点数。",
  warnings: "限额用至 50%、80% 或 100% 时，以及因限额而拒绝时，会发送 cap.reached 事件。",
  warningsLink: "设置 Webhook",
  columns: { of: "限额对象", run: "每次运行或批次", day: "今天", month: "本月", since: "开始计数" },
  kinds: { account: "账户", panel: "面板", tag: "标签" },
  account: "整个账户",
  panel: "面板",
  tag: (tag) => `标签 ${tag}`,
  perRun: (points) => `${points} 点`,
  used: (held, limit) => `${held} / ${limit} 点`,
  reached: { 50: "已用 50%", 80: "已用 80%", 100: "已用完" },
  noLimit: "不限",
  concerning: (panel) => `适用于面板 ${panel} 的限额`,
  showAll: "显示所有限额",
  create: "新建限额",
  edit: "编辑",
  remove: "移除",
  reallyRemove: "确认移除",
  saved: "限额已保存",
  removed: "限额已移除",
  save: "保存",
  kind: "限制对象",
  panelLabel: "面板",
  choosePanel: "选择面板",
  tagLabel: "标签",
  tagHint: "计入带有此标签的任务，包括运行和批次。",
  limits: { runPoints: "每次运行或批次的点数", dayPoints: "每天的点数（UTC）", monthPoints: "每月的点数（UTC）" },
  limitHint: "留空：不限。",
  taken: "已有此对象的限额，请编辑该限额。",
  emptyTitle: "还没有限额",
  emptyText: "目前只有可用点数限制花费。可为账户设置每月限额，或为面板设置每次运行的限额。",
  noneConcern: "没有适用于此面板的限额。",
  readOnly: "更改限额需要具有 panels:write 权限的令牌。",
  forbidden: "此令牌不能读取限额，需要 panels:read 权限。",
};

export const capsMessages = spoken({ english, chinese });
