import type { ProductCard } from "@querent/client";
import { Fragment, type ComponentChildren } from "preact";
import { Icon } from "../../../ui/icon.tsx";
import { taskMessages } from "../../../i18n/task.ts";
import { hostOf, isAppAddress, isWebAddress } from "../web-address.ts";
import { labelOf, pictureOf, type AnyCard } from "./cards-of.ts";
import { openApp } from "./open-app.ts";
import { Picture } from "./picture.tsx";
import * as css from "./card-view.module.css";

/** A card, with what the platform showed on it. Products are opened as their fields say: `url` first. */
export function CardView({ any }: { any: AnyCard }) {
  const t = taskMessages.value;
  const label = any.kind === "media" ? any.card.mediaType : t.cardKinds[any.kind];
  const title = any.card.title ?? any.card.url ?? labelOf(any);
  return (
    <article class="card" aria-label={t.card(any.card.position, label)}>
      <div class="card-picture">
        <Picture address={pictureOf(any)} alt={title} />
        {any.kind === "video" && any.card.duration !== null ? (
          <bdi class={css.cardDuration}>{any.card.duration}</bdi>
        ) : null}
      </div>
      <div class={css.cardBody}>
        <p class={css.cardLabel}>
          <span class={css.cardNumber} data-position>
            {any.card.position}
          </span>
          {label}
        </p>
        <p class={css.cardTitle} dir="auto">
          {any.kind === "product" ? (
            <ProductLink card={any.card}>
              <bdi>{title}</bdi>
            </ProductLink>
          ) : (
            <CardLink address={any.card.url}>
              <bdi>{title}</bdi>
            </CardLink>
          )}
        </p>
        <Facts any={any} />
      </div>
    </article>
  );
}

function Facts({ any }: { any: AnyCard }) {
  const facts = factsOf(any).filter((fact): fact is string => fact !== null && fact !== "");
  const points = any.kind === "product" ? any.card.sellingPoints : [];
  return (
    <>
      {any.kind === "product" && any.card.price !== "" ? <p class={css.cardPrice}>{price(any.card)}</p> : null}
      {facts.length === 0 ? null : (
        <p class={css.cardFacts} dir="auto">
          {facts.map((fact, index) => (
            <Fragment key={`${index} ${fact}`}>
              {index === 0 ? null : " · "}
              <bdi>{fact}</bdi>
            </Fragment>
          ))}
        </p>
      )}
      {points.length === 0 ? null : (
        <ul class={css.cardPoints}>
          {points.map((point) => (
            <li key={point} class="tag">
              <bdi>{point}</bdi>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function factsOf(any: AnyCard): (string | null)[] {
  switch (any.kind) {
    case "product":
      return [any.card.mall, any.card.sales];
    case "video":
      return [any.card.author, any.card.videoPlatform];
    case "media":
      return [any.card.content, any.card.url === null ? null : hostOf(any.card.url)];
  }
}

/** A unit in letters stands apart from its number. */
const price = ({ price, priceUnit }: ProductCard): string =>
  /^[a-z]/i.test(priceUnit) ? `${price} ${priceUnit}` : `${price}${priceUnit}`;

function CardLink({ address, children }: { address: string | null; children: ComponentChildren }) {
  if (address !== null && isWebAddress(address)) {
    return (
      <a href={address} target="_blank" rel="noopener noreferrer nofollow" title={address}>
        {children}
      </a>
    );
  }
  return (
    <>
      {children}
      {address === null || address === "" ? null : (
        <code class="not-linked" title={taskMessages.value.unsafe}>
          {address.slice(0, 200)}
        </code>
      )}
    </>
  );
}

/** `web` opens in the browser. `app_deep_link` opens the app; where that fails, `fallbackUrl`, which is offered beside it too. */
function ProductLink({ card, children }: { card: ProductCard; children: ComponentChildren }) {
  const t = taskMessages.value;
  if (card.urlType === "web" || !isAppAddress(card.url)) return <CardLink address={card.url}>{children}</CardLink>;
  const fallback = card.fallbackUrl !== null && isWebAddress(card.fallbackUrl) ? card.fallbackUrl : null;
  return (
    <>
      <a
        href={card.url}
        title={`${t.openApp}: ${card.url}`}
        onClick={(event) => {
          event.preventDefault();
          openApp(card.url, fallback);
        }}
      >
        {children} <Icon name="external" />
      </a>
      {fallback === null ? null : (
        <a
          class={`${css.cardFallback} small`}
          href={fallback}
          target="_blank"
          rel="noopener noreferrer nofollow"
          title={fallback}
        >
          {t.openWeb}
        </a>
      )}
    </>
  );
}
