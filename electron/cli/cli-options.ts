const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const json = { json: flag } as const;
const exports = { to: text, out: text, template: text, preset: text, words: flag, ...json } as const;

/** The options of each command, as `node:util` parses them. */
export const options = {
  transcribe: {
    ...exports,
    partial: flag,
    service: text,
    language: text,
    accuracy: text,
    translate: flag,
    terms: text,
  },
  resume: { ...exports, partial: flag },
  export: { ...exports, all: flag, search: text, tag: text, existing: text },
  library: { ...json, replace: flag },
  speakers: { ...json, count: text, models: text },
  serve: { host: text, port: text, data: text, key: text, credits: text, rate: text },
  status: json,
  key: { ...json, service: text },
} as const;

/** The names of all options, also of those that take the place of a command. */
export const optionNames: ReadonlySet<string> = new Set([
  ...Object.values(options).flatMap((known) => Object.keys(known)),
  'help',
  'version',
]);
