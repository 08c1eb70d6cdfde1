/** How the engine opens and runs graphs. */
import { InferenceSession } from 'onnxruntime-node';

/**
 * Loads a model with the sessions that `load` opens, and releases these if it fails. A graph is freed once its session is
 * open.
 */
export async function loadSessions<Model>(
  load: (
    open: (graph: Uint8Array, options: InferenceSession.SessionOptions) => Promise<InferenceSession>,
  ) => Promise<Model>,
): Promise<Model> {
  const sessions: InferenceSession[] = [];
  try {
    return await load(async (graph, options) => {
      const session = await InferenceSession.create(graph, options);
      sessions.push(session);
      free(graph);
      return session;
    });
  } catch (error) {
    await Promise.all(sessions.map((session) => session.release()));
    throw error;
  }
}

/** Frees an array's memory at once, without the garbage collector: it moves to an empty buffer. */
export function free({ buffer }: ArrayBufferView): void {
  // An empty buffer holds nothing to free, and that of the empty cache is used by all windows.
  if (buffer instanceof ArrayBuffer && buffer.byteLength > 0) buffer.transfer(0);
}

/** Failures throw; an interrupted run needs no line in the log. */
export const quietRunOptions: InferenceSession.RunOptions = { logSeverityLevel: 4 };

/** How every model of the engine runs. */
export function sessionOptions(threads: number): InferenceSession.SessionOptions {
  return {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
    // Planning memory ahead needs a quarter more of it and saves no time.
    enableMemPattern: false,
    // Waiting threads sleep. Spinning is a little faster on an idle computer and takes twice as long on a busy one.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  };
}
