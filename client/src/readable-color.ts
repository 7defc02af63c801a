/** Colours in which text can be read (WCAG 2, success criterion 1.4.3), as reports choose them. */

/** What text of usual size needs. */
const contrastLeast = 4.5;

/** A colour like this one, as `#rrggbb`, whose contrast to a ground is enough for text: mixed with black or white as little as needed. */
export function readableColor(color: string, ground: string): string {
  const target = luminance(partsOf(ground)) > 0.18 ? 0 : 255;
  for (let step = 0; step <= 50; step++) {
    const mixed = partsOf(color).map((part) => Math.round(part + ((target - part) * step) / 50));
    if (contrast(mixed, partsOf(ground)) >= contrastLeast)
      return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  }
  return target === 0 ? "#000000" : "#ffffff";
}

const partsOf = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

function contrast(one: readonly number[], other: readonly number[]): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(parts: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = parts.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
