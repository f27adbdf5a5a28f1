/**
 * The files of pictures: each as SVG, those that are passed on as PNG, too, and which of them is the card of which page. The card
 * of the page `runs/<id>/` is `cards/runs/<id>.png`, and stays there. PNG are rendered while other pages are derived.
 */
import type { WriteDerived } from "../derived_files.ts";
import type { Picture } from "./picture.ts";
import type { PngRenderer } from "./png.ts";

/** What links to a page show: `data/cards.json`, by the page's address without its last slash. */
export interface Card {
  /** The finding, and the figures in a line; absent where a page is shown with the picture of another. */
  title?: string;
  description?: string;
  /** The address of the PNG, relative to the site's. */
  image: string;
  /** What the picture says, for those who cannot see it. */
  alt: string;
}

/** Writes pictures. */
export interface PictureFiles {
  /** Writes `<path>.svg`, and `<path>.png` where it is asked for. */
  add(path: string, picture: Picture, options?: { isPng?: boolean }): Promise<void>;
  /** Writes a picture as the card of a page; the home page's address is empty. */
  addCard(address: string, picture: Picture): Promise<void>;
  /** Shows one page with the picture of another, if that has one. */
  share(address: string, of: string): void;
  /** Waits for all PNG, and writes which cards there are. */
  finish(): Promise<void>;
}

/** Search results show about this many letters. */
const mostLetters = 200;

/** Returns how to write pictures among derived files. */
export function pictureFiles(write: WriteDerived, renderer: PngRenderer): PictureFiles {
  const cards: Record<string, Card> = {};
  const rendered: Promise<void>[] = [];
  const add: PictureFiles["add"] = async (path, { svg }, { isPng = false } = {}) => {
    await write(`static/${path}.svg`, svg);
    if (!isPng) return;
    const png = renderer.render(svg).then((png) => write(`static/${path}.png`, png));
    // Whoever finishes hears of a failure; until then, it is not unheard.
    png.catch(() => {});
    rendered.push(png);
  };
  return {
    add,
    share: (address, of) => {
      const card = cards[keyOf(of)];
      if (card !== undefined) cards[keyOf(address)] = { image: card.image, alt: card.alt };
    },
    addCard: async (address, picture) => {
      const page = keyOf(address);
      const { title, description } = picture;
      cards[page] = {
        title,
        description: shortened(description),
        image: `cards/${page}.png`,
        alt: `${title}${/[.?!]$/.test(title) ? "" : "."} ${description}.`,
      };
      await add(`cards/${page}`, picture, { isPng: true });
    },
    finish: async () => {
      await Promise.all(rendered);
      await write("data/cards.json", cards);
    },
  };
}

function keyOf(address: string): string {
  return address === "" ? "home" : address.replace(/\/$/, "");
}

/** Returns the first parts of a list between semicolons. */
function shortened(description: string): string {
  if (description.length <= mostLetters) return `${description}.`;
  const end = description.lastIndexOf(";", mostLetters);
  return `${description.slice(0, end < 0 ? mostLetters : end)} …`;
}
