/** What needs attention, said above every view. */
import { spoken } from "./spoken.ts";

type Suspension =
  | { readonly kind: "gone" }
  | { readonly kind: "failing"; readonly days: number }
  | { readonly kind: "unknown" };

interface BannerMessages {
  suspended: string;
  suspendedAction: string;
  suspensionReason: (suspension: Suspension | null) => string;
  suspendedAt: (when: string) => string;
  noPoints: string;
  lowPoints: string;
  pointsLeft: (available: string, granted: string) => string;
  pointsAction: string;
  platforms: (count: number) => string;
  platformsAction: string;
  noBrowser: string;
}

const english: BannerMessages = {
  suspended: "Webhook endpoint suspended.",
  suspendedAction: "Resume deliveries",
  suspensionReason: (suspension) => {
    if (suspension?.kind === "gone") return "The endpoint returned HTTP 410 Gone.";
    if (suspension?.kind === "failing")
      return suspension.days === 1
        ? "Every delivery failed for a day."
        : `Every delivery failed for ${suspension.days} days.`;
    return "Deliveries kept failing.";
  },
  suspendedAt: (when) => `Suspended ${when}.`,
  noPoints: "No points left.",
  lowPoints: "Points are running low.",
  pointsLeft: (available, granted) =>
    `${available} of ${granted} granted points available. Batches that cost more are rejected.`,
  pointsAction: "View usage",
  platforms: (count) => (count === 1 ? "A platform is failing:" : `${count} platforms are failing:`),
  platformsAction: "View platforms",
  noBrowser: "No browser available.",
};

const chinese: BannerMessages = {
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
