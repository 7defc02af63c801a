/** Saves a file as a browser download. */
export function saveFile(name: string, file: Blob): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The download has begun by then. An address that is not revoked keeps the file in memory while the page is open.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
