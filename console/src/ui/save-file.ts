/** Gives the person a file, as a download of the browser's. */
export function saveFile(name: string, file: Blob): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The download has begun by then; the address would keep the file as long as the page is open.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
