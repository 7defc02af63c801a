/** Chinese letters on machines that have no font with them: pictures are to look the same wherever they are made. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { fontFaces, fontPath } from "../../../service/src/answers/page/fonts.ts";

const family = "Noto Sans SC";
const face = /font-family:"Noto Sans SC".*?url\(([\w.-]+)\).*?unicode-range:([^}]+)\}/g;

/** Gives the page the letters of `text`, as bytes: its policy lets no font come from elsewhere. */
export async function addChineseFont(page: Page, text: string): Promise<void> {
  const fonts = [...fontFaces(text, "").matchAll(face)].flatMap(([, name = "", unicodeRange = ""]) => {
    const path = fontPath(name);
    return path === null ? [] : [{ bytes: readFileSync(path).toString("base64"), unicodeRange }];
  });
  for (const { bytes, unicodeRange } of fonts) {
    await page.evaluate(
      `document.fonts.add(new FontFace(${JSON.stringify(family)},
         Uint8Array.from(atob(${JSON.stringify(bytes)}), (letter) => letter.charCodeAt(0)).buffer,
         { weight: "100 900", unicodeRange: ${JSON.stringify(unicodeRange)} }))`,
    );
  }
}
