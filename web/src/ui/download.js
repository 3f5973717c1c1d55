/** Lets the browser save a file. */
export function download(name, mime, content) {
  const blob = content instanceof Blob ? content : new Blob([content], {type: mime});
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName(name);
  document.body.append(link);
  link.click();
  link.remove();
  // The browser reads the blob after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A name that every file system takes. */
export function fileName(text) {
  return (
    text
      .normalize("NFC")
      .replace(/[^\p{L}\p{N}._-]+/gu, "-")
      .replace(/^[-.]+|-+$/g, "")
      .slice(0, 120) || "inferbench"
  );
}
