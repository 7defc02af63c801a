/** The tables of `opencc-js`, which has no types for them: `简 簡|体 體`. */
declare module "opencc-js/dict/*" {
  const table: string;
  export default table;
}
