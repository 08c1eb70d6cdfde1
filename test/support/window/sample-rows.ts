import type { ItemId } from '../../../electron/contract/identifiers.ts';
import type {
  QueueRow,
  QueueRowDetails,
  RowState,
  SavedFiles,
} from '../../../electron/contract/queue-commands.ts';
import type { ProblemCode } from '../../../electron/contract/problem.ts';
import { defaultJobOptions } from '../../../electron/contract/options.ts';

/** A row of the queue, unless a test changes it. */
export const sampleRow = (row: Partial<QueueRow> & { readonly id: number }): QueueRow => ({
  name: `Recording ${row.id}.wav`,
  source: 'file',
  folderLabel: 'Recorder / 2026-11-18',
  sizeBytes: 48_000_000,
  durationSeconds: 1800,
  options: defaultJobOptions,
  service: 'on-device',
  state: { kind: 'waiting', waitsFor: 'turn', position: null },
  waitReason: null,
  isAccountRemoved: false,
  retryAt: null,
  lastProblem: null,
  attempts: 0,
  addedAt: Date.UTC(2026, 10, 19, 8, 12),
  changeable: row.state === undefined || ['waiting', 'failed', 'cancelled'].includes(row.state.kind),
  movable: row.state === undefined || ['waiting', 'failed', 'cancelled'].includes(row.state.kind),
  ...row,
});

/** The details of a row. */
export const sampleDetails = (id: ItemId): QueueRowDetails => ({
  location: `/recordings/${id}.wav`,
  jobId: 'job-4711',
  requestKey: 'longhand-1',
  requests: 1,
  startedAt: Date.UTC(2026, 10, 19, 8, 14, 3),
  sentAt: Date.UTC(2026, 10, 19, 8, 15, 40),
  endedAt: null,
  files: [{ format: 'srt', path: `/recordings/${id}.srt`, problem: null }],
});

const srtSaved: SavedFiles = { saved: ['srt'], failed: [] };

/** Every state of a row, by a unique name. */
export const everyState: Readonly<Record<string, RowState>> = {
  waiting: { kind: 'waiting', waitsFor: 'turn', position: 1 },
  'waiting for a slot': { kind: 'waiting', waitsFor: 'slot', position: 2 },
  'waiting for the service': { kind: 'waiting', waitsFor: 'service', position: null },
  creating: { kind: 'creating', waitsFor: null },
  uploading: { kind: 'uploading', sentBytes: 24_000_000, bytesPerSecond: 11_200_000, part: 4, partCount: 6 },
  completing: { kind: 'completing' },
  queued: { kind: 'transcribing', status: 'queued', progress: 0 },
  transcribing: { kind: 'transcribing', status: 'processing', progress: 64 },
  'a status of tomorrow': { kind: 'transcribing', status: 'polishing', progress: 80 },
  saving: { kind: 'saving' },
  done: { kind: 'done', transcript: { kind: 'library', id: 1 }, wordCount: 6812, files: srtSaved },
  'done without words': {
    kind: 'done',
    transcript: { kind: 'library', id: 2 },
    wordCount: 0,
    files: srtSaved,
  },
  paused: { kind: 'paused' },
  blocked: { kind: 'blocked', problem: { code: 'file_missing' } },
  failed: { kind: 'failed', problem: { code: 'invalid_file_signature' } },
  cancelling: { kind: 'cancelling' },
  cancelled: { kind: 'cancelled' },
  'done, but not saved': {
    kind: 'done',
    transcript: { kind: 'library', id: 3 },
    wordCount: 6120,
    files: { saved: [], failed: ['srt'] },
  },
  'waiting for credits': { kind: 'creating', waitsFor: 'credits' },
  'waiting for a key': { kind: 'waiting', waitsFor: 'key', position: null },
  'in the trash': { kind: 'done', transcript: { kind: 'trash', id: 5 }, wordCount: 6120, files: srtSaved },
  deleted: { kind: 'done', transcript: { kind: 'deleted' }, wordCount: 6120, files: srtSaved },
};

/** One row for each of {@link everyState}, named after it. */
export const rowsOfEveryState: readonly QueueRow[] = Object.entries(everyState).map(([name, state], index) =>
  sampleRow({ id: index + 1, name: `${name}.wav`, state }),
);

/** Problems that make a recording wait for the user. */
export const blockedReasons = [
  'file_missing',
  'file_unreadable',
  'file_changed',
  'disk_full',
  'unexpected_answer',
  'job_gone',
  'job_deleted',
  'upload_expired',
  'upload_session_missing',
  'idempotency_conflict',
  'foreign_address',
] as const satisfies readonly ProblemCode[];

/** Problems with which an item has failed. */
const failedReasons = [
  'invalid_json',
  'invalid_idempotency_key',
  'empty_upload',
  'invalid_part',
  'part_size_mismatch',
  'invalid_parts',
  'invalid_remote_url',
  'insecure_remote_url',
  'remote_host_blocked',
  'remote_host_unresolved',
  'file_too_large',
  'unsupported_file',
  'invalid_file_signature',
  'job_failed',
] as const satisfies readonly ProblemCode[];

/** Problems that resolve automatically. */
const passingReasons = [
  'idempotency_pending',
  'request_failed',
  'upload_failed',
  'complete_failed',
  'remote_dns_failed',
  'provider_unavailable',
  'queue_unavailable',
  'service_unavailable',
] as const satisfies readonly ProblemCode[];

/** One row for each problem that stops or delays a recording, named after it. */
export const rowsOfEveryReason: readonly QueueRow[] = [
  ...blockedReasons.map((code) => ({ name: code, state: { kind: 'blocked', problem: { code } } as const })),
  ...failedReasons.map((code) => ({ name: code, state: { kind: 'failed', problem: { code } } as const })),
  ...passingReasons.map((code) => ({
    name: code,
    state: { kind: 'creating', waitsFor: null } as const,
    lastProblem: { code },
    attempts: 3,
    retryAt: Date.now() + 3_600_000,
  })),
].map((row, index) => sampleRow({ ...row, id: index + 1, name: `${row.name}.wav` }));

const minutes = (whole: number, seconds = 0): number => whole * 60 + seconds;
const megabytes = (value: number): number => value * 1_000_000;
const season = 'Season 9 / Raw';
const masters = 'Season 9 / Masters';

type Sample = readonly [
  name: string,
  folderLabel: string,
  seconds: number | null,
  bytes: number | null,
  state: RowState,
];

const seasonSamples: readonly Sample[] = [
  [
    'Episode 141 – The lighthouse keeper.wav',
    season,
    minutes(58, 21),
    megabytes(612),
    {
      kind: 'uploading',
      sentBytes: megabytes(318),
      bytesPerSecond: 6_900_000,
      part: 38,
      partCount: 73,
    },
  ],
  [
    'Episode 142 – Salt.wav',
    season,
    minutes(62, 40),
    megabytes(657),
    { kind: 'uploading', sentBytes: megabytes(33), bytesPerSecond: 4_300_000, part: 4, partCount: 79 },
  ],
  [
    'Interview Mbeki, town hall.m4a',
    'Recorder / 2026-11-18',
    minutes(81, 7),
    megabytes(78),
    { kind: 'transcribing', status: 'processing', progress: 64 },
  ],
  [
    'Interview Mbeki, part 2.m4a',
    'Recorder / 2026-11-18',
    minutes(41, 19),
    megabytes(39),
    { kind: 'transcribing', status: 'queued', progress: 0 },
  ],
  [
    'Panel, microphone 3.flac',
    'Recorder / 2026-11-17',
    minutes(130, 55),
    megabytes(1100),
    { kind: 'blocked', problem: { code: 'file_missing' } },
  ],
  [
    'Episode 139 – Two rivers.mp3',
    masters,
    minutes(54, 2),
    megabytes(51),
    { kind: 'done', transcript: { kind: 'library', id: 3 }, wordCount: 6812, files: srtSaved },
  ],
  [
    'Episode 138 – The ferry.mp3',
    masters,
    minutes(49, 47),
    megabytes(47),
    { kind: 'done', transcript: { kind: 'library', id: 4 }, wordCount: 6120, files: srtSaved },
  ],
  ['corrupt-take.wav', season, null, 4096, { kind: 'failed', problem: { code: 'invalid_file_signature' } }],
  ['town-hall.mp4', 'media.example.org', null, null, { kind: 'waiting', waitsFor: 'slot', position: 1 }],
  [
    'Episode 143 – Nets.wav',
    season,
    minutes(60, 9),
    megabytes(631),
    { kind: 'waiting', waitsFor: 'slot', position: 2 },
  ],
  [
    'Episode 144 – What the tide left.wav',
    season,
    minutes(57, 30),
    megabytes(603),
    { kind: 'waiting', waitsFor: 'slot', position: 3 },
  ],
];

/** A queue of a podcaster: a season, two interviews, a missing file, a broken one. */
export function seasonQueue(service: string): readonly QueueRow[] {
  const head = seasonSamples.map(([name, folderLabel, durationSeconds, sizeBytes, state], index) =>
    sampleRow({
      id: index + 1,
      name,
      folderLabel,
      durationSeconds,
      sizeBytes,
      state,
      service,
      source: sizeBytes === null ? 'link' : 'file',
    }),
  );
  const rest = Array.from({ length: 129 }, (_, index): QueueRow => {
    const number = index < 36 ? 137 - index : 109 + index;
    return sampleRow({
      id: head.length + index + 1,
      name: `Episode ${number}.wav`,
      folderLabel: index < 36 ? masters : season,
      durationSeconds: minutes(48 + (index % 17), (index * 7) % 60),
      sizeBytes: megabytes(index < 36 ? 44 + (index % 9) : 540 + (index % 90)),
      service,
      state:
        index < 36
          ? {
              kind: 'done',
              transcript: { kind: 'library', id: 10 + index },
              wordCount: 5800 + index * 31,
              files: srtSaved,
            }
          : { kind: 'waiting', waitsFor: 'slot', position: index - 32 },
    });
  });
  return [...head, ...rest];
}

/** Any number of rows, of all kinds. */
export function manyRows(count: number): readonly QueueRow[] {
  const states = Object.values(everyState);
  return Array.from({ length: count }, (_, index) =>
    sampleRow({ id: index + 1, state: states[index % states.length]! }),
  );
}
