import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxSegments, maxTextLength, maxTimeSeconds } from '../../../../electron/contract/limits.ts';
import { personExtraNames } from '../../../../electron/contract/segment-schema.ts';
import {
  readBalance,
  readCreated,
  readError,
  readJob,
  readJobInProgress,
  readList,
} from '../../../../electron/core/api/wire.ts';

const upload = {
  part_size: 8,
  part_count: 2,
  part_url: 'https://api.example.com/api/v1/transcriptions/j1/upload',
  complete_url: 'https://api.example.com/api/v1/transcriptions/j1/complete',
};

describe('a create response', () => {
  it.each([
    ['beside data', { data: { id: 'j1' }, upload }],
    ['inside data', { data: { id: 'j1', upload } }],
    ['at the top', { id: 'j1', upload }],
  ])('may have its upload session %s', (_where, body) => {
    expect(readCreated(body)).toEqual({ jobId: 'j1', upload });
  });

  it('may be the upload session alone', () => {
    expect(readCreated({ upload })).toEqual({ jobId: null, upload });
    expect(readCreated(upload)).toEqual({ jobId: null, upload });
  });

  it('may be empty for a link', () => {
    expect(readCreated(undefined)).toEqual({ jobId: null, upload: null });
    expect(readCreated({ data: { id: 'j2' } })).toEqual({ jobId: 'j2', upload: null });
  });

  it.each([
    ['inside data', { data: { job_id: 'j3' } }],
    ['at the top', { job_id: 'j3' }],
  ])('may have its ID as job_id %s', (_where, body) => {
    expect(readCreated(body).jobId).toBe('j3');
  });

  it.each([
    [64, 1],
    [65, 65_536],
    [100_000, 65_536],
  ])('may ask for %d parts of %d bytes', (part_count, part_size) => {
    expect(readCreated({ upload: { ...upload, part_count, part_size } }).upload).not.toBeNull();
  });

  it.each([
    [65, 65_535],
    [100_001, 65_536],
  ])('is not usable with %d parts of %d bytes', (part_count, part_size) => {
    const words = `the service wants the file in ${part_count} parts of ${part_size} bytes`;
    expect(() => readCreated({ upload: { ...upload, part_count, part_size } })).toThrow(words);
  });

  it('has no session if its sizes are invalid', () => {
    expect(readCreated({ data: { id: 'j1' }, upload: { ...upload, part_size: 0 } }).upload).toBeNull();
  });
});

const jobInProgress = (partial: unknown) =>
  readJobInProgress({ data: { status: 'active', partial_transcript: partial } });
const job = (data: object) => readJob({ data: { id: 'j1', status: 'completed', progress: 100, ...data } });

describe('a job', () => {
  it('is read in its envelope and bare', () => {
    expect(readJob({ data: { status: 'queued' } })?.status).toBe('queued');
    expect(readJob({ status: 'queued' })?.status).toBe('queued');
  });

  it('keeps a status that the API may add later', () => {
    expect(readJob({ data: { status: 'polishing' } })?.status).toBe('polishing');
  });

  it('has no transcript while it is absent, null or empty', () => {
    expect(job({})?.transcript).toBeNull();
    expect(job({ transcript: null })?.transcript).toBeNull();
    expect(job({ transcript: {} })?.transcript).toBeNull();
  });

  it('has an empty transcript without speech', () => {
    expect(job({ transcript: { text: '', segments: [] } })?.transcript).toEqual({
      text: '',
      segments: [],
      language: null,
    });
  });

  it.each([
    ['absent', undefined],
    ['no object', 'text'],
    ['without a number', { segments: [] }],
    ['with an invalid number', { from: -1, segments: [] }],
    ['without segments', { from: 0 }],
    ['with a segment without times', { from: 0, segments: [{ text: 'a' }] }],
    ['with a time beyond all recordings', { from: 0, segments: [{ start: 0, end: 1e9, text: 'a' }] }],
  ])('has no partial transcript if that is %s', (_, partial) => {
    expect(jobInProgress(partial)).not.toHaveProperty('partial');
  });

  it('has a partial transcript from a segment on', () => {
    const segments = [{ start: 1, end: 2, text: 'a' }];
    expect(jobInProgress({ from: 7, segments, language: 'en' })?.partial).toEqual({
      from: 7,
      segments,
      language: 'en',
    });
  });

  it('has no unknown extras in a partial transcript', () => {
    const segments = [{ start: 1, end: 2, text: 'a', extras: { mood: [1, 2, 3], speakerConfidence: 0.5 } }];
    expect(jobInProgress({ from: 0, segments })?.partial?.segments).toEqual([
      { start: 1, end: 2, text: 'a', extras: { speakerConfidence: 0.5 } },
    ]);
  });

  it.each([...personExtraNames])('has no %s, which only a person may set', (name) => {
    const segment = { start: 1, end: 2, text: 'a', extras: { [name]: true, mood: 'good' } };
    const withoutIt = [{ start: 1, end: 2, text: 'a', extras: { mood: 'good' } }];
    expect(job({ transcript: { segments: [segment] } })?.transcript?.segments).toEqual(withoutIt);
    const alone = { ...segment, extras: { [name]: true } };
    expect(jobInProgress({ from: 0, segments: [alone] })?.partial?.segments).toEqual([
      { start: 1, end: 2, text: 'a' },
    ]);
  });

  it('has no extras of thousands of values', () => {
    const extras = { mood: Array.from({ length: 5000 }, () => 0) };
    const segments = [{ start: 1, end: 2, text: 'a', extras }];
    expect(job({ transcript: { segments } })?.transcript?.segments).toEqual([
      { start: 1, end: 2, text: 'a' },
    ]);
  });

  it('turns a text without segments into one segment', () => {
    const transcript = job({ duration_seconds: 12.5, transcript: { text: ' Hello there. ' } })?.transcript;
    expect(transcript?.segments).toEqual([{ start: 0, end: 12.5, text: 'Hello there.' }]);
  });

  it('joins the segments if there is no text', () => {
    const segments = [
      { start: 0, end: 1, text: ' Hello' },
      { start: 1, end: 2, text: 'there.' },
    ];
    expect(job({ transcript: { segments } })?.transcript?.text).toBe('Hello there.');
  });

  it('has its error as an object or a string', () => {
    const read = (error: unknown) => job({ error })?.error;
    expect(read({ code: 'x', message: 'No sound.' })).toEqual({ code: null, message: 'No sound.' });
    expect(read('No sound.')).toEqual({ code: null, message: 'No sound.' });
    const code = 'insufficient_credits';
    expect(read({ code, message: 'Too few.' })).toEqual({ code, message: 'Too few.' });
    expect(read(code)).toEqual({ code, message: code });
    expect(job({ error: null })?.error).toBeNull();
  });

  it('makes no progress with a number that is not finite', () => {
    expect(job({ progress: Infinity })?.progress).toBe(0);
  });

  it('may last, and have segments, as long as the longest recording', () => {
    const segments = [{ start: 0, end: maxTimeSeconds, text: 'a' }];
    const read = job({ duration_seconds: maxTimeSeconds, transcript: { segments } });
    expect(read).toMatchObject({ durationSeconds: maxTimeSeconds, transcript: { segments } });
  });

  it('has no segments if its text is blank', () => {
    expect(job({ transcript: { text: ' ', segments: [] } })?.transcript?.segments).toEqual([]);
    expect(job({ transcript: { text: ' ' } })?.transcript?.segments).toEqual([]);
  });

  it('has at most as much text as a transcript may have', () => {
    const text = `x${' '.repeat(maxTextLength - 1)}`;
    expect(job({ transcript: { text } })?.transcript?.text).toHaveLength(maxTextLength);
    const words = `the transcript has more than ${maxTextLength} characters`;
    expect(() => job({ transcript: { text: `${text} ` } })).toThrow(words);
    const segments = ['x', 'x'.repeat(maxTextLength)].map((one) => ({ start: 0, end: 1, text: one }));
    expect(() => job({ transcript: { segments } })).toThrow(words);
  });

  it('has at most as many segments as a transcript may have', () => {
    // None of them can be read, which is found only if there are not too many.
    const segments: unknown[] = Array.from({ length: maxSegments });
    expect(() => job({ transcript: { segments } })).toThrow('a segment has no text or no times');
    segments.push(null);
    const words = `the transcript has more than ${maxSegments} segments`;
    expect(() => job({ transcript: { segments } })).toThrow(words);
  });

  it('is invalid without a status', () => {
    expect(readJob({ data: { id: 'j1' } })).toBeNull();
    expect(readJob('<html>')).toBeNull();
  });
});

describe('an error body', () => {
  it.each([
    ['error.code', { error: { code: 'rate_limited', message: 'Slow down.' } }],
    ['error.type', { error: { type: 'rate_limited', message: 'Slow down.' } }],
    ['the top level', { code: 'rate_limited', message: 'Slow down.' }],
    ['error itself', { error: 'rate_limited', message: 'Slow down.' }],
    ['error.error', { error: { error: 'rate_limited', message: 'Slow down.' } }],
    ['type at the top level', { type: 'rate_limited', message: 'Slow down.' }],
  ])('may have its code at %s', (_where, body) => {
    expect(readError(body)).toEqual({ code: 'rate_limited', message: 'Slow down.' });
  });

  it('may contain no known code', () => {
    expect(readError({ error: { code: 'E42', message: 'Odd.' } })).toEqual({ code: null, message: 'Odd.' });
  });
});

describe('a list', () => {
  const records = [{ id: 'j1', status: 'completed', file_name: 'a.mp3' }, { id: 'j2' }, { no: 'id' }];
  const absent = {
    status: null,
    fileName: null,
    progress: null,
    durationSeconds: null,
    creditsCharged: null,
    createdAt: null,
  };
  const read = {
    records: [
      { ...absent, jobId: 'j1', status: 'completed', fileName: 'a.mp3' },
      { ...absent, jobId: 'j2' },
    ],
    length: 3,
  };

  it.each([
    ['an array', records],
    ['under data', { data: records }],
    ['under data.items', { data: { items: records } }],
    ['under items', { items: records }],
  ])('may be %s', (_where, body) => {
    expect(readList(body)).toEqual(read);
  });

  it.each([
    ['a date', '2026-11-21T12:00:00Z'],
    ['seconds', 1_795_262_400],
    ['milliseconds', 1_795_262_400_000],
  ])('may have the creation time as %s', (_how, created_at) => {
    expect(readList([{ id: 'j1', created_at }])?.records[0]?.createdAt).toBe(1_795_262_400_000);
  });

  it('is invalid without an array', () => {
    expect(readList({ data: { id: 'j1' } })).toBeNull();
  });
});

it('reads any JSON without throwing', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (body) => {
      const readAll = (): void => {
        readCreated(body);
        readJob(body);
        readJob({ data: body });
        readJob({ data: { status: 'completed', transcript: body } });
        readError(body);
        readList(body);
        readBalance({ meta: body });
      };
      expect(readAll).not.toThrow();
    }),
  );
});
