/** How each view is looked at: on a desk and on a phone, by day and by night. */
export const views = [
  { width: 1280, theme: "light" },
  { width: 1280, theme: "dark" },
  { width: 390, theme: "light" },
  { width: 390, theme: "dark" },
] as const;
