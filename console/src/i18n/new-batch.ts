import {
  questionColumns,
  type QuestionForm,
  type RowFault,
  type RowFaultCode,
  type TaskOptions,
} from "@querent/client";
import { counted } from "./counted.ts";
import { spoken } from "./spoken.ts";

interface NewBatchMessages {
  title: string;
  questions: string;
  questionsPlaceholder: string;
  questionsHint: string;
  drop: string;
  chooseFile: string;
  removeFile: string;
  pasted: string;
  fileTooLarge: string;
  notText: (line: number) => string;
  rows: (count: string) => string;
  formats: Record<QuestionForm, string>;
  rowFaults: Record<RowFaultCode, (fault: RowFault) => string>;
  platforms: string;
  price: (points: number) => string;
  pace: (seconds: string) => string;
  others: (count: number) => string;
  options: string;
  deepAnalysis: string;
  output: string;
  outputs: Record<TaskOptions["output"], string>;
  resultFormat: string;
  resultFormats: Record<TaskOptions["resultFormat"], string>;
  tags: string;
  tagsHint: string;
  summary: string;
  nothingYet: string;
  sum: (rows: string, tasks: string) => string;
  points: string;
  available: string;
  checking: (checked: string, all: string) => string;
  short: (points: string) => string;
  faults: string;
  faultCount: (count: string) => string;
  line: (line: number) => string;
  submit: string;
  submitCount: (count: number) => string;
  progress: (done: number, all: number) => string;
  accepted: (count: string) => string;
  watch: string;
  watchPart: (part: number) => string;
  cutOff: string;
  cutOffText: (tasks: string, done: number, all: number) => string;
  cutOffSafe: string;
  cutOffTooOld: string;
  goOn: string;
  discard: string;
  notKept: string;
}

const english: NewBatchMessages = {
  title: "Ask",
  questions: "Questions",
  questionsPlaceholder: "One question per line",
  questionsHint:
    "One question per line, CSV with a header row (question, platformCode, clientReference, tags and the other columns that querent submit takes), or JSON lines with the fields of the API. Values in a row override the options below.",
  drop: "or drop a file here",
  chooseFile: "Choose a file",
  removeFile: "Remove file",
  pasted: "Pasted text",
  fileTooLarge: "The file is larger than 200 MB. Split it into smaller files.",
  notText: (line) =>
    `The file is neither UTF-8 nor UTF-16 on line ${line}, but perhaps Windows-1252 or GBK, which Excel writes as plain “CSV”. Save it as “CSV UTF-8”.`,
  rows: (count) => `${count} rows`,
  formats: { lines: "Plain text", csv: "CSV", jsonl: "JSON lines" },
  rowFaults: {
    not_json: ({ value }) => `Invalid JSON: ${value}`,
    not_object: ({ value }) => `Not a JSON object: ${value}`,
    unknown_column: ({ value, hint }) =>
      `The column “${value}” is not known. ${hint === "" ? `Columns are ${questionColumns.join(", ")}.` : `Did you mean ${hint}?`}`,
    repeated_column: ({ name, value }) => `The column “${value}” stands for ${name}, as one before it does.`,
    no_column: ({ name }) => `No column is named “${name}”. The first line names the columns.`,
    unnamed_column: ({ name, value }) => `Column ${name} holds “${value}” here, and has no name in the header.`,
    unknown_member: ({ value, hint }) => `“${value}” is not known.${hint === "" ? "" : ` Did you mean ${hint}?`}`,
    too_many_cells: ({ value }) =>
      `has more cells than the header has columns, from “${value}” on. Put a cell with a delimiter into double quotes.`,
    no_question: () => "There is no question.",
    not_number: ({ name, value }) => `${name} must be a whole number, not “${value}”.`,
    not_boolean: ({ name, value }) => `${name} must be true or false, not “${value}”.`,
    not_choice: ({ name, value, hint }) => `${name} must be one of ${hint}, not “${value}”.`,
    quote_not_closed: ({ name }) => `A double quote opens in column ${name} and is not closed.`,
    text_after_quote: ({ name }) =>
      `Text follows a closing double quote in column ${name}. Write a quote inside a quoted cell twice.`,
    too_long: () => "is longer than 1 MiB.",
  },
  platforms: "Platforms",
  price: (points) => (points === 1 ? "1 point" : `${points} points`),
  pace: (seconds) => `~${seconds} s`,
  others: (count) => (count === 1 ? "1 platform not configured" : `${count} platforms not configured`),
  options: "Options",
  deepAnalysis: "Deep analysis",
  output: "Output",
  outputs: { answer: "Answer", screenshot: "+ screenshot", share_link: "+ share link" },
  resultFormat: "Web platforms return",
  resultFormats: { json: "Answer", html: "Page HTML", all: "Both" },
  tags: "Tags",
  tagsHint: "Up to 10, separated by commas.",
  summary: "Summary",
  nothingYet: "Enter a question to see the price.",
  sum: (rows, tasks) => `${rows} ${rows === "1" ? "row" : "rows"}, ${tasks} ${tasks === "1" ? "task" : "tasks"}`,
  points: "Total points",
  available: "Available",
  checking: (checked, all) => `Checking ${checked} of ${all}`,
  short: (points) => `${counted(points, "point")} short. The batch would be rejected.`,
  faults: "Errors",
  faultCount: (count) => (count === "1" ? "1 error" : `${count} errors`),
  line: (line) => `Line ${line}`,
  submit: "Ask",
  submitCount: (count) => (count === 1 ? "Ask 1 question" : `Ask ${count} questions`),
  progress: (done, all) => `${done} of ${all} parts accepted`,
  accepted: (count) => `${count} submitted.`,
  watch: "View answers",
  watchPart: (part) => `Part ${part}`,
  cutOff: "A submission was interrupted",
  cutOffText: (tasks, done, all) => `${counted(tasks, "question")}: ${done} of ${all} parts were accepted.`,
  cutOffSafe: "Resuming submits the rest. Nothing is submitted or charged twice.",
  cutOffTooOld: "It is more than six days old, so it can’t be resumed safely: questions could be submitted twice.",
  goOn: "Resume",
  discard: "Discard",
  notKept:
    "The browser can’t store this submission, so it couldn’t be resumed after a reload. Nothing was submitted. Free some storage, or use a window that isn’t private.",
};

const chinese: NewBatchMessages = {
  title: "提问",
  questions: "问题",
  questionsPlaceholder: "每行一个问题",
  questionsHint:
    "每行一个问题，或带表头的 CSV（question、platformCode、clientReference、tags 等，与 querent submit 接受的列相同），或使用 API 字段的 JSON lines。行内的值优先于下方选项。",
  drop: "或将文件拖到这里",
  chooseFile: "选择文件",
  removeFile: "移除文件",
  pasted: "粘贴的文本",
  fileTooLarge: "文件超过 200 MB，请拆分为较小的文件。",
  notText: (line) =>
    `文件第 ${line} 行既不是 UTF-8 也不是 UTF-16 编码，可能是 Excel 保存普通“CSV”时使用的 GBK 或 Windows-1252。请另存为“CSV UTF-8”。`,
  rows: (count) => `${count} 行`,
  formats: { lines: "纯文本", csv: "CSV", jsonl: "JSON lines" },
  rowFaults: {
    not_json: ({ value }) => `不是 JSON：${value}`,
    not_object: ({ value }) => `不是 JSON 对象：${value}`,
    unknown_column: ({ value, hint }) =>
      `未知的列“${value}”。${hint === "" ? `可用的列：${questionColumns.join("、")}。` : `是否指 ${hint}？`}`,
    repeated_column: ({ name, value }) => `列“${value}”与前面的一列都表示 ${name}。`,
    no_column: ({ name }) => `没有名为“${name}”的列。第一行应为列名。`,
    unnamed_column: ({ name, value }) => `第 ${name} 列在此处有“${value}”，但表头中没有列名。`,
    unknown_member: ({ value, hint }) => `未知的字段“${value}”。${hint === "" ? "" : `是否指 ${hint}？`}`,
    too_many_cells: ({ value }) => `单元格比表头的列多，从“${value}”起。含分隔符的单元格须放在双引号中。`,
    no_question: () => "没有问题。",
    not_number: ({ name, value }) => `${name} 必须是整数，而不是“${value}”。`,
    not_boolean: ({ name, value }) => `${name} 必须是 true 或 false，而不是“${value}”。`,
    not_choice: ({ name, value, hint }) => `${name} 必须是 ${hint} 之一，而不是“${value}”。`,
    quote_not_closed: ({ name }) => `列 ${name} 中的双引号没有闭合。`,
    text_after_quote: ({ name }) => `列 ${name} 中双引号闭合后还有文字。单元格内的双引号须写两次。`,
    too_long: () => "超过 1 MiB。",
  },
  platforms: "平台",
  price: (points) => `${points} 点`,
  pace: (seconds) => `约 ${seconds} 秒`,
  others: (count) => `${count} 个平台未配置`,
  options: "选项",
  deepAnalysis: "深度分析",
  output: "输出",
  outputs: { answer: "答案", screenshot: "+ 截图", share_link: "+ 分享链接" },
  resultFormat: "网页平台返回",
  resultFormats: { json: "答案", html: "网页 HTML", all: "两者" },
  tags: "标签",
  tagsHint: "最多 10 个，以英文逗号分隔。",
  summary: "合计",
  nothingYet: "输入问题即可查看价格。",
  sum: (rows, tasks) => `${rows} 行，共 ${tasks} 个任务`,
  points: "总点数",
  available: "可用",
  checking: (checked, all) => `正在检查：${checked} / ${all}`,
  short: (points) => `还差 ${points} 点，批次会被拒绝。`,
  faults: "错误",
  faultCount: (count) => `${count} 个错误`,
  line: (line) => `第 ${line} 行`,
  submit: "提问",
  submitCount: (count) => `提交 ${count} 个问题`,
  progress: (done, all) => `已接受 ${done} / ${all} 部分`,
  accepted: (count) => `已提交 ${count} 个。`,
  watch: "查看答案",
  watchPart: (part) => `第 ${part} 部分`,
  cutOff: "有一次提交被中断",
  cutOffText: (tasks, done, all) => `共 ${tasks} 个问题，已接受 ${done} / ${all} 部分。`,
  cutOffSafe: "继续将提交其余部分，不会重复提交或重复扣点。",
  cutOffTooOld: "已超过六天，无法安全地继续：问题可能会被重复提交。",
  goOn: "继续",
  discard: "放弃",
  notKept: "浏览器无法保存这次提交，刷新后将不能继续，因此没有提交任何内容。请释放一些存储空间，或不要使用隐私窗口。",
};

export const newBatchMessages = spoken({ english, chinese });
