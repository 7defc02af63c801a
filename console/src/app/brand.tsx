export function Brand() {
  return (
    <span class="brand">
      <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="9" class="brand-tile" />
        <circle cx="15" cy="15" r="7" class="brand-line" />
        <path d="m19 19 5 5" class="brand-line" />
      </svg>
      Querent
    </span>
  );
}
