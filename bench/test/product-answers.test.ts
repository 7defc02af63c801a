import assert from "node:assert/strict";
import { test } from "node:test";
import { Querent, type ObservationRecord } from "@querent/client";
import { startTestService } from "../../service/test/harness/service.ts";
import { describeProof, productProof } from "../src/proof/product-answers.ts";
import { firstProducts } from "../src/proof/product-figures.ts";

const folder = process.env["PRODUCT_BENCH_DIR"];

test(
  "real answers, imported: the published figures are those of a panel",
  { skip: folder === undefined && "PRODUCT_BENCH_DIR is not set: the folder of the data set" },
  async (t) => {
    const service = await startTestService();
    const account = await service.account();
    const querent = new Querent({ url: service.address, token: account.token });
    const proof = await productProof(querent, folder ?? "");
    for (const [platformCode, figures] of proof) t.diagnostic(describeProof(platformCode, figures));
    const figures = proof.get("chatgpt");
    assert.ok(figures !== undefined);
    const counted = [figures.withProducts, figures.withSources].map(({ value, answers }) => [value * answers, answers]);
    assert.deepEqual(
      counted.map(([count = 0, of]) => [Number(count.toFixed(9)), of]),
      [
        [386, 396],
        [142, 396],
      ],
    );
    assert.deepEqual(figures.first.changedByName, [117, 122]);
    assert.deepEqual(await productProof(querent, folder ?? ""), proof, "imported again, nothing changes");
  },
);

test("names of one product are joined if one contains the other as a whole name, and never by similarity", () => {
  const answers = (promptId: string, ...names: readonly (string | null)[]) =>
    names.map((title) => ({
      cell: { promptId },
      sources: [],
      cards: title === null ? [] : [{ kind: "product", position: 1, title, url: null }],
    }));
  const figures = firstProducts([
    ...answers("same", "Phone 7", "Phone 7", "Phone 7"),
    ...answers("longer", "Phone 7", "Acme Phone 7", "phone-7 (128 GB)"),
    ...answers("other", "Phone 7", "Phone 7a", "Phone 70"),
    ...answers("none", "Phone 7", null, "Phone 8"),
  ] as unknown as ObservationRecord[]);
  assert.deepEqual(figures.changedByName, [2, 3]);
  assert.deepEqual(figures.changedByMatcher, [1, 3]);
  assert.deepEqual(figures.joined, [["Phone 7", "Acme Phone 7", "phone-7 (128 GB)"]]);
});
