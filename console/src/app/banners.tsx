import type { ComponentChildren } from "preact";
import { Icon } from "../ui/icon.tsx";
import { distance, now, number } from "../ui/time.tsx";
import { bannerMessages } from "../i18n/banners.ts";
import { isFailing, standingOf } from "../views/platforms/standing.ts";
import { suspensionOf } from "../views/webhooks/suspension.ts";
import { to } from "./address.ts";
import type { Conditions } from "./conditions.ts";
import { isLow } from "./low-points.ts";
import * as css from "./banners.module.css";

/** What needs somebody's attention, whatever view is open. */
export function Banners({ conditions }: { conditions: Conditions }) {
  const banners = [
    <SuspendedBanner key="suspended" conditions={conditions} />,
    <PointsBanner key="points" conditions={conditions} />,
    <PlatformsBanner key="platforms" conditions={conditions} />,
    <BrowserBanner key="browser" conditions={conditions} />,
  ];
  return <div class={css.banners}>{banners}</div>;
}

interface BannerProps {
  readonly tone: "bad" | "warn";
  readonly address: string;
  readonly action: string;
  readonly children: ComponentChildren;
}

function Banner({ tone, address, action, children }: BannerProps) {
  return (
    <p class={`${css.banner} ${css[`banner-${tone}`]}`} role="status">
      <Icon name="alert" />
      <span>{children}</span>
      <a href={address}>{action}</a>
    </p>
  );
}

function SuspendedBanner({ conditions: { webhook } }: { conditions: Conditions }) {
  const t = bannerMessages.value;
  if (webhook?.status !== "suspended" || webhook.suspendedAt === null) return null;
  return (
    <Banner tone="bad" address={to("/webhooks")} action={t.suspendedAction}>
      <strong>{t.suspended}</strong> {t.suspensionReason(suspensionOf(webhook))}{" "}
      {t.suspendedAt(distance(Math.min(0, Date.parse(webhook.suspendedAt) - now.value)))}
    </Banner>
  );
}

function PointsBanner({ conditions: { usage } }: { conditions: Conditions }) {
  const t = bannerMessages.value;
  if (usage === null || !isLow(usage)) return null;
  const { available, granted } = usage.balance;
  return (
    <Banner tone={available === 0 ? "bad" : "warn"} address={to("/usage")} action={t.pointsAction}>
      <strong>{available === 0 ? t.noPoints : t.lowPoints}</strong> {t.pointsLeft(number(available), number(granted))}
    </Banner>
  );
}

function PlatformsBanner({ conditions: { platforms } }: { conditions: Conditions }) {
  const t = bannerMessages.value;
  const failing = platforms.filter((platform) => {
    const standing = standingOf(platform);
    return isFailing(standing) && standing.kind !== "no_browser";
  });
  if (failing.length === 0) return null;
  return (
    <Banner tone="bad" address={to("/platforms")} action={t.platformsAction}>
      <strong>{t.platforms(failing.length)}</strong> {failing.map(({ name }) => name).join(", ")}
    </Banner>
  );
}

function BrowserBanner({ conditions: { platforms } }: { conditions: Conditions }) {
  const t = bannerMessages.value;
  const missing = platforms
    .flatMap(({ unavailable, unavailableOutputs }) => [...(unavailable ? [unavailable] : []), ...unavailableOutputs])
    .find(({ code }) => code === "browser_unavailable");
  if (missing === undefined) return null;
  return (
    <Banner tone="warn" address={to("/platforms")} action={t.platformsAction}>
      <strong>{t.noBrowser}</strong> <span lang="en">{missing.detail}</span>
    </Banner>
  );
}
