import { Session } from 'node:inspector/promises';

/**
 * Returns how many calls of functions an action takes, its own callbacks among them: how much work it is, however busy the
 * machine. What the engine does itself, such as matching a regular expression, does not count.
 */
export async function countCalls(act: () => unknown): Promise<number> {
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
