import { go, to } from "../../app/address.ts";
import { panelsMessages } from "../../i18n/panels.ts";
import { PanelForm } from "./panel-form.tsx";
import { useTitle } from "../../ui/use-title.ts";

/** Creates a panel, and goes to it. */
export function NewPanelView() {
  const t = panelsMessages.value;
  useTitle(t.create);
  return (
    <div class="view">
      <header class="view-head">
        <h1>{t.create}</h1>
      </header>
      <PanelForm
        before={null}
        done={({ panelId }) => go(to(`/panels/${panelId}`, { part: "runs" }))}
        cancel={() => go(to("/panels"))}
      />
    </div>
  );
}
