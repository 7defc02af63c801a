/** The console's drawings, on a grid of 16. They say nothing by themselves: a word stands beside each, or its control has a label. */
const drawings = {
  overview: "M2.5 13.5v-5M6.2 13.5v-9M9.8 13.5V7M13.5 13.5v-11",
  usage: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 2v6l4.3 4.2",
  cap: "M2.5 4h11M8 13.5V7M5 9.5 8 6.5l3 3",
  key: "M10.5 8.5a3.2 3.2 0 1 0-3-3L2.5 10.5v3h3v-2h2v-2Z",
  platforms: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM2 8h12M8 2c2.2 2 2.2 10 0 12M8 2c-2.2 2-2.2 10 0 12",
  operator:
    "M3 4.5h4.5M11 4.5h2M3 11.5h2M8.5 11.5H13M9.2 6.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4ZM6.7 13.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4Z",
  tag: "M2.5 2.5h5.2l5.8 5.8-5.2 5.2-5.8-5.8ZM5.4 5.4h.01",
  tasks: "M2.5 4h1M6 4h7.5M2.5 8h1M6 8h7.5M2.5 12h1M6 12h7.5",
  folder: "M2 12.8V3.2h4.3l1.6 2H14v7.6Z",
  batches: "M2.5 3h4.5v4H2.5zM9 3h4.5v4H9zM2.5 9.5H7v4H2.5zM9 9.5h4.5v4H9z",
  download: "M8 2.5v8M4.5 7.5 8 11l3.5-3.5M3 13.5h10",
  bell: "M4 11V7a4 4 0 0 1 8 0v4l1.3 1.5H2.7ZM6.7 14.2h2.6",
  add: "M8 3v10M3 8h10",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.5 10.5 14 14",
  copy: "M6 5.5h7.5V14H6zM10 5.5V2.5H2.5V11H6",
  check: "m3 8.5 3.2 3.2L13 5",
  cross: "m4 4 8 8M12 4l-8 8",
  back: "M9.5 3.5 5 8l4.5 4.5",
  forward: "M6.5 3.5 11 8l-4.5 4.5",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  play: "M5 3.5 12 8l-7 4.5Z",
  repeat: "M3 8a5 5 0 0 1 8.6-3.5L13 6M13 2.8V6H9.8M13 8a5 5 0 0 1-8.6 3.5L3 10M3 13.2V10h3.2",
  external: "M9 3h4v4M13 3 7.5 8.5M11.5 9.5V13H3V4.5h3.5",
  image: "M2.5 3h11v10h-11zM2.5 11l3.5-3.5L9 10.5l1.5-1.5 3 3",
  sun: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M12.6 3.4l-.7.7M4.1 11.9l-.7.7",
  moon: "M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5Z",
  system: "M2.5 3h11v8h-11zM6 13.5h4",
  keyboard: "M1.5 4h13v8h-13zM4 6.7h.01M6.7 6.7h.01M9.3 6.7h.01M12 6.7h.01M5 9.3h6",
  leave: "M6.5 3H3v10h3.5M7 8h6.5M11 5.5 13.5 8 11 10.5",
  clock: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.8V8l2.2 1.6",
  alert: "M8 2 14.5 13.5h-13ZM8 6.5v3M8 11.5v.1",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  people:
    "M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM1.5 13.5a4.5 4.5 0 0 1 9 0M10.5 2.8a2.5 2.5 0 0 1 0 4.4M12 9.6a4.5 4.5 0 0 1 2.5 3.9",
  person: "M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8ZM2.8 14a5.2 5.2 0 0 1 10.4 0",
  send: "M14 2 7 9M14 2 9.5 14 7 9 2 6.5Z",
} as const;

export type IconName = keyof typeof drawings;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={drawings[name]} />
    </svg>
  );
}
