/** Items: which ids are asked for? Those of the load, and others for checks. */
import { isMissing } from "../../upstream/item.ts";

/** Ids of the upstream have up to nine digits. */
const idLimit = 1_000_000_000;

/** How many ids a load asks for: so few that a cache of a second, or joining requests, would pay off. */
const loadIds = 1_000;

/** The ids of one run. */
export interface Items {
  /** Ids of the load; one in a hundred, about, is missing. */
  readonly ofLoad: readonly number[];
  /** Returns an id that is not missing, and that was not returned before. */
  fresh(): number;
  /** Returns an id that the upstream does not have. */
  missing(): number;
}

/** Draws the ids of a run. */
export function drawItems(random: () => number): Items {
  const drawn = new Set<number>();
  const draw = (isRight: (id: number) => boolean): number => {
    while (true) {
      const id = Math.floor(random() * idLimit);
      if (drawn.has(id) || !isRight(id)) continue;
      drawn.add(id);
      return id;
    }
  };
  return {
    ofLoad: Array.from({ length: loadIds }, () => draw(() => true)),
    fresh: () => draw((id) => !isMissing(id)),
    missing: () => draw(isMissing),
  };
}
