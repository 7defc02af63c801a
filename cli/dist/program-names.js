/** The commands that start these programs: through npm in a checkout, from the PATH elsewhere. */
const isCheckout = process.env["npm_package_name"] === "querent" && process.env["npm_lifecycle_event"] === "querent";
export const querent = isCheckout ? "npm run querent --" : "querent";
/** The operator's program. */
export const querentd = isCheckout ? "npm run querentd --" : "querentd";
