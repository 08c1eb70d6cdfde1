/**
 * Refuses retired words and phrases in code, comments, tests, documents and user-visible text, so that each thing keeps
 * the one name that docs/glossary.md gives it. `node scripts/check-words.mjs [PATH...]` checks tracked files below the
 * paths, or the whole checkout.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './setup/common.mjs';

/**
 * What is refused, and what to write instead. A phrase may be wrapped over several comment lines; identifiers are
 * matched as written.
 *
 * @type {readonly (readonly [RegExp, string])[]}
 */
export const retiredWords = [
  [/\banew\b/i, 'again, from scratch'],
  [/\bof late\b/i, 'recently'],
  [/\bby (?:itself|themselves)\b/i, 'automatically, on its own'],
  [/\bfor good\b/i, 'permanently'],
  [/\bnot as (?:it|they) (?:was|were)\b/i, 'has changed'],
  [/\b(?:is|are|was|were|be|been) told\b/i, 'is notified, is reported, says'],
  [/\bin vain\b/i, 'without effect'],
  [/\bwhoever\b/i, 'name the subject'],
  [/\bhindrance/i, 'reason'],
  [/\berrand/i, 'request'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, repair'],
  [/\bgoes? on (?:where|by|as|with)\b/i, 'continues, resumes'],
  [/\bgoing on\b/i, 'in progress, continuing'],
  [/\blet go\b/i, 'released, deleted'],
  [/\bof its own accord\b/i, 'automatically'],
  [/, also\b(?! (?:called|known)\b)/, 'even, including, as well'],
  [
    /(?<!\b[Tt]here )\b(?:is|are) no (?!basis|better|easier|faster|less|limit|longer|more|other|such|way)[a-z]/,
    'is not a, are not',
  ],
  [
    /\/\*\* (?:Of (?:a|all|an|one|recordings|the|those)|That of|Those|The same (?:as|for|if|in|when|where|while))\b/,
    'begin with the noun',
  ],
  [/, as (?:after|at|between|by|during|for|from|of|on|when|where|while)\b/, 'for example'],
  [/, as before (?:an?|its?|the)\b/, 'for example'],
  [/\/\*\* As \{@link\b/, 'Like {@link …'],
  [/\busual[A-Z]\w*/, 'default…'],
  [/\b(?:most|longest|largest)[A-Z]\w*/, 'max…'],
  [/\b(?:least|fewest|shortest|smallest)[A-Z]\w*/, 'min…'],
  [/\b[a-z]*\w*Wish(?:es)?\b/, '…Request, …Options'],
  [/\b\w*[sS]oundMemory\b/, 'audio…'],
  [/\b(?:lieDown|fallSilent|StorageRest)\b/, 'pauseForStorageError, backOff, StoragePause'],
  [/\b(?:QueueLine|QueueGlance|Summand|Dues|Hindrance)\b/, 'QueueOrderIndex, QueueSnapshot, SummaryInput, …'],
  [/\b(?:stirring|occupying)States\b/, 'schedulableStates, slotHoldingStates'],
  [
    /\b(?:CatchingUp|BroughtTogether|BroughtTranscript|keptOf|typedInAll)\b/,
    'Rebaser, RebaseOutcome, StagedTranscript',
  ],
  [
    /\b(?:wantedFiles|PassedOver|placeless|JobsLine|LibraryQuestion|ModelShelf)\b/,
    'autoExports, SkippedFiles, …',
  ],
  [
    /\b(?:TimeSlices|toldAhead|toldTogether|tellEachMs|WriterCrew|exportCrew)\b/,
    'Yielder, maxUnacked, batchSize, writerPool',
  ],
  [
    /\b(?:ServiceHolds?|SheetPart|ItemStep|SentStep|isLeftOut|begunAnew|appendToRecord)\b/,
    'ServiceWaits, SheetViewport, ItemPhase, UndoRequest, …',
  ],
  [
    /\b(?:StyleOptions|choiceOf|ignoresFailed\w*)\b/,
    'ExportOverrides, a name for what is chosen, skipsEarlierFailures',
  ],
  [/\b(?:is|are) away\b/i, 'is not connected, is missing'],
  [/\b(?:programs?|commands?|libraries|library) at work\b/i, 'that uses the data folder'],
];

/** Between the words of a phrase: spaces, a line break, the leader of a comment's next line. */
const gap = String.raw`(?:\s|(?<=\n\s*)(?:\*|//|#|>))+`;
const searchPatterns = retiredWords.map(
  ([pattern, instead]) =>
    /** @type {const} */ ([new RegExp(pattern.source.replaceAll(' ', gap), `g${pattern.flags}`), instead]),
);

/**
 * Finds retired words in a text.
 *
 * @param {string} text
 * @returns {readonly { readonly line: number, readonly found: string, readonly instead: string }[]} In the order of
 *   the table; lines count from 1.
 */
export function findRetiredWords(text) {
  return searchPatterns.flatMap(([pattern, instead]) =>
    [...text.matchAll(pattern)].map((match) => ({
      line: text.slice(0, match.index).split('\n').length,
      found: match[0].replaceAll(/[\s*/#>]+/g, ' '),
      instead,
    })),
  );
}

const checkedFiles = /\.(?:ts|tsx|mjs|cjs|css|md|yml|html)$|^resources\/locales\/en\.json$/;
const uncheckedFiles = new Set([
  'scripts/check-words.mjs',
  'test/unit/scripts/check-words.test.ts',
  'docs/glossary.md',
]);

/**
 * Checks tracked files and prints the file and line of each retired word.
 *
 * @param {readonly string[]} paths Relative to the checkout; none means all of it.
 * @returns {boolean} Whether nothing was found.
 */
export function checkWords(paths = []) {
  const { stdout } = spawnSync('git', ['ls-files', '--', ...paths], { cwd: root, encoding: 'utf8' });
  const files = stdout.split('\n').filter((file) => checkedFiles.test(file) && !uncheckedFiles.has(file));
  let count = 0;
  for (const file of files) {
    for (const { line, found, instead } of findRetiredWords(readFileSync(resolve(root, file), 'utf8'))) {
      console.log(`${file}:${line}: "${found}"; write: ${instead}`);
      count += 1;
    }
  }
  if (count > 0) console.log(`${count} retired words in ${files.length} files; see docs/glossary.md`);
  return count === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = checkWords(process.argv.slice(2)) ? 0 : 1;
}
