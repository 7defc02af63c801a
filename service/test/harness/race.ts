/** Stops whatever reaches a race point, until the test releases it. */
import { after } from "node:test";
import { atRacePoints, type RacePoint } from "../../src/runtime/race-points.ts";

export interface RaceHold extends Disposable {
  /** Resolves once something has reached it, with its name. */
  readonly reached: Promise<string>;
  /** Releases it, and whatever reaches the point later. */
  release(): void;
}

interface Standing {
  readonly point: RacePoint;
  readonly who: string | undefined;
  readonly reach: (who: string) => void;
  readonly released: Promise<void>;
}

const holds = new Set<Standing>();

/** Stops what reaches `point`: everything, or only `who` (a node, an account). Released when it is disposed of, and at the latest when the test ends. */
export function holdAt(point: RacePoint, who?: string): RaceHold {
  const reached = Promise.withResolvers<string>();
  const released = Promise.withResolvers<void>();
  const standing: Standing = { point, who, reach: reached.resolve, released: released.promise };
  holds.add(standing);
  atRacePoints(async (at, comer) => {
    for (const hold of holds) {
      if (hold.point !== at || (hold.who !== undefined && hold.who !== comer)) continue;
      hold.reach(comer);
      await hold.released;
    }
  });
  const release = () => {
    holds.delete(standing);
    if (holds.size === 0) atRacePoints(null);
    released.resolve();
  };
  after(release);
  return { reached: reached.promise, release, [Symbol.dispose]: release };
}
