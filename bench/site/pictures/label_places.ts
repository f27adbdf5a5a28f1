/** Where labels stand beside their marks, so that none touches another label or a mark. */

/** A mark with a label, in the units of the picture. */
export interface Labelled {
  x: number;
  y: number;
  /** Half the width of the mark. */
  reach: number;
  /** Of its label. */
  width: number;
}

/** Where a label stands: `y` is the middle of its line. */
export interface LabelPlace {
  x: number;
  y: number;
  anchor: "start" | "end";
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const lineHeight = 20;
const gap = 7;
/** How far above and below its mark a label may stand, in lines. */
const farthest = 6;

/** Returns the place of each label within an area, the nearest that is free; undefined where none is. */
export function labelPlaces(
  items: readonly Labelled[],
  area: Box,
): (LabelPlace | undefined)[] {
  const taken: Box[] = items.map(({ x, y, reach }) => ({
    left: x - reach,
    right: x + reach,
    top: y - reach,
    bottom: y + reach,
  }));
  return items.map((item) => {
    for (let line = 0; line <= farthest; line++) {
      for (const step of line === 0 ? [0] : [line, -line]) {
        for (const anchor of ["start", "end"] as const) {
          const place = placeOf(item, step, anchor);
          const box = boxOf(place, item.width);
          if (!isWithin(box, area) || taken.some((other) => touches(box, other))) continue;
          taken.push(box);
          return place;
        }
      }
    }
    return undefined;
  });
}

function placeOf(
  { x, y, reach }: Labelled,
  step: number,
  anchor: LabelPlace["anchor"],
): LabelPlace {
  const beside = reach + gap;
  return { x: anchor === "start" ? x + beside : x - beside, y: y + step * lineHeight, anchor };
}

function boxOf({ x, y, anchor }: LabelPlace, width: number): Box {
  const left = anchor === "start" ? x : x - width;
  return { left, right: left + width, top: y - lineHeight / 2, bottom: y + lineHeight / 2 };
}

function isWithin(box: Box, area: Box): boolean {
  return box.left >= area.left && box.right <= area.right && box.top >= area.top &&
    box.bottom <= area.bottom;
}

function touches(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
