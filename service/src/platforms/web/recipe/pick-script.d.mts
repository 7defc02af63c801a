export const pickNext: (what: string | null) => boolean;
