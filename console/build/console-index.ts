interface ConsoleIndexInput {
  readonly base: string;
  /** The entry first, then what it imports. */
  readonly scripts: readonly string[];
  /** Scripts that are no part of the console, as that of the watch mode. */
  readonly more: readonly string[];
  readonly styles: readonly string[];
  readonly fonts: readonly string[];
}

/** The console's one page: no script and no style of its own, so that its policy can forbid both. */
export function consoleIndex({
  base,
  scripts: [entry = "", ...imports],
  more,
  styles,
  fonts,
}: ConsoleIndexInput): string {
  const lines = [
    ...fonts.map((path) => `<link rel="preload" href="${base}/${path}" as="font" type="font/woff2" crossorigin>`),
    ...styles.map((path) => `<link rel="stylesheet" href="${base}/${path}">`),
    ...imports.map((path) => `<link rel="modulepreload" href="${base}/${path}">`),
    ...[entry, ...more].map((path) => `<script type="module" src="${base}/${path}"></script>`),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Querent</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='9' fill='%233548c8'/%3E%3Ccircle cx='15' cy='15' r='7' fill='none' stroke='%23fff' stroke-width='3'/%3E%3Cpath d='m19 19 5 5' stroke='%23fff' stroke-width='3' stroke-linecap='round'/%3E%3C/svg%3E">
${lines.join("\n")}
</head>
<body><div id="root"></div><noscript>The console needs JavaScript.</noscript></body>
</html>
`;
}
