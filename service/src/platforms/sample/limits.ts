/** How much of a folder is read. What exceeds a limit is omitted and reported as a problem. */
export const filesMax = 50_000;
export const folderDepthMax = 8;
export const markdownFileBytesMax = 2 * 1024 * 1024;
export const dataFileBytesMax = 32 * 1024 * 1024;
export const corpusBytesMax = 512 * 1024 * 1024;
export const documentsMax = 100_000;
export const cardsMax = 1_000;
export const titleCharsMax = 300;
export const problemsMax = 100;
/** A passage is the unit that is found, ranked and quoted: a few paragraphs of one section. */
export const passageCharsMin = 400;
export const passageCharsMax = 1_500;
