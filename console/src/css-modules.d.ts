/** The classes of a component's style file. The build refuses a name that the file doesn't have. */
declare module "*.module.css" {
  const classes: Readonly<Record<string, string>>;
  export = classes;
}
