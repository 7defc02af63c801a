import { Type, type TObjectOptions, type TSchema } from "typebox";

/** A UUID in its canonical lower-case text form. Ids created by the service are UUIDv7 (RFC 9562), so they sort by time. */
export const Uuid = Type.String({
  format: "uuid",
  description: "UUID, lower case. Ids created by the service are UUIDv7.",
});

/** ISO 8601 UTC with milliseconds and `Z`: `2026-11-01T09:30:00.000Z`. */
export const Timestamp = Type.String({
  format: "date-time",
  description: "ISO 8601 UTC with milliseconds, ending in `Z`.",
});

/** A time sent by a client: ISO 8601 UTC, ending in `Z`; fractions of a second are optional. */
export const UtcTimestamp = Type.String({
  format: "utc-date-time",
  description: "ISO 8601 UTC, ending in `Z`, such as `2026-11-01T09:30:00Z`.",
});

/** An absolute `https:` URL of at most 2,048 characters, without credentials. */
export const HttpsUrl = Type.String({
  format: "https-url",
  maxLength: 2048,
  description: "An absolute `https:` URL, without user name or password.",
});

/**
 * Text that can be stored and returned exactly as sent: Unicode without U+0000 and without lone surrogates.
 * The bounds count Unicode code points.
 */
export function StorableText(bounds: { minLength: number; maxLength?: number; description: string }) {
  return Type.String({ format: "storable-text", ...bounds });
}

/** `schema` or null. */
export function Nullable<T extends TSchema>(schema: T, options: { description?: string } = {}) {
  return Type.Union([schema, Type.Null()], options);
}

/** An optional member of a request. `null` is the same as omitting it, because many serializers write it for unset members. */
export function OptionalOrNull<T extends TSchema>(schema: T) {
  return Type.Optional(Nullable(schema));
}

/** An object that rejects unknown members. Every request body is of this kind. */
export function Closed<T extends Record<string, TSchema>>(properties: T, options: TObjectOptions = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}
