/** The server variables that every provider sets, so that results are comparable across providers. */
export const runtimeSettings: Record<string, number> = {
  /** Larger than the data, so that queries read memory, not the disk. */
  innodb_buffer_pool_size: 256 * 1024 ** 2,
  /** No wait for the disk at a commit, because the disk is not what is measured. */
  innodb_flush_log_at_trx_commit: 2,
  /** Larger than what a load writes, so that no writer waits for pages to be flushed. */
  innodb_redo_log_capacity: 512 * 1024 ** 2,
  /** Many more than the pools of both sides have, 16 connections each by default, and the harness itself. */
  max_connections: 1000,
};

/** Set on a running server: from the start, its files would be written in full, and be part of each copy. */
const setWhileRunning = ["innodb_redo_log_capacity"];

/** The statements that set on a private server what its options do not. */
export const afterStart: string[] = setWhileRunning.map((name) =>
  `SET GLOBAL ${name} = ${runtimeSettings[name]}`
);

/**
 * The options of a private server. Without TLS, because some drivers would use it by default and others not; other
 * variables keep the server's defaults, including the performance schema.
 */
export const startOptions: string[] = [
  ...Object.entries(runtimeSettings)
    .filter(([name]) => !setWhileRunning.includes(name))
    .map(([name, value]) => `--${name.replaceAll("_", "-")}=${value}`),
  "--disable-log-bin",
  "--skip-name-resolve",
  // Supported from MySQL 8.0.30. Small, because the file is written in full before the first start.
  "--loose-innodb-redo-log-capacity=64M",
  "--loose-mysqlx=OFF",
  "--tls-version=",
];
