import { Session } from 'node:inspector/promises';

/**
 * Returns how many calls of functions an action takes, its own callbacks among them: how much work it is, however busy the
 * machine. What the engine does itself, such as matching a regular expression, does not count.
 */
async function countCalls(act: () => unknown): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true });
    // Every call starts the counts again.
    await session.post('Profiler.takePreciseCoverage');
    await act();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const functions = result.flatMap((script) => script.functions);
    return functions.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
  } finally {
    session.disconnect();
  }
}

/**
 * Returns how many times as many calls an action takes for four times the size: about four if its work grows with the
 * size, sixteen if with its square.
 *
 * @param prepare returns the action for a size
 */
export async function growthOfCalls(size: number, prepare: (size: number) => () => unknown): Promise<number> {
  // The first run loads and caches.
  await countCalls(prepare(1));
  const few = await countCalls(prepare(size));
  return (await countCalls(prepare(4 * size))) / few;
}
