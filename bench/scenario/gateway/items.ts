/** Items: which ids are asked for? Those of the load, and others for checks. */
import { isMissing } from "../../upstream/item.ts";
import { idSource } from "../id_source.ts";

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
  const draw = idSource(random);
  const drawUntil = (isRight: (id: number) => boolean): number => {
    let id = draw();
    while (!isRight(id)) id = draw();
    return id;
  };
  return {
    ofLoad: Array.from({ length: loadIds }, draw),
    fresh: () => drawUntil((id) => !isMissing(id)),
    missing: () => drawUntil(isMissing),
  };
}
