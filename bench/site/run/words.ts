/** How sentences of pages name numbers, as tables do. */
import { digitsText } from "../../../site/assets/step_text.js";

export { shareText } from "../../../site/assets/step_text.js";

/** Returns a time in milliseconds with three digits, at least one before the point: `4.32`. */
export function millisecondsText(seconds: number): string {
  return digitsText(1000 * seconds);
}

/** Returns a time in seconds with three digits, at least one before the point: `4.32`. */
export function secondsText(seconds: number): string {
  return digitsText(seconds);
}
