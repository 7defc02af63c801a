/** The command to type for the operator's program: in a checkout npm runs it, elsewhere it is on the PATH. */
const isCheckout =
  process.env["npm_package_name"] === "querent" &&
  ["querentd", "start"].includes(process.env["npm_lifecycle_event"] ?? "");

export const querentd = isCheckout ? "npm run querentd --" : "querentd";
/** The same for the users' program. */
export const querent = isCheckout ? "npm run --silent querent --" : "querent";
/** The same to start the service. */
export const startCommand = isCheckout ? "npm start" : "querentd serve";
