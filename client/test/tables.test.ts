/** Files of questions, prompts and entities as spreadsheets write them, read by one reader. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  decodeText,
  describeRowFault,
  detectForm,
  EncodingError,
  QuestionRows,
  readEntityTable,
  readPromptTable,
  readQuestionRows,
  TextBytes,
} from "@querent/client";
import fc from "fast-check";
import { leastWork } from "./least-work.ts";

const questions = (text: string) =>
  readQuestionRows(text).map((row) => (row.fault === undefined ? row.item : `${row.line}: ${describeRowFault(row)}`));
const prompts = (text: string) =>
  readPromptTable(text).map((row) => (row.fault === undefined ? row.prompt : `${row.line}: ${row.fault}`));
const names = (text: string) =>
  readEntityTable(text).map((row) => (row.fault === undefined ? row.entity.name : `${row.line}: ${row.fault}`));

suite("a table from a spreadsheet", () => {
  test("may begin with the line that names its separator", () => {
    for (const first of ["sep=;", '"sep=;"', "SEP=;", "sep=;;;;", "\uFEFFsep=;"]) {
      const text = `${first}\r\nquestion;platform\r\nHow fine?;sample\r\n`;
      assert.equal(detectForm(text), "csv", first);
      assert.deepEqual(questions(text), [{ question: "How fine?", platformCode: "sample" }], first);
    }
    assert.deepEqual(questions("sep=|\nquestion|platform\nA, B; C?|sample\n"), [
      { question: "A, B; C?", platformCode: "sample" },
    ]);
    assert.deepEqual(questions("sep=\t\rquestion\tplatform\rA?\tsample\r"), [
      { question: "A?", platformCode: "sample" },
    ]);
    assert.deepEqual(prompts("sep=;\r\nTopic;Text\r\nt;One\r\n"), [{ text: "One", topic: "t" }]);
    assert.deepEqual(names("sep=;\nname;kind\nAcme;brand\n"), ["Acme"]);
    // The lines are those of the file.
    assert.deepEqual(questions("sep=;\nquestion;priority\nA?;high\n"), [
      '3: priority must be a whole number, not "high".',
    ]);
  });

  test("may have columns without a name, as long as nothing stands in them", () => {
    assert.deepEqual(questions("question;platform;;\r\nA?;sample;;\r\n;;;\r\n"), [
      { question: "A?", platformCode: "sample" },
    ]);
    assert.deepEqual(questions(",question,,platform,\n,A?,,sample,\n"), [{ question: "A?", platformCode: "sample" }]);
    assert.deepEqual(names("name,,\nAcme,,\n,,\n"), ["Acme"]);
    assert.deepEqual(questions("question;platform;;\nA?;sample;x;\nB?;sample;;;y\n"), [
      '2: column 3 holds "x" here, and has no name in the header.',
      '3: the row has more cells than the header has columns, from "y" on. A cell that contains a delimiter must be enclosed in double quotes.',
    ]);
  });

  test("may have rows of empty cells, before and after the header", () => {
    assert.deepEqual(prompts('\uFEFFtext;topic\r\n"Line1\r\nLine2";t\r\n;\r\n'), [
      { text: "Line1\r\nLine2", topic: "t" },
    ]);
    assert.deepEqual(prompts('\r\n;;\r\ntext;topic\r\n " " ; \r\nA;t\r\n""\r\n'), [{ text: "A", topic: "t" }]);
    assert.deepEqual(names(",,\nname,kind\n,\nAcme,\n ,  \n"), ["Acme"]);
    assert.deepEqual(questions("\n\nquestion;tags\n;\nA?;\n"), [{ question: "A?" }]);
  });

  test("ends its lines in any way, and holds quotes in the middle of a cell", () => {
    for (const end of ["\n", "\r\n", "\r"])
      assert.deepEqual(questions(["question,platform", 'A 5" pipe, or 6"?,x'.replace(",", ";"), ""].join(end)), [
        { question: 'A 5" pipe; or 6"?', platformCode: "x" },
      ]);
  });

  test("gives back the text before which an export put an apostrophe", () => {
    assert.deepEqual(names("name\n''@lit\n'=x\n'plain\n'\n"), ["'@lit", "=x", "'plain", "'"]);
    assert.deepEqual(prompts(`text\n"a\n'- b"\n`), [{ text: "a\n- b" }]);
    assert.deepEqual(questions("question\n'=1+1?\n"), [{ question: "=1+1?" }]);
  });
});

suite("the mistakes of a table", () => {
  test("are all told, also behind a quote that is not closed or has text behind it", () => {
    assert.deepEqual(questions('question,priority\n"Why" so?,1\nA?,high\n"never closed,2\nB?,low\n,3\n'), [
      "2: text follows a closing double quote in column question. A quote inside a quoted cell is written twice.",
      '3: priority must be a whole number, not "high".',
      "4: a double quote opens in column question and is not closed. A quote inside a quoted cell is written twice.",
      '5: priority must be a whole number, not "low".',
      "6: there is no question.",
    ]);
    assert.deepEqual(questions('question,priority\n"one,1\nA?,high\n"two" x,1\nB?,low\n'), [
      "2: text follows a closing double quote in column question. A quote inside a quoted cell is written twice.",
      '3: priority must be a whole number, not "high".',
      "4: text follows a closing double quote in column question. A quote inside a quoted cell is written twice.",
      '5: priority must be a whole number, not "low".',
    ]);
    assert.deepEqual(questions('question,tags,\nA?,"x,\n'), [
      "2: a double quote opens in column tags and is not closed. A quote inside a quoted cell is written twice.",
    ]);
    assert.deepEqual(names("nam,kind\nA,brand\n"), [
      '1: the column "nam" is not known. Did you mean name?',
      '1: no column is named "name". The first line names the columns.',
    ]);
    assert.deepEqual(names("name,kind,relation,caseSensitive\n,firm,friend,maybe\n"), [
      "2: there is no name.",
      '2: the kind "firm" is none of brand, product, person.',
      '2: the relation "friend" is none of own, competitor, other.',
      '2: caseSensitive must be true or false, not "maybe".',
    ]);
    assert.deepEqual(names(""), ["1: the file is empty."]);
  });

  test("have the lines of the file, whatever ends them and wherever it is cut into pieces", () => {
    const parts = fc.constantFrom('"', '""', "x", ",", "\r\n", "\n", "\r", "A?", '"a\r\nb"', " ", ";");
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 30 }), fc.integer({ min: 1, max: 5 }), (pieces, step) => {
        const text = `question,priority\r\n${pieces.join("")}`;
        const rows = new QuestionRows("csv");
        const read = [];
        for (let at = 0; at < text.length; at += step) read.push(...rows.push(text.slice(at, at + step)));
        read.push(...rows.end());
        assert.deepEqual(read, readQuestionRows(text, "csv"));
        const lineCount = text.split(/\r\n|\n|\r/).length;
        const faulty = read.filter((row) => row.fault === "quote_not_closed" || row.fault === "text_after_quote");
        const lines = faulty.map(({ line }) => line);
        // One framing fault for a line, each on a line that exists.
        assert.deepEqual(
          lines,
          [...new Set(lines)].toSorted((one, other) => one - other),
        );
        assert.ok(lines.every((line) => line >= 2 && line <= lineCount));
      }),
      { numRuns: 1_000 },
    );
  });

  test("cost time in proportion to the file", () => {
    const timeOf = (count: number) =>
      leastWork(() => {
        for (const line of ['"\n', '"a" b\n', '""x\n', 'x,"\n', '"x\n""', '"\r\n"x\r\n'])
          readQuestionRows(`question,priority\n${line.repeat(count)}`, "csv");
      });
    timeOf(500);
    const [short, long] = [Math.max(timeOf(2_500), 5), timeOf(20_000)];
    assert.ok(long < 40 * short, `${long} ms for eight times what took ${short} ms`);
  });
});

suite("the encoding of a file", () => {
  const text = "question\tplatform\r\nWie läuft’s, 日本 🙂?\tsample\r\n";
  const utf16 = (isBig: boolean, hasMark: boolean) => {
    const bytes = Buffer.from(`${hasMark ? "\uFEFF" : ""}${text}`, "utf16le");
    return isBig ? bytes.swap16() : bytes;
  };

  test("is UTF-8, or UTF-16 as Excel's Unicode text is, with or without a mark", () => {
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\uFEFF${text}`),
      utf16(false, true),
      utf16(true, true),
      utf16(false, false),
      utf16(true, false),
    ]) {
      assert.equal(decodeText(bytes).replace(/^\uFEFF/, ""), text);
      const decoder = new TextBytes();
      const pieces = [...bytes].map((byte) => decoder.push(Uint8Array.of(byte)));
      assert.equal([...pieces, decoder.end()].join("").replace(/^\uFEFF/, ""), text);
      assert.deepEqual(questions(decodeText(bytes)), [{ question: "Wie läuft’s, 日本 🙂?", platformCode: "sample" }]);
    }
    for (const short of ["", "a", "ab", "abc"]) assert.equal(decodeText(Buffer.from(short)), short);
  });

  test("is refused with the line if it is another", () => {
    const lineOf = (bytes: Uint8Array) => {
      try {
        return decodeText(bytes);
      } catch (error) {
        return error instanceof EncodingError ? error.line : error;
      }
    };
    assert.equal(lineOf(Buffer.from("question\nWhy?\nLäuft es?\n", "latin1")), 3);
    assert.equal(lineOf(Buffer.from([0x61, 0x0a, 0x62, 0xe4])), 2);
    assert.equal(lineOf(Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0])), 1);
    assert.equal(lineOf(utf16(false, true).subarray(0, 61)), 2);
  });
});
