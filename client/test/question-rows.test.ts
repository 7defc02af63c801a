import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { describeRowFault, detectForm, QuestionRows, readQuestionRows, type QuestionForm } from "@querent/client";
import fc from "fast-check";
import { CsvRecords } from "../src/csv.ts";

const items = (text: string, form?: QuestionForm) =>
  readQuestionRows(text, form).map((row) =>
    row.fault === undefined ? row.item : `${row.line}: ${describeRowFault(row)}`,
  );

suite("CSV of questions", () => {
  test("whatever a cell holds comes back, however the text is cut into pieces", () => {
    const cell = fc.string({ unit: "grapheme" });
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1 });
    const delimiter = fc.constantFrom(",", ";", "\t");
    const end = fc.constantFrom("\n", "\r\n", "\r");
    fc.assert(
      fc.property(table, delimiter, end, fc.integer({ min: 1, max: 9 }), (rows, sign, lineEnd, step) => {
        const head = ["question", "platform"];
        const text = [head, ...rows]
          .map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(sign) + lineEnd)
          .join("");
        const reader = new CsvRecords((name) => head.includes(name));
        const read = [];
        for (let at = 0; at < text.length; at += step) read.push(...reader.push(text.slice(at, at + step)));
        read.push(...reader.end());
        assert.deepEqual(
          read.map((record) => (record.fault === undefined ? record.cells : record.fault)),
          [head, ...rows],
        );
      }),
    );
  });

  test("commas, semicolons and tabs, and every name of a column, mean the same", () => {
    const expected = [
      {
        question: "Why, really?",
        platformCode: "sample",
        clientReference: "r-1",
        tags: ["a", "b"],
        options: { deepAnalysis: true, output: "share_link" },
      },
    ];
    for (const text of [
      '\uFEFFquestion,platformCode,clientReference,tags,deepAnalysis,output\r\n"Why, really?",sample,r-1,a|b,true,share_link\r\n',
      'Question;Platform;Reference;Tag;Deep;Output\n"Why, really?";sample;r-1;"a;b";yes;Share link\n',
      "question\tplatform_code\tclient reference\ttags\tdeep-analysis\toutput\nWhy, really?\tsample\tr-1\ta; b\t1\tshare_link",
      '{"question":"Why, really?","platform":"sample","reference":"r-1","tags":["a","b"],"deep":true,"options":{"output":"share_link"}}',
    ])
      assert.deepEqual(items(text), expected, text);
  });

  test("from where, as whom and with what is read from columns, and from lines with the same names", () => {
    const expected = [
      {
        question: "Why?",
        options: {
          country: "de",
          location: { city: "Munich", latitude: 48.1, longitude: -11.5 },
          persona: "A nurse",
          searchDepth: "high",
          domains: { allow: ["a.example", "b.example"], deny: ["c.example"] },
          onUnsupported: "ignore",
        },
      },
    ];
    const head = "question,country,city,latitude,longitude,persona,depth,domain,excludeDomain,on unsupported";
    for (const text of [
      `${head}\nWhy?,de,Munich,48.1,-11.5,A nurse,High,a.example; b.example,c.example,ignore\n`,
      '{"question":"Why?","country":"de","city":"Munich","latitude":48.1,"longitude":-11.5,"persona":"A nurse","depth":"high","domains":["a.example","b.example"],"excludeDomains":["c.example"],"onUnsupported":"ignore"}',
    ])
      assert.deepEqual(items(text), expected);
    assert.deepEqual(items('{"question":"Why?","domains":{"deny":["c.example"]}}'), [
      { question: "Why?", options: { domains: { deny: ["c.example"] } } },
    ]);
    assert.deepEqual(items("question,depth\nWhy?,deepest"), [
      '2: searchDepth must be one of low, medium, high, not "deepest".',
    ]);
  });

  test("every mistake is told, with the line on which its row begins and what was probably meant", () => {
    assert.deepEqual(
      items('question,platfrom,priority,deep,output\n"two\nlines",,high,maybe,screen\n"",,,,\n,,,,\nWhy?,,,,,more\n'),
      [
        '1: the column "platfrom" is not known. Did you mean platform?',
        '2: priority must be a whole number, not "high".',
        '2: deepAnalysis must be true or false, not "maybe".',
        '2: output must be one of answer, screenshot, share_link, not "screen".',
        '6: the row has more cells than the header has columns, from "more" on. A cell that contains a delimiter must be enclosed in double quotes.',
      ],
    );
    assert.deepEqual(items("platform\nsample\n", "csv"), [
      '1: no column is named "question". The first line names the columns.',
    ]);
    assert.deepEqual(items("question,reference,clientReference\nWhy?,a,b"), [
      '1: the column "clientReference" is a duplicate of clientReference. Remove one of them.',
      { question: "Why?", clientReference: "b" },
    ]);
    assert.match(
      JSON.stringify(items('question\nWhy?\n"How?\nWhen?\n').at(1)),
      /^"3: a double quote opens in column question/,
    );
    assert.match(JSON.stringify(items('question\n"Why" so?\n').at(-1)), /^"2: text follows a closing double quote/);
  });

  test("a cell without quotes may hold one", () => {
    assert.deepEqual(items('question,platform\nA 5" pipe?,x\n'), [{ question: 'A 5" pipe?', platformCode: "x" }]);
  });
});

suite("other forms", () => {
  test("they are told apart by the first line", () => {
    assert.deepEqual(
      [
        '{"question":"Why?"}',
        '"Why?"',
        "Why?",
        "\uFEFF\n\nplatform;question\n",
        '"question","tags"',
        "A question, maybe",
      ].map(detectForm),
      ["jsonl", "jsonl", "lines", "csv", "csv", "lines"],
    );
  });

  test("pieces that end between \\r and \\n make no line more", () => {
    const rows = new QuestionRows("lines");
    const read = ["One\r", "\nTwo\r", "\n\r\nThree"].flatMap((piece) => rows.push(piece));
    assert.deepEqual(
      [...read, ...rows.end()].map(({ line }) => line),
      [1, 2, 4],
    );
  });

  test("null is absence, and what has no place is told", () => {
    assert.deepEqual(
      items('{"question":"Why?","platformCode":null,"options":null}\n{"question":"Why?","optoins":{}}\n7'),
      [
        { question: "Why?" },
        '2: "optoins" is not known. Did you mean options?',
        "3: must be an object with a question, or text: 7",
      ],
    );
  });
});
