export const pickNext: (what: string | null) => void;
