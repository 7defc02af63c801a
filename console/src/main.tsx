import { render } from "preact";
import { followLinks } from "./app/address.ts";
import { App } from "./app/app.tsx";
import { ensureUsableLanguage } from "./app/usable-language.ts";

ensureUsableLanguage();
const root = document.getElementById("root");
if (root !== null) {
  followLinks();
  render(<App />, root);
}
