/** The server variables that every provider sets, so that results from different ones can be compared. */
export const runtimeSettings: Record<string, number> = {
  /** Bigger than the data: a measured query reads memory, not the disk. */
  innodb_buffer_pool_size: 256 * 1024 ** 2,
  /** No wait for the disk at a commit: what the disk can do is not what is measured. */
  innodb_flush_log_at_trx_commit: 2,
  /** 300 connections of a level through any pool, and the harness's own. */
  max_connections: 1000,
};

/**
 * The options that a server of ours starts with. Without TLS, because some drivers would use it unasked
 * and others not; the other variables keep the server's defaults, the performance schema among them.
 */
export const startOptions: string[] = [
  ...Object.entries(runtimeSettings).map(([name, value]) =>
    `--${name.replaceAll("_", "-")}=${value}`
  ),
  "--disable-log-bin",
  "--skip-name-resolve",
  // MySQL 8.0 knows it from 8.0.30 on. Small, because the file is written whole before the first start.
  "--loose-innodb-redo-log-capacity=64M",
  "--loose-mysqlx=OFF",
  "--tls-version=",
];
