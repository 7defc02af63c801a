import "./app/usable-language.ts";
import { render } from "preact";
import { followLinks } from "./app/address.ts";
import { App } from "./app/app.tsx";

const root = document.getElementById("root");
if (root !== null) {
  followLinks();
  render(<App />, root);
}
