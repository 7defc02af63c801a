/**
 * The parameters of a stored body's media type name the vendor whose format it has and the endpoint that sent it, which parsing
 * it again needs and the body does not contain.
 */

interface Origin {
  readonly api: string;
  readonly endpoint: string;
}

export function writeMediaType(contentType: string | undefined, { api, endpoint }: Origin): string {
  const essence =
    /^[\w.+-]{1,64}\/[\w.+-]{1,64}/u.exec(contentType?.trim() ?? "")?.[0].toLowerCase() ?? "application/json";
  return `${essence}; api=${api}; endpoint="${endpoint.replace(/["\\\s]/gu, encodeURIComponent)}"`;
}

export function readMediaType(mediaType: string): { readonly api: string | null; readonly endpoint: string | null } {
  return {
    api: /; api=([\w-]+)/u.exec(mediaType)?.[1] ?? null,
    endpoint: /; endpoint="([^"]*)"/u.exec(mediaType)?.[1] ?? null,
  };
}
