import { figuresMessages } from "../../i18n/figures.ts";
import { BrandShares, SiteShares, type ShareTablesProps } from "./share-tables.tsx";
import * as css from "./figures.module.css";

/** Whose products answers show, where they stand, and which shops they lead to. Nothing where no answer shows a product of a shop. */
export function ProductPart(props: ShareTablesProps) {
  const t = figuresMessages.value;
  if (!props.rows.some(({ measure }) => measure === "shop_share")) return null;
  const columns = (["product_rate", "product_position", "product_share"] as const).map(
    (measure) => [measure, t.productColumns[measure]] as const,
  );
  return (
    <section class={`panel ${css.part}`} aria-labelledby="figures-products" data-products>
      <h2 id="figures-products">{t.products}</h2>
      <p class="quiet small">{t.productsText}</p>
      <BrandShares {...props} columns={columns} label={t.products} />
      <SiteShares {...props} measure="shop_share" site={t.productColumns.shop} share={t.productColumns.shop_share} />
    </section>
  );
}
