/** An entry of a feed, `data/changes_feed.json` or `assets/feeds/<address>feed.json`; texts are ready. */
export interface FeedItem {
  /** What was found. */
  title: string;
  /** The page that it is about, relative to the site's address; its identity, too. */
  page: string;
  /** When the run began. */
  startedAt: string;
  /** In sentences. */
  summary: string;
}

/** How many entries a feed has. */
export const feedLength = 50;
