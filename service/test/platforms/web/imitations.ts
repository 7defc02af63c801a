/**
 * Pages of our own that imitate the structure of the assistants' pages for which recipes are included: the elements that a
 * recipe names, in the order and nesting that its sources describe, and nothing else of the real pages.
 */
export interface Imitation {
  readonly composer: string;
  /** The answer's place; `CONTENT` stands for its HTML, `QUESTION` for the question. */
  readonly turn: string;
  /** What becomes of the turn when the answer is complete; the same elements with their final attributes. */
  readonly done: string;
  /** What is on the page while it answers. */
  readonly busy?: string;
  /** What is on the page in any case. */
  readonly page?: string;
  /** The path of the request that brings the answer. */
  readonly request?: string;
  /** The page's own copy button copies this. */
  readonly copies?: string;
}

const editor = (attributes: string) => `<div contenteditable="true" ${attributes}></div>`;

export const imitations: Readonly<Record<string, Imitation>> = {
  "chatgpt-web": {
    composer: `${editor('role="textbox" aria-label="询问 ChatGPT" data-composer-markdown="1" class="ProseMirror"')}<button type="submit" aria-label="Send">Send</button>`,
    turn: `<div data-turn-key="1"><div data-chatgpt-search-unit-key="1:0:user"><div data-user-message-bubble="true">QUESTION</div></div>
      <div data-chatgpt-search-unit-key="1:1:assistant"><h4 class="sr-only" data-conversation-role="assistant">ChatGPT said:</h4>
      <div data-markdown-text-style="assistant-message">CONTENT</div></div></div>`,
    done: `<div data-turn-key="1"><div data-chatgpt-search-unit-key="1:0:user"><div data-user-message-bubble="true">QUESTION</div></div>
      <div data-chatgpt-search-unit-key="1:1:assistant"><h4 class="sr-only" data-conversation-role="assistant">ChatGPT said:</h4>
      <div data-markdown-text-style="assistant-message">CONTENT<div data-markdown-copy="exclude">sh</div></div></div></div>`,
    busy: `<button type="button" aria-label="Stop">Stop</button>`,
    request: "/backend-api/f/conversation",
  },
  "google-ai-mode": {
    composer: "",
    turn: `<div data-scope-id="turn"><h2>QUESTION</h2><div data-subtree="aimc"><div data-container-id="main-col">CONTENT</div></div></div>`,
    done: `<div data-scope-id="turn"><h2>QUESTION</h2><div data-subtree="aimc"><div data-container-id="main-col">CONTENT<span data-subtree="aimba">One +2</span></div>
      <button aria-label="Copy text">Copy</button></div></div>`,
  },
  "google-ai-overview": {
    composer: "",
    turn: `<div data-mcpr="1"><div role="heading" aria-level="2">AI Overview</div><div data-container-id="main-col">CONTENT</div></div>`,
    done: `<div data-mcpr="1"><div role="heading" aria-level="2">AI Overview</div><div data-container-id="main-col">CONTENT</div><div data-type="hovc">·</div></div>`,
    page: `<div id="search"><div id="rso">Results</div></div>`,
  },
  "perplexity-web": {
    composer: `${editor('id="ask-input" data-lexical-editor="true"')}<button type="submit" aria-label="Submit">Ask</button>`,
    turn: `<div data-workflow-entry="0"><div class="group/user-bubble"><div data-renderer="lm" class="prose">QUESTION</div><button type="button" aria-label="Copy">Copy</button></div></div>
      <div class="contents">Searching</div><div class="prose" data-renderer="lm">CONTENT</div>`,
    done: `<div data-workflow-entry="0"><div class="group/user-bubble"><div data-renderer="lm" class="prose">QUESTION</div><button type="button" aria-label="Copy">Copy</button></div></div>
      <div class="contents">Finished 3 steps</div><div data-workflow-final-text class="group/final-text"><div class="prose" data-renderer="lm">CONTENT
      <span class="citation inline" data-pplx-citation data-pplx-citation-url="https://one.example/a"><span aria-label="One">one.example<span>+1</span></span></span></div></div>
      <div data-workflow-text-footer><button type="button" aria-label="Helpful">Helpful</button><button type="button" aria-label="Copy" class="answer">Copy</button></div>`,
    busy: `<button type="button" aria-label="Stop">Stop</button>`,
    request: "/rest/sse/perplexity_ask",
    copies: "Grind **finer**, as [One](https://one.example/a) says.\n\n- Weigh the beans.",
  },
  "copilot-web": {
    composer: `<div data-testid="composer"><textarea id="userInput"></textarea><button type="submit" data-testid="submit-button">Submit</button></div>`,
    turn: `<div data-content="user-message">QUESTION</div><div data-content="ai-message"><div data-testid="ai-message-body">CONTENT</div></div>`,
    done: `<div data-content="user-message">QUESTION</div><div data-content="ai-message"><div data-testid="ai-message-body">CONTENT<button data-testid="citation-overflow-button">+2</button></div>
      <div data-testid="message-item-reactions">Like</div></div>`,
    busy: `<button type="button" aria-label="Stop">Stop</button>`,
  },
  "claude-web": {
    composer: `${editor('data-testid="chat-input" role="textbox"')}<button type="submit" data-testid="chat-input-send">Send</button>`,
    turn: `<div data-testid="transcript-row" data-perf-row="human"><div data-cds="UserMessage"><div data-testid="user-message">QUESTION</div></div></div>
      <div data-testid="transcript-row" data-perf-row="assistant"><div data-testid="assistant-message" data-is-streaming="true"><h2 class="sr-only">Claude responded:</h2><div><div data-cds="TurnStatus">Searching the web</div>
      <div data-transcript-engine-root><div data-cds="Prose"><div data-perf-reply-text>CONTENT</div></div></div></div></div></div>`,
    done: `<div data-testid="transcript-row" data-perf-row="human"><div data-cds="UserMessage"><div data-testid="user-message">QUESTION</div></div></div>
      <div data-testid="transcript-row" data-perf-row="assistant"><div data-testid="assistant-message" data-is-streaming="false"><h2 class="sr-only">Claude responded:</h2><div><div data-cds="TurnStatus">Searched the web</div>
      <div data-transcript-engine-root><div data-cds="Prose"><div data-perf-reply-text>CONTENT</div></div></div></div><div><div data-testid="message-actions"><button type="button">Copy</button> 10:41</div></div></div></div>`,
    busy: `<button type="button" data-testid="chat-input-stop">Stop</button>`,
    request: "/api/organizations/1/chat_conversations/2/completion",
  },
  "grok-web": {
    composer: `<textarea aria-label="Ask Grok anything"></textarea><button type="submit" aria-label="Submit">Submit</button>`,
    turn: `<div data-testid="user-message">QUESTION</div><div data-testid="assistant-message"><div class="thinking-container">Thinking</div><div class="response-content-markdown">CONTENT</div></div>`,
    done: `<div data-testid="user-message">QUESTION</div><div data-testid="assistant-message"><div class="thinking-container">Thought</div><div class="response-content-markdown">CONTENT</div></div>`,
    busy: `<button type="button" aria-label="Stop model response">Stop</button>`,
    request: "/rest/app-chat/conversations/new",
  },
  "meta-ai-web": {
    composer: `${editor('data-testid="composer-input"')}<button type="submit" data-testid="composer-send-button">Send</button>`,
    turn: `<div role="article" aria-label="Meta AI response"><div data-testid="assistant-message" data-streaming-state="STREAMING"><div class="markdown-content">CONTENT</div></div></div>`,
    done: `<div role="article" aria-label="Meta AI response"><div data-testid="assistant-message" data-streaming-state="DONE"><div class="markdown-content">CONTENT</div></div></div>`,
    busy: `<button type="button" data-testid="composer-stop-button">Stop</button>`,
  },
  "deepseek-web": {
    composer: `<textarea placeholder="Message DeepSeek"></textarea><div role="button" class="ds-toggle-button" aria-pressed="false">DeepThink</div>`,
    turn: `<div class="ds-virtual-list ds-virtual-list--printable"><div class="ds-virtual-list-items"><div class="ds-virtual-list-visible-items"><div class="_81e7b5e"><div class="ds-message"><div class="ds-collapsible-text">QUESTION</div></div></div>
      <div class="_81e7b5e"><div class="ds-message"><div class="ds-think-content"><div class="ds-markdown">Let me think.</div></div><div class="ds-markdown ds-assistant-message-main-content">CONTENT</div></div></div></div></div></div>`,
    done: `<div class="ds-virtual-list ds-virtual-list--printable"><div class="ds-virtual-list-items"><div class="ds-virtual-list-visible-items"><div class="_81e7b5e"><div class="ds-message"><div class="ds-collapsible-text">QUESTION</div></div></div>
      <div class="_81e7b5e"><div class="ds-message"><span onclick="document.querySelector('.cards').hidden = false">已阅读 1 个网页</span><div class="ds-think-content"><div class="ds-markdown">Let me think.</div></div><div class="ds-markdown ds-assistant-message-main-content">CONTENT</div></div><div role="button" aria-label="Read aloud">Read</div></div></div></div></div>`,
    page: `<div class="cards" hidden><a href="https://one.example/a"><div class="search-view-card__title">One</div><div class="search-view-card__snippet">Of mills.</div></a></div>`,
    busy: `<div role="button" class="ds-button--primary ds-button--circle"><i class="ds-loading">…</i></div>`,
  },
  "doubao-web": {
    composer: `${editor('role="textbox"')}<button type="submit" id="flow-end-msg-send">Send</button>`,
    turn: `<div data-message-id="1"><div class="justify-end">QUESTION</div></div><div data-message-id="2"><div data-plugin-identifier="block_type:10000"><div class="md-box-root" data-streaming="true">CONTENT</div></div></div>`,
    done: `<div data-message-id="1"><div class="justify-end">QUESTION</div></div><div data-message-id="2"><div data-plugin-identifier="block_type:10000"><div class="md-box-root" data-streaming="false">CONTENT</div></div>
      <div data-foundation-type="receive-message-action-bar">Copy</div></div>`,
  },
  "kimi-web": {
    composer: `${editor('class="chat-input-editor" role="textbox"')}<div class="send-button-container" role="button" onclick="this.closest('form').requestSubmit()">Send</div>`,
    turn: `<div class="chat-content-item-user">QUESTION</div><div class="chat-content-item-assistant"><div class="toolcall"><div class="markdown-container toolcall-content-text">Searching</div></div><div class="markdown-container"><div class="markdown">CONTENT</div></div></div>`,
    done: `<div class="chat-content-item-user">QUESTION</div><div class="chat-content-item-assistant"><div class="toolcall"><div class="markdown-container toolcall-content-text">Searching</div></div><div class="markdown-container"><div class="markdown">CONTENT</div></div><div class="segment-assistant-actions">Copy</div></div>`,
    busy: `<div class="send-button-container stop">Stop</div>`,
  },
  "qwen-web": {
    composer: `${editor('role="textbox" aria-multiline="true" data-slate-editor="true"')}<button type="submit" aria-label="发送消息">Send</button>`,
    turn: `<div class="answer-common-card"><div class="qk-markdown">CONTENT</div></div>`,
    done: `<div class="answer-common-card"><div class="qk-markdown qk-markdown-complete">CONTENT<div data-card-type="video">Card</div></div></div>`,
    // A guide over the composer, which only Escape closes.
    page: `<div role="dialog" style="position: fixed; inset: 0"><img data-testid="home-guide-carousel-image" alt="Guide"></div>
      <script>addEventListener("keydown", ({ key }) => key === "Escape" && document.querySelector("[role=dialog]")?.remove())</script>`,
  },
  "yuanbao-web": {
    composer: `${editor('class="ql-editor"')}<span class="icon-send" role="button" aria-label="发送" onclick="this.closest('form').requestSubmit()">Send</span>`,
    turn: `<div class="agent-chat__list__item--human" data-conv-speaker="human">QUESTION</div><div class="agent-chat__list__item--ai" data-conv-speaker="ai" data-conv-outputting="true"><div class="hyc-component-deepsearch-cot__think">Let me think.</div><div class="hyc-content-md"><div class="hyc-common-markdown">CONTENT</div></div></div>`,
    done: `<div class="agent-chat__list__item--human" data-conv-speaker="human">QUESTION</div><div class="agent-chat__list__item--ai" data-conv-speaker="ai" data-conv-outputting="false"><div class="hyc-component-deepsearch-cot__think">Let me think.</div><div class="hyc-content-md hyc-content-md-done"><div class="hyc-common-markdown">CONTENT<div class="hyc-common-markdown__ref-list">3</div></div></div><div data-toolbar-type="citation" onclick="document.querySelector('.agent-dialogue-references__list').hidden = false">源</div></div>`,
    page: `<ul class="agent-dialogue-references__list" hidden><li class="agent-dialogue-references__item"><div class="hyc-common-markdown__ref_card" data-idx="1" data-url="https://one.example/a"><div class="hyc-common-markdown__ref_card-foot__source_txt">One's site</div><h4 class="hyc-common-markdown__ref_card-title">One</h4><p class="hyc-common-markdown__ref_card-desc">Of mills.</p></div></li></ul>`,
  },
  "gemini-web": {
    composer: `<rich-textarea><div class="ql-editor" contenteditable="true" role="textbox"></div></rich-textarea><button type="submit" class="send-button" aria-disabled="false">Send</button>`,
    turn: `<model-response><message-content><div class="markdown">CONTENT</div></message-content></model-response>`,
    done: `<model-response><message-content><div class="markdown">CONTENT</div></message-content><message-actions><button type="button" aria-label="Copy">Copy</button></message-actions></model-response>`,
    request: "/_/BardChatUi/data/StreamGenerate",
  },
};

/** The answer that every imitation gives. */
export const contentHtml = `<p>Grind <strong>finer</strong>, as <a href="https://one.example/a">One</a> says.</p><ul><li>Weigh the beans.</li></ul>`;
export const contentMarkdown = "Grind **finer**, as [One](https://one.example/a) says.\n\n- Weigh the beans.";

/** The page: it shows half of the answer, stalls, shows all of it, and ends `endMs` later. */
export function imitationHtml(imitation: Imitation, { stallMs = 1500 } = {}): string {
  const half = contentHtml.slice(0, contentHtml.indexOf("<ul>"));
  const json = (value: unknown) => JSON.stringify(value).replaceAll("<", "\\u003c");
  return `<!doctype html><meta charset="utf-8"><main></main>${imitation.page ?? ""}<form>${imitation.composer}</form><div class="busy"></div>
<script>
  const page = ${json({ ...imitation, half, whole: contentHtml })};
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const main = document.querySelector("main");
  const form = document.querySelector("form");
  const field = form.querySelector("textarea, [contenteditable]");
  const show = (html, content, question) => (main.innerHTML = html.replace("CONTENT", content).replace("QUESTION", () =>
    Object.assign(document.createElement("i"), { innerText: question }).innerHTML));
  async function answer(question) {
    const busy = Object.assign(document.createElement("div"), { innerHTML: page.busy ?? "" });
    form.append(busy);
    const sent = page.request ? fetch(page.request, { method: "POST", body: question }).then((response) => response.text()) : null;
    await wait(200);
    show(page.turn, page.half, question);
    await wait(${stallMs});
    show(page.turn, page.whole, question);
    await sent;
    busy.remove();
    show(page.done, page.whole, question);
    for (const copy of page.copies ? main.querySelectorAll("button[aria-label=Copy]") : [])
      copy.onclick = () => navigator.clipboard.writeText(copy.matches(".answer") ? page.copies : "The question");
    await fetch("/ended");
  }
  form.onsubmit = (event) => {
    event.preventDefault();
    const question = field.value ?? field.innerText;
    if (field.value === undefined) field.innerText = ""; else field.value = "";
    answer(question);
  };
  field?.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    form.requestSubmit();
  });
  const asked = new URLSearchParams(location.search).get("q");
  if (asked && !asked.includes("without an overview")) answer(asked);
</script>`;
}
