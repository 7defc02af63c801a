/** What the reader types to start these programs: in a checkout npm runs them, elsewhere they are on the PATH. */
const isCheckout = process.env["npm_package_name"] === "querent" && process.env["npm_lifecycle_event"] === "querent";

export const querent = isCheckout ? "npm run querent --" : "querent";
/** The operator's program. */
export const querentd = isCheckout ? "npm run querentd --" : "querentd";
