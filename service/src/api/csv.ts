/** CSV as replies have it (RFC 4180, UTF-8): written as the command line and the console write it, and read by the same reader. */
export { csvLines, type CsvCell } from "@querent/client";
