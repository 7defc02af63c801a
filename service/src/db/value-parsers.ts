/** How the driver reads values of PostgreSQL. */
import pg from "pg";

/** Sets the parsers of the driver, for the whole process. */
export function setValueParsers(): void {
  // int8 (20) as a number: points, counts and ids stay far below 2^53. Queries cast numeric (money) to float8.
  pg.types.setTypeParser(20, Number);
  // timestamptz (1184) in the format of our sessions, in UTC, parsed by the JavaScript engine: the end of a task has five of
  // them, and the driver's parser took five times as long. Other formats (years before Christ, infinity) are left to the driver.
  const parseTime = pg.types.getTypeParser(1184);
  pg.types.setTypeParser(1184, (text: string): Date =>
    isUtcTime.test(text) ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : (parseTime(text) as Date),
  );
}

const isUtcTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/;
