import type { Definition, Link, LinkReference, Nodes, Parents, Table } from "mdast";
import type { ComponentChildren } from "preact";
import { isWebAddress } from "../web-address.ts";
import { Picture } from "./picture.tsx";
import * as css from "./markdown-node.module.css";

export interface MarkdownContext {
  /** The number that a source has beside the answer, by its address. */
  readonly sources: ReadonlyMap<string, number>;
  readonly definitions: ReadonlyMap<string, Definition>;
}

interface MarkdownNodeProps {
  readonly node: Nodes;
  readonly context: MarkdownContext;
  readonly depth: number;
}

/** Deeper than any person nests; what lies below is left out. */
const depthMax = 64;

/** One node of Markdown. HTML in it is shown as the text that it is. */
export function MarkdownNode({ node, context, depth }: MarkdownNodeProps) {
  if (depth > depthMax) return null;
  const inside = (parent: Parents) =>
    parent.children.map((child, index) => (
      <MarkdownNode key={index} node={child} context={context} depth={depth + 1} />
    ));
  switch (node.type) {
    case "text":
      return <>{node.value}</>;
    case "paragraph":
      return <p dir="auto">{inside(node)}</p>;
    case "heading":
      // The page has its own first and second levels.
      return node.depth <= 2 ? <h2 dir="auto">{inside(node)}</h2> : <h3 dir="auto">{inside(node)}</h3>;
    case "strong":
      return <strong>{inside(node)}</strong>;
    case "emphasis":
      return <em>{inside(node)}</em>;
    case "delete":
      return <del>{inside(node)}</del>;
    case "inlineCode":
      return <code>{node.value}</code>;
    case "code":
      return (
        <pre tabIndex={0}>
          <code>{node.value}</code>
        </pre>
      );
    case "html":
      return <code>{node.value}</code>;
    case "blockquote":
      return <blockquote dir="auto">{inside(node)}</blockquote>;
    case "list":
      return node.ordered === true ? <ol start={node.start ?? 1}>{inside(node)}</ol> : <ul>{inside(node)}</ul>;
    case "listItem":
      return (
        <li dir="auto">
          {typeof node.checked === "boolean" ? (node.checked ? "☑ " : "☐ ") : null}
          {inside(node)}
        </li>
      );
    case "break":
      return <br />;
    case "thematicBreak":
      return <hr />;
    case "link":
      return <TextLink address={node.url} context={context} mark={markOf(node)} children={inside(node)} />;
    case "linkReference":
      return (
        <TextLink
          address={context.definitions.get(node.identifier)?.url ?? ""}
          context={context}
          mark={markOf(node)}
          children={inside(node)}
        />
      );
    case "image":
      return <Picture address={node.url} alt={node.alt ?? ""} />;
    case "imageReference":
      return <Picture address={context.definitions.get(node.identifier)?.url ?? null} alt={node.alt ?? ""} />;
    case "table":
      return <TextTable table={node} context={context} depth={depth} />;
    case "footnoteReference":
      return <sup>{node.label ?? node.identifier}</sup>;
    case "footnoteDefinition":
      return (
        <div class={css.footnote}>
          <sup>{node.label ?? node.identifier}</sup>
          <div>{inside(node)}</div>
        </div>
      );
    case "root":
    case "tableRow":
    case "tableCell":
      return <>{inside(node)}</>;
    case "definition":
    case "yaml":
      return null;
  }
}

interface TextLinkProps {
  readonly address: string;
  readonly context: MarkdownContext;
  /** The number alone that is the link's text, as `[1]` has it; null where it has words. */
  readonly mark: string | null;
  readonly children: ComponentChildren;
}

/** A link of the text, with the number of the source that it leads to. What leads to no web page is text. */
function TextLink({ address, context, mark, children }: TextLinkProps) {
  const isLinked = isWebAddress(address);
  const source = isLinked ? context.sources.get(address) : undefined;
  // A link that is a citation mark already is shown as one, and not with a second one.
  const shown =
    mark === null ? (
      <>
        {children}
        {source === undefined ? null : <sup class={css.cites}>{source}</sup>}
      </>
    ) : (
      <sup class={css.cites}>{source ?? mark}</sup>
    );
  if (!isLinked) return mark === null ? <>{children}</> : shown;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow" title={address}>
      {shown}
    </a>
  );
}

function markOf({ children }: Link | LinkReference): string | null {
  const text = children.map((child) => (child.type === "text" ? child.value : "\0")).join("");
  return /^\s*[[\u3010]?\^?(\d{1,3})[\]\u3011]?\s*$/u.exec(text)?.[1] ?? null;
}

function TextTable({ table, context, depth }: { table: Table; context: MarkdownContext; depth: number }) {
  const [head, ...rows] = table.children;
  const cell = (node: Nodes) => <MarkdownNode node={node} context={context} depth={depth + 2} />;
  const align = (index: number) => css[`align-${table.align?.[index] ?? "start"}`];
  return (
    <div class="table-frame" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head?.children.map((child, index) => (
              <th key={index} scope="col" class={align(index)}>
                {cell(child)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.children.map((child, column) => (
                <td key={column} class={align(column)}>
                  {cell(child)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
