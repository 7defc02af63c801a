import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Compares a secret that somebody sent with the right one, in a time that tells nothing of either. Their digests have the same length
 * whatever was sent: `timingSafeEqual` throws for buffers of different lengths, and those of equally long strings can differ.
 */
export const isSameSecret = (given: string, wanted: string): boolean => timingSafeEqual(digest(given), digest(wanted));

const digest = (text: string) => createHash("sha256").update(text).digest();
