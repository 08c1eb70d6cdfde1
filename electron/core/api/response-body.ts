import {
  readBalance,
  readCreated,
  readError,
  readJob,
  readList,
  readRecordedJob,
  type WireError,
} from './wire.ts';

/** What can be read from a body, by name, so that a thread can be asked for one. */
const readers = {
  created: readCreated,
  job: readJob,
  list: readList,
  recorded: readRecordedJob,
  nothing: () => null,
} as const;

export type ReaderName = keyof typeof readers;
export type ReaderResult<R extends ReaderName> = ReturnType<(typeof readers)[R]>;

/** The content of a response's body; not `ok` when it is beyond a limit of `wire.ts` or cannot be parsed. */
export type ParsedBody<R extends ReaderName> =
  | {
      readonly ok: true;
      readonly form: 'json' | 'html' | 'empty' | 'other';
      readonly value: ReaderResult<R>;
      /** What the body says if the response is an error. */
      readonly error: WireError;
      readonly balanceCredits: number | null;
    }
  | { readonly ok: false; readonly message: string };

/** Parses a body. Total: nothing that a service sends makes it throw. */
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
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns `undefined` when `text` is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function formOf(text: string): 'html' | 'empty' | 'other' {
  const start = text.slice(0, 1000).trimStart().toLowerCase();
  if (start === '') return text.trim() === '' ? 'empty' : 'other';
  return start.startsWith('<!doctype') || start.startsWith('<html') ? 'html' : 'other';
}
