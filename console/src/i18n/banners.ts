/** What needs attention, said above every view. */
import { spoken } from "./spoken.ts";

type Suspension =
  | { readonly kind: "gone" }
  | { readonly kind: "failing"; readonly days: number }
  | { readonly kind: "unknown" };

const english = {
  suspended: "Webhook endpoint suspended.",
  suspendedAction: "Resume deliveries",
  suspensionReason: (suspension: Suspension | null) => {
    if (suspension?.kind === "gone") return "The endpoint returned HTTP 410 Gone.";
    if (suspension?.kind === "failing")
      return suspension.days === 1
        ? "Every delivery failed for a day."
        : `Every delivery failed for ${suspension.days} days.`;
    return "Deliveries kept failing.";
  },
  suspendedAt: (when: string) => `Suspended ${when}.`,
  noPoints: "No points left.",
  lowPoints: "Points are running low.",
  pointsLeft: (available: string, granted: string) =>
    `${available} of ${granted} granted points available. Batches that cost more are rejected.`,
  pointsAction: "View usage",
  platforms: (count: number) => (count === 1 ? "A platform is failing:" : `${count} platforms are failing:`),
  platformsAction: "View platforms",
  noBrowser: "No browser available.",
};

const chinese: typeof english = {
  suspended: "Webhook 端点已暂停。",
  suspendedAction: "恢复投递",
  suspensionReason: (suspension) => {
    if (suspension?.kind === "gone") return "端点返回了 HTTP 410 Gone。";
    if (suspension?.kind === "failing") return `投递已连续失败 ${suspension.days} 天。`;
    return "投递持续失败。";
  },
  suspendedAt: (when) => `${when}暂停。`,
  noPoints: "点数已用完。",
  lowPoints: "点数即将用完。",
  pointsLeft: (available, granted) => `已发放 ${granted} 点，可用 ${available} 点。超出可用点数的批次会被拒绝。`,
  pointsAction: "查看用量",
  platforms: (count) => (count === 1 ? "有平台异常：" : `${count} 个平台异常：`),
  platformsAction: "查看平台",
  noBrowser: "没有可用的浏览器。",
};

export const bannerMessages = spoken({ english, chinese });
