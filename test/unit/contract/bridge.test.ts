import { expect, test } from 'vitest';
import { packAnswer } from '../../../electron/contract/bridge.ts';

test.each([
  { ok: true, value: { rows: [{ id: 1, name: 'a “b” \u2028.wav', sizeBytes: null }], paused: false } },
  { ok: true, value: null },
  { ok: false, problem: { code: 'internal', detail: 'a test' } },
] as const)('an answer is serialized: %j', (answer) => {
  const packed = packAnswer(answer);
  expect(typeof packed === 'string' ? JSON.parse(packed) : packed).toStrictEqual(answer);
});

test('an empty answer stays empty', () => {
  expect(packAnswer({ ok: true, value: undefined })).toBe('{"ok":true}');
});

test.each([Uint8Array.of(1, 2, 255), { peaks: Uint8Array.of(1, 2, 255), sliceSeconds: [60, null] }])(
  'bytes are not serialized: %j',
  (value) => {
    expect(packAnswer({ ok: true, value })).toStrictEqual({ ok: true, value });
  },
);
