import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiErrorCodes, localProblemCodes } from '../../electron/contract/problem.ts';
import { rowText } from '../../renderer/features/queue/row-text.ts';
import { i18n, loadTexts } from '../../renderer/i18n.ts';
import { createFormat } from '../../renderer/ui/text/format.ts';
import { problemText } from '../../renderer/ui/text/problem-text.ts';
import english from '../../resources/locales/en.json' with { type: 'json' };
import { everyState, sampleRow } from '../support/window/sample-rows.ts';

const root = resolve(import.meta.dirname, '../..');
const codes = [...apiErrorCodes, ...localProblemCodes];

/** Texts that depend on the problem's `context`. */
const contextTexts = [
  'data_folder_in_use_command-line',
  'data_folder_in_use_older',
  'database_damaged_folders',
  'name_unknown_similar',
] as const;

beforeAll(() => loadTexts());

describe('problems', () => {
  test('each code has a text, and no text is left over', () => {
    const named = Object.keys(english.problem).filter((key) => !contextTexts.some((text) => text === key));
    expect(named.toSorted()).toStrictEqual(codes.toSorted());
  });

  test('a data folder in use names the command line if that uses it', () => {
    const problem = { code: 'data_folder_in_use', params: { context: 'command-line' } } as const;
    expect(problemText(i18n.t, problem)).toMatch(/^Longhand’s command line is using this data folder\./);
  });

  test.each([...codes, ...contextTexts])(
    '%s is explained in two short sentences: what happened, and what to do',
    (code) => {
      const words = i18n.t(`problem.${code}`, { line: 12, name: 'settings.json' });
      const sentences = [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(words)];
      expect(sentences).toHaveLength(2);
      expect(words).toMatch(/\.$/);
      expect(words.length).toBeLessThanOrEqual(110);
      expect(words).not.toContain(code);
      expect(words).not.toMatch(/\{\{|\b(error|invalid|exception|null|undefined|HTTP)\b/);
    },
  );
});

describe('rows', () => {
  test.each(Object.entries(everyState))('a row that is %s has a text', (_name, state) => {
    const words = rowText(i18n.t, createFormat('en', i18n.t), sampleRow({ id: 1, state }), 0);
    expect(words.text).toMatch(/^[A-Z]/);
    expect(words.text).not.toContain('{{');
  });

  test('a row that is retried shows why and when', () => {
    const row = sampleRow({
      id: 1,
      state: { kind: 'creating', waitsFor: null },
      retryAt: 50_000,
      lastProblem: { code: 'provider_unavailable' },
    });
    const words = rowText(i18n.t, createFormat('en', i18n.t), row, 38_500);
    expect(words.text).toBe('The service cannot transcribe now.');
    expect(words.full).toBe('The service cannot transcribe now. It is retried automatically.');
    expect(words.trailingText).toBe('retrying in 12 s');
  });

  test('a status that the service may add later is shown unchanged', () => {
    const row = sampleRow({ id: 1, state: { kind: 'transcribing', status: 'polishing', progress: 5 } });
    expect(rowText(i18n.t, createFormat('en', i18n.t), row, 0).text).toBe('In progress (polishing)');
  });
});

test('the code contains no texts: components show those of the locale', async () => {
  const files = (await readdir(join(root, 'renderer'), { recursive: true })).filter((name) =>
    name.endsWith('.tsx'),
  );
  expect(files.length).toBeGreaterThan(20);
  const texts = await Promise.all(files.map((file) => readFile(join(root, 'renderer', file), 'utf8')));
  const words = texts.flatMap((text) => text.match(/>[^<>{}=;]*[A-Za-z]{3,}[^<>{}=;]*<\//g) ?? []);
  expect(words).toStrictEqual([]);
});
