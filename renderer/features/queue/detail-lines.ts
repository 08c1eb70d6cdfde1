import type { TFunction } from 'i18next';
import type { QueueRow, QueueRowDetails, RowState } from '../../../electron/contract/queue-commands.ts';
import { textContext } from '../../../electron/contract/problem.ts';
import { durationTime } from '../../../electron/core/transcript/clock-time.ts';
import type { Format } from '../../ui/text/format.ts';
import { problemText } from '../../ui/text/problem-text.ts';
import type { NameOf } from './row-actions.ts';
import { rowText } from './row-text.ts';

/** One line of the details. */
export interface DetailLine {
  readonly label: string;
  readonly value: string;
  /** Whether the value can be copied. */
  readonly copyable: boolean;
}

type Line = readonly [label: string, value: string | null | undefined, copyable?: 'copyable'];

/** Returns the details of a row in groups: state, times, exported files, recording, identifiers. */
export function detailLinesOf(
  t: TFunction,
  format: Format,
  row: QueueRow,
  details: QueueRowDetails | null,
  nameOf: NameOf,
): readonly (readonly DetailLine[])[] {
  const groups = [
    stateLines(t, format, row, details),
    timeLines(t, format, row, details),
    fileLines(t, details),
    recordingLines(t, format, row, nameOf),
    identifierLines(t, row, details),
  ];
  return groups.map((lines) =>
    lines.flatMap(([label, value, copyable]) =>
      typeof value === 'string' && value !== '' ? [{ label, value, copyable: copyable !== undefined }] : [],
    ),
  );
}

function stateLines(
  t: TFunction,
  format: Format,
  row: QueueRow,
  details: QueueRowDetails | null,
): readonly Line[] {
  const { state } = row;
  // A blocked or failed row already shows its problem as its state.
  const isProblemState = state.kind === 'blocked' || state.kind === 'failed';
  const problem = isProblemState ? state.problem : row.lastProblem;
  const requests = details?.requests ?? 0;
  return [
    [t('rowDetails.state'), rowText(t, format, { ...row, retryAt: null }, row.addedAt).text],
    [t('rowDetails.part'), uploadPartText(t, state)],
    [t('rowDetails.problem'), isProblemState || problem === null ? null : problemText(t, problem)],
    [t('rowDetails.code'), problem?.code, 'copyable'],
    [t('rowDetails.said'), problem?.detail, 'copyable'],
    [t('rowDetails.attempts'), row.attempts > 0 ? format.number(row.attempts) : null],
    [t('rowDetails.requests'), requests > 1 ? format.number(requests) : null],
  ];
}

/** Returns the progress of the upload in parts; `null` when there are fewer than two. */
function uploadPartText(t: TFunction, state: RowState): string | null {
  if (state.kind !== 'uploading' || state.partCount === 1) return null;
  return t('rowDetails.partOf', { part: state.part, count: state.partCount });
}

function timeLines(
  t: TFunction,
  format: Format,
  row: QueueRow,
  details: QueueRowDetails | null,
): readonly Line[] {
  const timeText = (time: number | null | undefined): string | null =>
    time === null || time === undefined ? null : `${format.date(time)}, ${format.exactTime(time)}`;
  const elapsed =
    details !== null &&
    details.startedAt !== null &&
    details.endedAt !== null &&
    details.endedAt > details.startedAt
      ? format.duration((details.endedAt - details.startedAt) / 1000)
      : null;
  return [
    [t('rowDetails.added'), timeText(row.addedAt)],
    [t('rowDetails.started'), timeText(details?.startedAt)],
    [t('rowDetails.sent', textContext(row.service)), timeText(details?.sentAt)],
    [t('rowDetails.ended'), timeText(details?.endedAt)],
    [t('rowDetails.took'), elapsed],
    [t('rowDetails.next'), timeText(row.retryAt)],
  ];
}

function fileLines(t: TFunction, details: QueueRowDetails | null): readonly Line[] {
  return (details?.files ?? []).map(({ format, path, problem }): Line => {
    const name = t(`format.${format}`);
    if (path !== null) return [t('rowDetails.file', { format: name }), path, 'copyable'];
    return [t('rowDetails.noFile', { format: name }), problem === null ? null : problemText(t, problem)];
  });
}

function recordingLines(t: TFunction, format: Format, row: QueueRow, nameOf: NameOf): readonly Line[] {
  const { options } = row;
  const language = options.language === 'auto' ? t('options.auto') : format.language(options.language);
  const accuracy = t(`accuracy.${options.accuracy}`);
  return [
    [t('rowDetails.duration'), row.durationSeconds === null ? null : durationTime(row.durationSeconds)],
    [t('rowDetails.size'), row.sizeBytes === null ? null : format.bytes(row.sizeBytes)],
    [t('rowDetails.service', textContext(row.service)), nameOf(row.service)],
    [t('rowDetails.language'), language],
    [
      t('rowDetails.accuracy'),
      options.translateToEnglish ? `${accuracy} · ${t('options.translated')}` : accuracy,
    ],
  ];
}

function identifierLines(t: TFunction, row: QueueRow, details: QueueRowDetails | null): readonly Line[] {
  return [
    [t('rowDetails.location'), details?.location, 'copyable'],
    [t('rowDetails.job', textContext(row.service)), details?.jobId, 'copyable'],
    [t('rowDetails.key'), details?.requestKey, 'copyable'],
    [t('rowDetails.number'), String(row.id)],
  ];
}
