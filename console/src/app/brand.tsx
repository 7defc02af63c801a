import * as css from "./brand.module.css";

export function Brand() {
  return (
    <span class={css.brand}>
      <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="9" class={css.brandTile} />
        <circle cx="15" cy="15" r="7" class={css.brandLine} />
        <path d="m19 19 5 5" class={css.brandLine} />
      </svg>
      Querent
    </span>
  );
}
