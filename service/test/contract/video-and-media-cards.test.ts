/** docs/reference/api.md#videocard and docs/reference/api.md#mediacard. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { knownMediaTypes } from "@querent/contract";
import { startTestService } from "../harness/service.ts";

const service = await startTestService();

test("a video card has its members, and no other", async () => {
  const account = await service.account();
  const card = (await account.answerTo("cards=video")).videos[0];
  const members = ["position", "title", "url", "cover", "author", "duration", "videoId", "videoPlatform"];
  assert.deepEqual(Object.keys(card ?? {}).sort(), members.sort());
});

test("another media card has its members, and no other", async () => {
  const account = await service.account();
  const card = (await account.answerTo("cards=image")).media[0];
  assert.deepEqual(Object.keys(card ?? {}).sort(), ["content", "mediaType", "position", "thumbnail", "title", "url"]);
});

test("every known media type reaches the media array", async () => {
  const account = await service.account();
  const { media } = await account.answerTo(`cards=${knownMediaTypes.join(",")}`);
  assert.deepEqual(
    media.map((card) => card.mediaType),
    [...knownMediaTypes],
  );
});

test("merging products, videos and media by position restores the original order: 1..n, no gap, no tie", async () => {
  const account = await service.account();
  const kinds = ["image", "product", "video", "product", "map", "video", "image"];
  const { products, videos, media } = await account.answerTo(`cards=${kinds.join(",")}`);
  const merged = [
    ...products.map(({ position }) => ({ position, kind: "product" })),
    ...videos.map(({ position }) => ({ position, kind: "video" })),
    ...media.map(({ position, mediaType }) => ({ position, kind: mediaType })),
  ].sort((a, b) => a.position - b.position);
  assert.deepEqual(
    merged.map((card) => card.position),
    kinds.map((_, index) => index + 1),
  );
  assert.deepEqual(
    merged.map((card) => card.kind),
    kinds,
  );
});

test("each array is in the order of position", async () => {
  const account = await service.account();
  const { products } = await account.answerTo("cards=product,video,product,image,product");
  assert.deepEqual(
    products.map((card) => card.position),
    [1, 3, 5],
  );
});
