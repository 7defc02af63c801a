/** The submission of items as a program for `@querent/client`. JSON is JavaScript: nothing in an item can be anything but a value. */
export function asProgram(items: readonly object[], origin: string): string {
  return [
    `import { Querent } from "@querent/client";`,
    ``,
    `const querent = new Querent({ url: ${JSON.stringify(origin)}, token: process.env.QUERENT_TOKEN ?? "" });`,
    `const { batchId } = await querent.tasks.submit(${JSON.stringify(items, null, 2)});`,
    `await querent.batches.wait(batchId);`,
    `for await (const task of querent.batches.results(batchId)) console.log(task.state, task.content);`,
    ``,
  ].join("\n");
}
