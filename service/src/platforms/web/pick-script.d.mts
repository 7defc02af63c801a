export const pickNext: (what: string) => void;
