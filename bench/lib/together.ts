/**
 * Does several things at the same time. The first that fails aborts the others, and all have ended when this rejects,
 * so that nothing goes on behind a failure.
 *
 * @throws what the first that failed threw.
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
