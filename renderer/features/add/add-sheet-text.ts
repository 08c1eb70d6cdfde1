import type { TFunction } from 'i18next';
import type {
  AddSheetRow,
  AddSheetSelection,
  AddSheetSummary,
} from '../../../electron/contract/add-sheet-commands.ts';
import { hasOnlyTranscripts } from '../../../electron/contract/sheet-transcripts.ts';
import { accuracies, type Accuracy } from '../../../electron/contract/choices.ts';
import { jobSlots } from '../../../electron/contract/limits.ts';
import { dollarsFor } from '../../../electron/contract/pricing.ts';
import type { ModelSpeed } from '../../../electron/contract/speech-models.ts';
import type { Format } from '../../ui/text/format.ts';
import type { ServiceCondition } from '../../../electron/contract/service.ts';
import { blockingConditionText } from '../../ui/text/service-text.ts';
import { problemText } from '../../ui/text/problem-text.ts';

/** Returns the time on this computer; a lower bound while the duration of a recording or the speed of a model is unknown. */
function timeFact(
  t: TFunction,
  format: Format,
  secondsByAccuracy: AddSheetSummary['secondsByAccuracy'],
  speeds: SheetFactsContext['speeds'],
  isAnyDurationUnknown: boolean,
): SheetFact {
  const used = accuracies
    .map((accuracy) => ({ seconds: secondsByAccuracy[accuracy], speed: speeds[accuracy] }))
    .filter(({ seconds }) => seconds > 0);
  const known = used.flatMap(({ seconds, speed }) =>
    speed === null || speed === 'measuring' ? [] : [{ seconds, ...speed }],
  );
  const time = known.reduce((sum, { seconds, timesRealTime }) => sum + seconds / timesRealTime, 0);
  const isAnySpeedUnknown = known.length < used.length;
  const note = isAnySpeedUnknown
    ? used.some(({ speed }) => speed === null)
      ? 'notMeasured'
      : 'measuring'
    : known.every(({ source }) => source === 'recordings')
      ? 'recordings'
      : 'sample';
  const value =
    known.length === 0
      ? t('addSheet.fact.timeUnknown')
      : t(`addSheet.fact.${isAnySpeedUnknown || isAnyDurationUnknown ? 'atLeast' : 'about'}`, {
          time: format.duration(time),
        });
  return { key: 'time', value, note: t(`addSheet.fact.${note}`), tone: 'plain' };
}

/** Returns the title: what would be added, or that nothing was found yet. */
export function titleText(t: TFunction, summary: AddSheetSummary): string {
  const { chosen, phase, transcripts } = summary;
  if (hasOnlyTranscripts(summary)) return t('addSheet.toImport', { count: transcripts.toImport });
  if (phase === 'scanning' && chosen.recordings === 0) return t('addSheet.scanning');
  return t('addSheet.title', { count: chosen.recordings });
}

/** Returns the summary of what was found in one line, and whether the search continues. */
export function foundText(
  t: TFunction,
  format: Format,
  { chosen, phase, measured, toMeasure, leftOut }: AddSheetSummary,
): string {
  return [
    phase === 'scanning' && chosen.recordings > 0 && t('addSheet.scanning'),
    chosen.bytes > 0 && format.bytes(chosen.bytes),
    phase === 'ready' &&
      !isAnyDurationKnown(chosen) &&
      chosen.recordings > 0 &&
      t('queue.unknownDurations', { count: chosen.unknownDurations }),
    leftOut > 0 && t('addSheet.leftOut', { count: leftOut }),
    phase !== 'ready' && toMeasure > measured && t('addSheet.measuring', { measured, count: toMeasure }),
  ]
    .filter((part) => part !== false)
    .join(' · ');
}

const isAnyDurationKnown = ({ recordings, unknownDurations }: AddSheetSelection): boolean =>
  unknownDurations < recordings;

/** A fact on the sheet: a figure with its label. */
export interface SheetFact {
  readonly key: 'duration' | 'cost' | 'dollars' | 'balance' | 'time';
  readonly value: string;
  readonly note: string;
  readonly tone: 'plain' | 'warn';
}

/** The credits of the account that the recordings of the sheet are sent to. */
export interface AccountCredits {
  /** `null` while unknown. */
  readonly balance: number | null;
  /** What the recordings in the queue will still cost. */
  readonly pending: number;
}

/** The speed of a model; `null` while unknown and not being measured. */
export type SheetSpeed = ModelSpeed | 'measuring' | null;

export interface SheetFactsContext {
  readonly account: AccountCredits;
  /** The measured speed of the model of each accuracy; the speed of another model would not say how long it takes. */
  readonly speeds: Readonly<Record<Accuracy, SheetSpeed>>;
}

/** Returns the facts about the chosen recordings, if any: duration, and cost or time. Unknown facts are absent. */
export function sheetFacts(
  t: TFunction,
  format: Format,
  { chosen, phase, service, secondsByAccuracy }: AddSheetSummary,
  { account: { balance, pending }, speeds }: SheetFactsContext,
): readonly SheetFact[] {
  if (chosen.recordings === 0) return [];
  const { seconds, credits, unknownDurations } = chosen;
  const incompleteKey = phase === 'ready' ? 'addSheet.fact.unknown' : 'addSheet.fact.soFar';
  const isAnyKnown = isAnyDurationKnown(chosen);
  const durationFact: SheetFact = {
    key: 'duration',
    value: format.duration(seconds),
    note: unknownDurations > 0 ? t(incompleteKey, { count: unknownDurations }) : t('addSheet.fact.duration'),
    tone: 'plain',
  };
  const duration = isAnyKnown ? [durationFact] : [];
  if (service === 'on-device') {
    const freeFact: SheetFact = {
      key: 'cost',
      value: t('addSheet.fact.free'),
      note: t('addSheet.fact.private'),
      tone: 'plain',
    };
    if (!isAnyKnown) return [...duration, freeFact];
    return [...duration, freeFact, timeFact(t, format, secondsByAccuracy, speeds, unknownDurations > 0)];
  }
  const costFacts: readonly SheetFact[] = [
    {
      key: 'cost',
      value: t('unit.credits', { count: credits }),
      note: t('addSheet.fact.credits'),
      tone: 'plain',
    },
    {
      key: 'dollars',
      value: format.dollars(dollarsFor(credits)),
      note: t('addSheet.fact.dollars'),
      tone: 'plain',
    },
  ];
  const cost = isAnyKnown ? costFacts : [];
  if (balance === null) return [...duration, ...cost];
  const missing = credits + pending - balance;
  const balanceFact: SheetFact = {
    key: 'balance',
    value: format.number(balance),
    note: missing > 0 ? t('addSheet.fact.short', { count: missing }) : t('addSheet.fact.balance'),
    tone: missing > 0 ? 'warn' : 'plain',
  };
  return [...duration, ...cost, balanceFact];
}

/** Returns the note below the facts: the service of the sheet, and how many recordings run at once. */
export function sheetNoteText(
  t: TFunction,
  summary: AddSheetSummary,
  serviceName: string,
  activeJobs: number,
): string {
  return [
    summary.isRestored && t('addSheet.note.kept'),
    !hasOnlyTranscripts(summary) && serviceNoteText(t, summary, serviceName, activeJobs),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Says why the recordings of the sheet would wait at its service; `null` if they would not, as far as is known. */
export function sheetConditionText(
  t: TFunction,
  format: Format,
  { service, chosen }: AddSheetSummary,
  serviceName: string,
  condition: ServiceCondition | null,
  { balance, pending }: AccountCredits,
): string | null {
  if (condition === null || chosen.recordings === 0) return null;
  const blocked = blockingConditionText(t, format, serviceName, { service, condition });
  if (blocked !== null || service === 'on-device' || balance === null) return blocked;
  if (balance <= 0) return t('addSheet.note.noCredits');
  if (chosen.credits + pending <= balance) return null;
  return t(pending > 0 ? 'addSheet.note.shortWithQueue' : 'addSheet.note.short');
}

function serviceNoteText(
  t: TFunction,
  { service, chosen }: AddSheetSummary,
  serviceName: string,
  activeJobs: number,
): string {
  if (service === 'on-device') return t('addSheet.note.onDevice');
  const freeSlots = Math.max(0, jobSlots - activeJobs);
  const destination = t('addSheet.note.cloud', { service: serviceName });
  return chosen.recordings > freeSlots
    ? `${destination} ${t('addSheet.note.slots', { count: freeSlots, limit: jobSlots })}`
    : destination;
}

/** Returns why a row is rejected or needs a second look; `null` if it does not. */
export function rowReason(
  t: TFunction,
  { duplicate, problem, mayBeWebPage, unmeasured, presentPercent, included }: AddSheetRow,
): string | null {
  if (problem !== null) return problemText(t, problem);
  if (duplicate !== null) {
    const { kind, name } = duplicate;
    if (included && duplicate.kind === 'transcript' && !duplicate.isTrashed)
      return t('addSheet.duplicate.transcriptAgain', { name });
    return 'isTrashed' in duplicate && duplicate.isTrashed
      ? t(`addSheet.duplicate.${duplicate.kind}InTrash`, { name })
      : t(`addSheet.duplicate.${kind}`, { name });
  }
  if (presentPercent !== null) {
    const reason = t('addSheet.incomplete', { percent: presentPercent });
    return included ? reason : t('addSheet.leftOutBecause', { reason });
  }
  if (unmeasured !== null) {
    const reason = t(`addSheet.unmeasured.${unmeasured}`);
    return included || unmeasured === 'undetermined' ? reason : t('addSheet.leftOutBecause', { reason });
  }
  return mayBeWebPage ? t('addSheet.mayBePage') : null;
}
