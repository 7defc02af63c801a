/** How the reports of a project look: by whose name, logo and colour they are known. */
import { Type, type Static } from "typebox";
import { Closed, Nullable, OptionalOrNull, StorableText } from "./scalars.ts";

export const logoTypes = ["image/png", "image/jpeg", "image/webp"] as const;
export const logoBytesMax = 256 * 1024;
/** Of each side. */
export const logoPixelsMax = 2000;
/** In base64, which is how it is sent. */
const logoCharsMax = Math.ceil(logoBytesMax / 3) * 4;

export const ReportLooks = Type.Object({
  name: Nullable(Type.String(), { description: "At the top of each report, beside the logo. Null: none." }),
  color: Nullable(Type.String(), {
    description:
      "Of the line at the top and of what is emphasized, as `#rrggbb`. Where text in it would be hard to read, a lighter or darker one is used. Null: that of Querent.",
  }),
  logo: Nullable(
    Type.Object({
      type: Type.Enum([...logoTypes]),
      width: Type.Integer({ minimum: 1, maximum: logoPixelsMax }),
      height: Type.Integer({ minimum: 1, maximum: logoPixelsMax }),
      data: Type.String({ description: "The file, in base64." }),
    }),
    { description: "Null: none." },
  ),
});
export type ReportLooks = Static<typeof ReportLooks>;

export const ReportLooksChange = Closed({
  name: OptionalOrNull(
    StorableText({ minLength: 1, maxLength: 100, description: "Of the client, or of the agency. Left out: none." }),
  ),
  color: OptionalOrNull(
    Type.String({ pattern: "^#[0-9a-fA-F]{6}$", description: "As `#rrggbb`. Left out: that of Querent." }),
  ),
  logo: OptionalOrNull(
    Type.String({
      minLength: 1,
      maxLength: logoCharsMax,
      description: `A PNG, JPEG or WebP picture in base64, of at most ${logoBytesMax / 1024} KiB and ${logoPixelsMax} × ${logoPixelsMax} pixels. Left out: none.`,
    }),
  ),
});
export type ReportLooksChange = Static<typeof ReportLooksChange>;
