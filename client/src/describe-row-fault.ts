import { questionColumns, type RowFault } from "./question-rows.ts";

/** An error in English, to follow its position. `columns`: the names that a header may have. */
export function describeRowFault({ fault, name, value, hint }: RowFault, columns = questionColumns): string {
  const meant = hint === "" ? "" : ` Did you mean ${hint}?`;
  switch (fault) {
    case "unknown_column":
      return `the column "${value}" is not known.${meant === "" ? ` Columns are ${columns.join(", ")}.` : meant}`;
    case "repeated_column":
      return `the column "${value}" is a duplicate of ${name}. Remove one of them.`;
    case "no_column":
      return `no column is named "${name}". The first line names the columns.`;
    case "unnamed_column":
      return `column ${name} holds "${value}" here, and has no name in the header.`;
    case "unknown_member":
      return `"${value}" is not known.${meant}`;
    case "too_many_cells":
      return `the row has more cells than the header has columns, from "${value}" on. A cell that contains a delimiter must be enclosed in double quotes.`;
    case "no_question":
      return "there is no question.";
    case "not_json":
      return `is not JSON: ${value}`;
    case "not_object":
      return `must be an object with a question, or text: ${value}`;
    case "not_number":
      return `${name} must be a whole number, not "${value}".`;
    case "not_boolean":
      return `${name} must be true or false, not "${value}".`;
    case "not_choice":
      return `${name} must be one of ${hint}, not "${value}".`;
    case "quote_not_closed":
      return `a double quote opens in column ${name} and is not closed. A quote inside a quoted cell is written twice.`;
    case "text_after_quote":
      return `text follows a closing double quote in column ${name}. A quote inside a quoted cell is written twice.`;
    case "too_long":
      return "the line is longer than 1 MiB.";
  }
}
