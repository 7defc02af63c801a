export const keepClipboard: () => void;
