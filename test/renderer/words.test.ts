import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { conditionText as cliConditionText, stateText } from '../../electron/cli/reporting/wording.ts';
import { jobStatuses } from '../../electron/contract/job-status.ts';
import {
  apiErrorCodes,
  itemProblemCodes,
  localProblemCodes,
  problemAt,
} from '../../electron/contract/problem.ts';
import type { QueueRow, QueueRowDetails, RowState } from '../../electron/contract/queue-commands.ts';
import { Translator } from '../../electron/core/translator.ts';
import { detailLinesOf } from '../../renderer/features/queue/detail-lines.ts';
import { actionsOf, primaryActionText } from '../../renderer/features/queue/row-actions.ts';
import { conditionText } from '../../renderer/ui/text/service-text.ts';
import { rowText } from '../../renderer/features/queue/row-text.ts';
import { i18n, loadTexts } from '../../renderer/i18n.ts';
import { createFormat } from '../../renderer/ui/text/format.ts';
import { problemText } from '../../renderer/ui/text/problem-text.ts';
import english from '../../resources/locales/en.json' with { type: 'json' };
import { everyState, sampleRow } from '../support/window/sample-rows.ts';

const root = resolve(import.meta.dirname, '../..');
const codes = [...apiErrorCodes, ...localProblemCodes];

type TextKey = keyof typeof english.problem;

/** Texts that depend on the problem's `context`. */
const contextTexts = (Object.keys(english.problem) as readonly TextKey[]).filter((key) =>
  /_(command-line|window|older|folders|similar|segments|notes|onDevice|trash|renamed)$|^probably_unusable_/.test(
    key,
  ),
);

beforeAll(() => loadTexts());

describe('problems', () => {
  test('each code has a text, and no text is left over', () => {
    const named = Object.keys(english.problem).filter((key) => !contextTexts.includes(key as TextKey));
    expect(named.toSorted()).toStrictEqual(codes.toSorted());
  });

  test('a data folder in use names the command line if that uses it', () => {
    const problem = { code: 'data_folder_in_use', params: { context: 'command-line' } } as const;
    expect(problemText(i18n.t, problem)).toMatch(/^Longhand’s command line is using this data folder\./);
  });

  test('a data folder in use by a window, which may be hidden, says that Longhand may only be in the tray', () => {
    const problem = { code: 'data_folder_in_use', params: { context: 'window' } } as const;
    expect(problemText(i18n.t, problem)).toContain('perhaps only in the tray');
  });

  test.each([...codes, ...contextTexts])(
    '%s is explained in two short sentences: what happened, and what to do',
    (code) => {
      const words = i18n.t(`problem.${code}`, {
        line: 12,
        number: 12,
        field: 'start',
        percent: 30,
        name: 'settings.json',
        known: 'talk.mp3',
        reason: 'EIO',
      });
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
    // On this computer, only its model can be the reason.
    const lastProblem = problemAt('on-device', { code: 'provider_unavailable' });
    const onThisComputer = { ...row, service: 'on-device', lastProblem };
    expect(rowText(i18n.t, createFormat('en', i18n.t), onThisComputer, 38_500)).toMatchObject({
      text: 'The speech model is missing or does not work.',
      full: 'The speech model is missing or does not work. Check it in the settings.',
    });
  });

  test.each([
    ['on-device', 'inspecting', 'Waiting to be checked'],
    ['on-device', 'preprocessing', 'Measuring its duration'],
    ['https://cloud.example', 'inspecting', 'The service is checking the file'],
    ['https://cloud.example', 'preprocessing', 'The service is preparing the audio'],
  ] as const)('a row at %s that is %s says what happens or what it waits for', (service, status, text) => {
    const row = sampleRow({ id: 1, service, state: { kind: 'transcribing', status, progress: 0 } });
    expect(rowText(i18n.t, createFormat('en', i18n.t), row, 0).text).toBe(text);
  });

  test('a status that the service may add later is shown unchanged', () => {
    const row = sampleRow({ id: 1, state: { kind: 'transcribing', status: 'polishing', progress: 5 } });
    expect(rowText(i18n.t, createFormat('en', i18n.t), row, 0).text).toBe('In progress (polishing)');
  });
});

describe.each([
  ['en', 'Only 2:00 of 2:51 could be read; parts are damaged or missing.'],
  ['de', 'Nur 2:00 von 2:51 konnten gelesen werden; Teile sind beschädigt oder fehlen.'],
  ['es', 'Solo se pudieron leer 2:00 de 2:51; hay partes dañadas o que faltan.'],
] as const)('a recording that was read in part, in %s', (language, sentence) => {
  beforeAll(() => loadTexts(language));
  afterAll(() => loadTexts());

  test('says how much, wherever the damage is, in its row and on the command line', async () => {
    const shortfall = { readSeconds: 120, statedSeconds: 171 };
    const done: RowState = {
      kind: 'done',
      transcript: { kind: 'library', id: 1 },
      wordCount: 0,
      files: { saved: [], failed: [] },
      shortfall,
    };
    const row = sampleRow({ id: 1, state: done });
    const { text, tone } = rowText(i18n.t, createFormat(language, i18n.t), row, 0);
    expect({ text: text.split(' · ').at(-1), tone }).toStrictEqual({ text: sentence, tone: 'warn' });
    expect(stateText(row, await Translator.load(language))).toContain(` · ${sentence}`);
  });
});

const nameOf = (): string => i18n.t('service.onDevice');

describe.each([
  ['en', /\b(send|sent|sending|upload\w*|services?|accounts?|credits?)\b/i],
  ['de', /dienst|konto|send|hochgeladen|hochladen|credits/i],
  ['es', /servicio|cuenta\b|crédito|env[ií]/i],
] as const)('a recording on this computer, in %s', (language, sendingWords) => {
  beforeAll(() => loadTexts(language));
  afterAll(() => loadTexts());

  /** Problems with accounts, keys and credits, which this computer does not have. */
  const ofAccounts: ReadonlySet<string> = new Set([
    'invalid_api_key',
    'insufficient_credits',
    'certificate_untrusted',
    'address_not_https',
    'key_missing',
    'account_removed',
    'credit_limit',
  ]);
  /** Problems of a job outside the queue. */
  const ofOtherJobs: ReadonlySet<string> = new Set(['not_at_service', 'not_finished']);
  const problems = [...apiErrorCodes, ...itemProblemCodes].filter(
    (code) => !ofAccounts.has(code) && !ofOtherJobs.has(code),
  );
  const states: readonly RowState[] = [
    ...Object.values(everyState).filter((state) => !('waitsFor' in state)),
    ...jobStatuses.map((status) => ({ kind: 'transcribing', status, progress: 5 }) as const),
    ...problems.flatMap((code) => [
      { kind: 'blocked', problem: problemAt('on-device', { code }) } as const,
      { kind: 'failed', problem: problemAt('on-device', { code }) } as const,
    ]),
  ];
  const stopped = (['service', 'outage', 'paused'] as const).flatMap((waitReason) => [
    sampleRow({
      id: 1,
      state: { kind: 'uploading', sentBytes: 1, bytesPerSecond: 1, part: 1, partCount: 1 },
      waitReason,
    }),
    sampleRow({ id: 1, state: { kind: 'cancelling' }, waitReason }),
  ]);
  const rows: readonly QueueRow[] = [
    ...states.map((state) => sampleRow({ id: 1, state })),
    ...(['turn', 'service', 'paused'] as const).map((waitsFor) =>
      sampleRow({ id: 1, state: { kind: 'waiting', waitsFor, position: null } }),
    ),
    ...stopped,
  ].map((row) => ({
    ...row,
    service: 'on-device',
    lastProblem: problemAt('on-device', { code: 'offline' }),
  }));
  const details: QueueRowDetails = {
    location: '/recordings/a.mp3',
    jobId: '1',
    requestKey: '2',
    requests: 2,
    startedAt: 1,
    sentAt: 2,
    endedAt: 3,
    files: [],
  };

  test('is never said to be sent, or to have a service or an account', async () => {
    const format = createFormat(language, i18n.t);
    const translator = await Translator.load(language);
    const conditions = [
      { kind: 'offline' },
      { kind: 'limited', until: 0 },
      ...problems.map((code) => ({ kind: 'stopped', problem: problemAt('on-device', { code }) }) as const),
    ] as const;
    const texts = [
      ...rows.flatMap((row) => [
        rowText(i18n.t, format, row, 0).text,
        rowText(i18n.t, format, { ...row, retryAt: 1 }, 0).full ?? '',
        stateText(row, translator),
        ...actionsOf(row, 'on-device').map((action) =>
          primaryActionText(i18n.t, action, row, 'on-device', nameOf),
        ),
        ...detailLinesOf(i18n.t, format, row, details, nameOf)
          .flat()
          .flatMap(({ label, value }) =>
            [label, value].filter((text) => !problems.some((code) => text === code)),
          ),
      ]),
      ...conditions.flatMap((condition) => {
        const status = { service: 'on-device', condition } as const;
        const described = conditionText(i18n.t, format, nameOf(), status);
        return [described?.title ?? '', described?.text ?? '', cliConditionText(status, translator) ?? ''];
      }),
    ];
    expect(new Set(texts.filter((text) => sendingWords.test(text)))).toStrictEqual(new Set());
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
