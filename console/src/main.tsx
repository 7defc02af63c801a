import "@fontsource-variable/inter/wght.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/shell.css";
import "./styles/tasks.css";
import "./styles/task.css";
import "./styles/new-batch.css";
import { render } from "preact";
import { followLinks } from "./app/address.ts";
import { App } from "./app/app.tsx";

const root = document.getElementById("root");
if (root !== null) {
  followLinks();
  render(<App />, root);
}
