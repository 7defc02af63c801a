/** docs/reference/api.md#productcard. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestService } from "../harness/service.ts";

const service = await startTestService();
const members = ["position", "title", "url", "urlType", "deepLink", "trackingUrl", "fallbackUrl", "thumbnail", "mall", "mallPlatform", "mallProductId", "skuId", "shopId", "price", "priceUnit", "sales", "sellingPoints"]; // prettier-ignore

test("a product card has every documented member, and no other", async () => {
  const account = await service.account();
  const { products } = await account.answerTo("cards=product,product deeplink=1");
  assert.equal(products.length, 2);
  for (const card of products) assert.deepEqual(Object.keys(card).sort(), members.toSorted());
});

test("a card of urlType web has a web address to click first", async () => {
  const account = await service.account();
  const card = (await account.answerTo("cards=product")).products[0];
  assert.equal(card?.urlType, "web");
  assert.match(card?.url ?? "", /^https?:\/\//);
});

test("a card of urlType app_deep_link has a deep link to click first, and a fallback for its failure", async () => {
  const account = await service.account();
  const card = (await account.answerTo("cards=product deeplink=1")).products[0];
  assert.equal(card?.urlType, "app_deep_link");
  assert.equal(card?.url, card?.deepLink);
  assert.match(card?.fallbackUrl ?? "", /^https?:\/\//);
});

test("the price of a product is for display and does not affect billing", async () => {
  const account = await service.account();
  const record = await account.answerTo("cards=product,product,product");
  assert.ok(record.products.every((card) => typeof card.price === "string" && card.price !== ""));
  assert.equal(record.chargedPoints, 1);
});
