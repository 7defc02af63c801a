/** Gives the person a file, as a download of the browser's. */
export function saveFile(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
