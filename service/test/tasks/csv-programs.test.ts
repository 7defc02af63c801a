/** What other programs read of the CSV that leaves Querent: the same cells, the same rows, and no formula. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { pathToFileURL } from "node:url";
import { csvLines } from "@querent/client";
import { load } from "cheerio";
import { parse } from "csv-parse/sync";
import type { Element } from "domhandler";
import fc from "fast-check";
import { rowsInDuckDb } from "../harness/duckdb.ts";

const given = [
  ...[
    "=1+1",
    "+1",
    "-1",
    "@SUM(1)",
    "＝1+1",
    "＋1",
    "－1",
    "＠x",
    "'=1+1",
    "''=1+1",
    "'plain",
    '=HYPERLINK("http://a.example","x")',
  ],
  ...[
    "a\n=1+1",
    "a\r=1+1",
    "a\r\n=1+1",
    "\n=1",
    "\r=1",
    "\t=1",
    " =1",
    "a;=1+1",
    "a\t=1",
    "- one\n- two\n  - three",
    'a,"b"\r\nc',
  ],
  ...["", " ", " a ", '"', "'", ",", ";", 'a"=1', '{"a":[1,-2]}', "日本\n－5", "x".repeat(40_000)],
];
const random = fc.sample(
  fc.array(fc.constantFrom(..."=+-@＝'\"\t\r\n;, a5|\\é日", "\r\n"), { maxLength: 12 }).map((parts) => parts.join("")),
  { seed: 1, numRuns: 300 },
);
/** The second and third columns are negative numbers, the fourth is whatever an answer holds. */
const rows = [...given, ...random].map((text, index) => [`row-${index}`, -1 - index, (1 + index) / -8, text] as const);
const head = ["id", "whole", "part", "content"];
const csv = csvLines([head, ...rows]);
/** The cells of the last column by the letter of RFC 4180. */
const shown = parse(csv, { from_line: 2 }).map((cells: string[]) => cells[3] ?? "");
const folder = mkdtempSync(join(tmpdir(), "csv-"));
const file = join(folder, "answers.csv");
before(() => writeFileSync(file, csv));
after(() => rmSync(folder, { recursive: true, force: true }));

const missing = (program: string, flag = "--version") =>
  spawnSync(program, [flag]).status !== 0 && `${program} is not installed`;

suite("CSV in other programs", () => {
  test(
    "Python's csv module reads the cells, and one expression takes the apostrophes away",
    { skip: missing("python3") },
    () => {
      const program = `
import csv, json, re, sys
guard = re.compile(r"(?:^|(?<=[\\r\\n]))'(?='*[^\\S\\r\\n\\t]*[=+\\-@＝＋－＠])|^'(?='*[\\t\\r\\n])|(?<=[;\\t])'(?='*[=+\\-@＝＋－＠])")
with open(sys.argv[1], newline="", encoding="utf-8") as file:
    rows = list(csv.reader(file, strict=True))
print(json.dumps([[rows[0]], [[a, float(b), float(c), d, guard.sub("", d)] for a, b, c, d in rows[1:]]]))
`;
      const [header, read] = JSON.parse(
        execFileSync("python3", ["-c", program, file], { maxBuffer: 1e8 }).toString(),
      ) as [unknown, unknown];
      assert.deepEqual(header, [head]);
      assert.deepEqual(
        read,
        rows.map(([id, whole, part, text], index) => [id, whole, part, shown[index], text]),
      );
    },
  );

  test("DuckDB reads the cells, and numbers as numbers, without being told the form", async () => {
    const read = await rowsInDuckDb(
      `select id, whole, part, content, typeof(whole) as kind, typeof(part) as kind_of_part from read_csv('${file}', strict_mode = true)`,
    );
    assert.deepEqual(
      read,
      rows.map(([id, whole, part], index) => ({
        ...{ id, whole: String(whole), part, content: shown[index] === "" ? null : shown[index] },
        ...{ kind: "BIGINT", kind_of_part: "DOUBLE" },
      })),
    );
  });

  test("LibreOffice shows the cells, and none as a formula", { skip: missing("soffice") }, () => {
    // Quoted cells are not made text: as whoever opens the file with a double click.
    const filter = "CSV:44,34,UTF8,1,,0,false,true,false,false,false,0";
    execFileSync("soffice", [
      ...["--headless", `-env:UserInstallation=${pathToFileURL(join(folder, "profile")).href}`],
      ...[`--infilter=${filter}`, "--convert-to", "fods", "--outdir", folder, file],
    ]);
    const sheet = load(readFileSync(join(folder, "answers.fods"), "utf8"), { xml: true });
    // Spaces that follow each other, and tabs, are elements. In a cell of several lines, tabs get lost, and LF CR is one end of a line, as CR LF is.
    sheet("text\\:s").replaceWith((_, space) => " ".repeat(Number(sheet(space).attr("text:c") ?? 1)));
    const textOf = (cell: Element | undefined) =>
      sheet(cell)
        .children("text\\:p")
        .toArray()
        .map((line) => sheet(line).text())
        .join("\n");
    const lines = sheet("table\\:table-row")
      .toArray()
      .slice(1, rows.length + 1);
    assert.equal(sheet("[table\\:formula]").length, 0);
    for (const [index, line] of lines.entries()) {
      const [id, whole, part, content] = sheet(line).children("table\\:table-cell").toArray();
      const [name, wholeNumber, partNumber] = rows[index] ?? [];
      assert.equal(textOf(id), name);
      assert.equal(Number(sheet(whole).attr("office:value")), wholeNumber);
      assert.equal(Number(sheet(part).attr("office:value")), partNumber);
      // "5+" and "007" are numbers to it.
      if (sheet(content).attr("office:value-type") !== "float")
        assert.equal(textOf(content), (shown[index] ?? "").replaceAll(/\r\n|\n\r|\r/g, "\n").replaceAll("\t", ""));
    }
    assert.equal(lines.length, rows.length);
  });
});
