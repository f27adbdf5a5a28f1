/**
 * Runs several tasks at the same time. The first failure aborts the others, and all have ended when this rejects, so
 * that nothing continues after a failure.
 *
 * @throws the first failure.
 */
export async function together<Results extends unknown[]>(
  signal: AbortSignal,
  works: { [Index in keyof Results]: (signal: AbortSignal) => Promise<Results[Index]> },
): Promise<Results> {
  const failure = new AbortController();
  const any = AbortSignal.any([signal, failure.signal]);
  const running = works.map((work) => work(any));
  try {
    return await Promise.all(running) as Results;
  } catch (error) {
    failure.abort(error);
    await Promise.allSettled(running);
    throw error;
  }
}
