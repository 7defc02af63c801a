import type { Ad } from "@querent/client";
import type { ComponentChildren } from "preact";
import { taskMessages } from "../../../i18n/task.ts";
import { hostOf, isWebAddress } from "../web-address.ts";
import { Picture } from "./picture.tsx";
import * as css from "./ad-list.module.css";

/** The advertisements beside an answer, apart from it. Their links count no click, and their pictures are loaded as those of cards. */
export function AdList({ ads }: { ads: readonly Ad[] }) {
  const t = taskMessages.value;
  if (ads.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="ads-title">
      <h2 id="ads-title">
        {t.ads} <span class="count">{ads.length}</span>
      </h2>
      <p class="quiet small">{t.adsNote}</p>
      <ol class={css.ads}>
        {ads.map((ad) => (
          <li key={ad.position} class={css.ad} data-ad={ad.position}>
            <AdPicture address={ad.thumbnail} alt={ad.title ?? ad.advertiser ?? ""} />
            <div class={css.adBody}>
              <p class={css.adFacts}>
                <span class="tag">{ad.label ?? t.adLabel}</span>
                {ad.advertiser === null ? null : <bdi>{ad.advertiser}</bdi>}
                <span>{t.adPlacements[ad.placement] ?? ad.placement}</span>
              </p>
              <p class={css.adTitle} dir="auto">
                <AdLink address={ad.url}>
                  {ad.title ?? ad.displayUrl ?? (ad.url === null ? null : hostOf(ad.url)) ?? t.adUntitled}
                </AdLink>
              </p>
              {ad.text === null ? null : (
                <p class={css.adText} dir="auto">
                  {ad.text}
                </p>
              )}
              <p class={css.adFacts}>
                {ad.displayUrl === null ? null : <bdi>{ad.displayUrl}</bdi>}
                {ad.removed.length === 0 ? null : <span>{t.adRemoved(ad.removed)}</span>}
              </p>
              {ad.products.length === 0 ? null : (
                <ul class={css.adProducts}>
                  {ad.products.map((product, index) => (
                    <li key={index}>
                      <AdPicture address={product.thumbnail} alt={product.title} />
                      <span dir="auto">
                        <AdLink address={product.url}>{product.title}</AdLink>
                      </span>
                      {product.price === null ? null : <bdi>{product.price}</bdi>}
                    </li>
                  ))}
                </ul>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

const AdPicture = ({ address, alt }: { address: string | null; alt: string }) =>
  address === null ? null : <Picture address={address} alt={alt} />;

function AdLink({ address, children }: { address: string | null; children: ComponentChildren }) {
  if (address === null || !isWebAddress(address)) return <bdi>{children}</bdi>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow" title={address}>
      <bdi>{children}</bdi>
    </a>
  );
}
