import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { check, type Diagnostics } from 'recheck';
import { expect, test } from 'vitest';
import { parseSync, Visitor } from 'vite';

// Its other backends are programs that may be missing on this system.
process.env['RECHECK_BACKEND'] = 'pure';

const root = resolve(import.meta.dirname, '../..');

interface Expression {
  readonly source: string;
  readonly flags: string;
  /** Path and line. */
  readonly where: string;
}

/**
 * Expressions that no automaton can decide, because they look around, or not within a few seconds, and why their effort
 * is linear anyway. They are attacked with generated texts instead.
 */
const exempted: ReadonlyMap<string, string> = new Map([
  [String.raw`(?<!\/)\/+$`, 'tried once for each run of slashes, at its start'],
  ['(?<![. ])[. ]+$', 'tried once for each run, at its start'],
  [String.raw`^[\s\p{P}\p{S}]+|(?<![\s\p{P}\p{S}])[\s\p{P}\p{S}]+$`, 'tried once for each run, at its start'],
  [String.raw`^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$`, 'tried once for each run, at its start'],
  [
    String.raw`(?<![.!?…])[.!?…]+["”’»)]*\s|[。！？]|[,;:]\s|[、，；]`,
    'tried once for each run of marks, at its start; quotation marks follow only the whole run',
  ],
  ...['(^|;[ "]*)', '(^|;[ "]*)\''].map((start): readonly [string, string] => [
    String.raw`${start}(?='*[=+\-@\uff1d\uff0b\uff0d\uff20])`,
    'tried once for each semicolon; the runs after it are read once, since nothing is in both',
  ]),
  [String.raw`^(?!\.{1,2}$)[^/\\\p{Cc}\p{Cs}]+$`, 'tried once, and looks ahead by three characters'],
  [
    String.raw`^(?:([a-z][a-z0-9+.-]*:\/+(?!\/))|(?=[^@]*:)).*@`,
    'tried once; each of its three runs is read forwards and backwards at most once',
  ],
  [
    String.raw`^([\p{Lu}\p{Lt}\p{Lo}\p{N}][^:.,;?!"“”„«»()[\]\n]{0,39}): (\S.*)$`,
    'tried once; only forty characters can be divided in several ways',
  ],
  [
    String.raw`^([\p{Lu}\p{Lt}\p{Lo}\p{N}][^:.,;?!"“”„«»()[\]\n]{0,39}:)(\u2060*)(?= \S)`,
    'tried once; only forty characters can be divided in several ways',
  ],
  [String.raw`^\[(?=[^\]]*:)`, 'tried once, and looks ahead once'],
  [
    '[\\\\`*_{}[\\]<>#|~]|&(?=#?\\w+;)|!(?=\\[)',
    'looks ahead over one word, which contains none of the characters it starts at',
  ],
  [
    String.raw`[^\n]*?(?:[.!?…。！？؟۔।]["'\p{Pe}\p{Pf}\p{Pi}]*(?=\s)|[。！？]|\n|$)\s*`,
    'matches wherever it is tried; quotation marks are read once for the mark before them',
  ],
  [
    String.raw`(^|[\s([{=:,]|\b(?=file:\/))(?:file:\/|[a-z]:[\\/]|\\\\|(?:~|\.{1,2})?\/(?!\/)).*$`,
    'everything before the rest of the line has at most seven characters, and the rest always matches',
  ],
  [
    String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}\u30fc\uff70][\p{M}\uff9e\uff9f]*|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}\u30fc\uff70])[\p{L}\p{N}\p{M}\p{Co}])+`,
    'looks ahead by one character',
  ],
  [
    String.raw`^.*\.(?:mp[234]|m4[abv]|wav|flac|og[agv]|opus|aac|aiff?|wma|webm|mk[av]|mov|avi|wmv|mpe?g|3gp|amr|caf|mts|srt|vtt|txt|docx|md|csv|json)\b`,
    'tried once for each line, which is read forwards and backwards',
  ],
]);

/** Builds expressions that the user types: only a worker matches them, within a time limit. */
const userPatterns = 'electron/core/transcript/user-pattern.ts';

const isRegExp = (callee: { readonly type: string }): boolean =>
  callee.type === 'Identifier' && 'name' in callee && callee.name === 'RegExp';

/** Returns the literals in a file and how many expressions it builds from strings. */
function scan(
  path: string,
  code: string,
): { readonly literals: readonly Expression[]; readonly built: number } {
  const literals: Expression[] = [];
  let built = 0;
  new Visitor({
    Literal({ start, ...literal }) {
      if (!('regex' in literal)) return;
      const { pattern, flags } = literal.regex;
      const line = code.slice(0, start).split('\n').length;
      literals.push({ source: pattern, flags, where: `${path}:${line}` });
    },
    NewExpression({ callee }) {
      if (isRegExp(callee)) built += 1;
    },
    CallExpression({ callee }) {
      if (isRegExp(callee)) built += 1;
    },
  }).visit(parseSync(path, code).program);
  return { literals, built };
}

/** Effort is counted in characters that are read: a busy machine takes longer for the same effort. */
const countedEffort = { attackTimeout: null, incubationTimeout: null, seedingTimeout: null };

/** Returns how the effort of an expression grows with the length of a text, unless it is linear. */
async function growthOf({ source, flags }: Pick<Expression, 'source' | 'flags'>): Promise<string | null> {
  const checker = exempted.has(source) ? 'fuzz' : 'automaton';
  const found: Diagnostics = await check(source, flags, { checker, timeout: 300_000, ...countedEffort });
  if (found.status === 'safe') return null;
  return found.status === 'vulnerable' ? found.complexity.summary : found.error.kind;
}

const sources = globSync('{electron,renderer}/**/*.{ts,tsx}', { cwd: root }).map((path) => {
  const scanned = scan(path, readFileSync(resolve(root, path), 'utf8'));
  return { path, ...scanned, ...(path === userPatterns && { built: 0 }) };
});

/** Returns the expressions that the sources build from strings while they are loaded, or in a function called here. */
async function builtExpressions(): Promise<readonly Expression[]> {
  const found: Expression[] = [];
  const actual = globalThis.RegExp;
  globalThis.RegExp = new Proxy(actual, {
    construct(target, args: [string, string?]) {
      const expression = new target(...args);
      const caller = new Error().stack?.split('\n')[2] ?? '';
      const path = sources.find((one) => one.built > 0 && caller.includes(resolve(root, one.path)))?.path;
      if (path !== undefined) {
        const { source, flags } = expression;
        found.push({ source, flags, where: path });
      }
      return expression;
    },
  });
  try {
    for (const { path, built } of sources) if (built > 0) await import(resolve(root, path));
    const { patternOf } = await import('../../electron/core/transcript/find.ts');
    patternOf({ text: '(a+)+ b', matchCase: false, wholeWords: true });
    const { otherSpellings } = await import('../../electron/core/transcript/search/other-spellings.ts');
    otherSpellings([{ plain: 'mueller', accented: null }]);
    const { temporaryFileForm } = await import('../../electron/core/library/export/publish-file.ts');
    temporaryFileForm();
  } finally {
    globalThis.RegExp = actual;
  }
  return found;
}

test.each([
  ['^a+$', null],
  ['a+$', '2nd degree polynomial'],
  ['^(a|a)*$', 'exponential'],
  // Undecided is not linear.
  ['(?<!b)a+$', 'unsupported'],
])('the effort of an expression is found: %s', async (source, growth) => {
  expect(await growthOf({ source, flags: '' })).toBe(growth);
});

test('the effort of every regular expression grows with the length of the text', async () => {
  const built = await builtExpressions();
  for (const { path, built: count } of sources)
    expect.soft(built.filter(({ where }) => where === path).length, path).toBeGreaterThanOrEqual(count);
  const all = [...sources.flatMap(({ literals }) => literals), ...built];
  expect(all.length).toBeGreaterThan(200);

  const unused = [...exempted.keys()].filter((source) => !all.some((one) => one.source === source));
  expect.soft(unused, 'exempted, but not in the sources').toEqual([]);

  const slow: string[] = [];
  for (const expression of all) {
    const growth = await growthOf(expression);
    if (growth !== null) slow.push(`${expression.where} /${expression.source}/: ${growth}`);
  }
  expect(slow).toEqual([]);
}, 900_000);
