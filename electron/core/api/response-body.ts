import { parseBoundedJson, TooManyValuesError } from '../../contract/bounded-json.ts';
import { errorMessage } from '../../contract/errors.ts';
import {
  readBalance,
  readCreated,
  readCreatedId,
  readError,
  readJob,
  readJobInProgress,
  readList,
  readJobWithRecord,
  type WireError,
} from './wire.ts';

/** The readers of bodies by name, so that they can be requested from a thread. */
const readers = {
  created: readCreated,
  createdId: readCreatedId,
  job: readJob,
  progress: readJobInProgress,
  list: readList,
  jobWithRecord: readJobWithRecord,
  nothing: () => null,
} as const;

export type ReaderName = keyof typeof readers;
export type ReaderResult<R extends ReaderName> = ReturnType<(typeof readers)[R]>;

/** The content of a response body; not `ok` if it exceeds a limit of `wire.ts` or cannot be parsed. */
export type ParsedBody<R extends ReaderName> =
  | {
      readonly ok: true;
      readonly form: 'json' | 'html' | 'empty' | 'other';
      readonly value: ReaderResult<R>;
      /** The content if the response is an error. */
      readonly error: WireError;
      readonly balanceCredits: number | null;
    }
  | { readonly ok: false; readonly message: string };

/** Parses a body. Never throws, whatever the service sends. */
export function parseBody<R extends ReaderName>(bytes: Uint8Array, reader: R): ParsedBody<R> {
  try {
    const text = new TextDecoder().decode(bytes);
    const body = parseJson(text);
    return {
      ok: true,
      form: body === undefined ? formOf(text) : 'json',
      // The result of the named reader, which TypeScript does not follow through the index.
      value: readers[reader](body) as ReaderResult<R>,
      error: readError(body),
      balanceCredits: readBalance(body),
    };
  } catch (error) {
    return { ok: false, message: errorMessage(error) };
  }
}

/** Returns `undefined` if `text` is not JSON. @throws TooManyValuesError */
function parseJson(text: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch (error) {
    if (error instanceof TooManyValuesError) throw error;
    return undefined;
  }
}

function formOf(text: string): 'html' | 'empty' | 'other' {
  const start = text.slice(0, 1000).trimStart().toLowerCase();
  if (start === '') return text.trim() === '' ? 'empty' : 'other';
  return start.startsWith('<!doctype') || start.startsWith('<html') ? 'html' : 'other';
}
