import type { TFunction } from 'i18next';
import type { ServiceAddress, ServiceCondition, ServiceStatus } from '../../../electron/contract/service.ts';
import { textContext, type ProblemCode } from '../../../electron/contract/problem.ts';
import { problemText } from './problem-text.ts';
import type { Format } from './format.ts';

/** The names that the user gave to accounts, by address. */
export type AccountNames = Readonly<Record<ServiceAddress, string>>;

/** Returns the name of a service for the user: "On this computer", or an account's name, by default its host. */
export function serviceName(t: TFunction, service: ServiceAddress, names: AccountNames): string {
  if (service === 'on-device') return t('service.onDevice');
  return names[service] ?? hostOf(service);
}

/** Returns the host of an account's address. */
export const hostOf = (address: ServiceAddress): string =>
  URL.canParse(address) ? new URL(address).host : address;

/** What the texts about the condition of a service depend on. */
type StatusToShow = Pick<ServiceStatus, 'service' | 'condition'>;

/** Describes a condition in two or three words; `null` when the service is simply ready. */
export function shortConditionText(
  t: TFunction,
  format: Format,
  { service, condition }: StatusToShow,
): string | null {
  switch (condition.kind) {
    case 'ready':
      return null;
    case 'starting':
      return t('service.starting');
    case 'offline':
      return t('service.offline', textContext(service));
    case 'limited':
      return t('service.limited', { time: format.time(condition.until) });
    case 'no-credits':
      return t('service.noCredits');
    case 'over-limit':
      return t('service.overLimit');
    case 'stopped':
      return t('service.stopped');
  }
}

/** Whether work on the service waits under this condition. */
export const blocksWork = ({ kind }: ServiceCondition): boolean => kind !== 'ready' && kind !== 'starting';

/** The problems that only another key solves. */
export const keyProblems: ReadonlySet<ProblemCode> = new Set(['invalid_api_key', 'key_missing']);

/** Whether a service is stopped until the user enters a key. */
export const needsKey = (condition: ServiceCondition): boolean =>
  condition.kind === 'stopped' && keyProblems.has(condition.problem.code);

/** The credits that an account needs and has, when these are too few. */
export interface Shortage {
  readonly needed: number;
  readonly left: number;
}

export interface ConditionText {
  readonly tone: 'bad' | 'warn' | 'calm';
  readonly title: string;
  readonly text: string;
}

/**
 * Describes a condition in full: what stops the whole service, and what happens next; `null` when nothing stops it.
 *
 * @param name the name of the service.
 * @param shortage `null` when it is unknown or not shown.
 */
export function conditionText(
  t: TFunction,
  format: Format,
  name: string,
  { service, condition }: StatusToShow,
  shortage: Shortage | null = null,
): ConditionText | null {
  const where = textContext(service);
  switch (condition.kind) {
    case 'ready':
    case 'starting':
      return null;
    case 'offline':
      return {
        tone: 'warn',
        title: t('condition.offlineTitle', where),
        text: t('condition.offline', { service: name, ...where }),
      };
    case 'limited':
      return {
        tone: 'calm',
        title: t('condition.limitedTitle', where),
        text: t('condition.limited', { time: format.time(condition.until) }),
      };
    case 'no-credits':
      return {
        tone: 'warn',
        title:
          shortage === null
            ? t('condition.noCreditsTitle')
            : t('condition.noCreditsTitleOf', { ...shortage }),
        text: t('condition.noCredits'),
      };
    case 'over-limit':
      return {
        tone: 'warn',
        title: t('condition.overLimitTitle', { ...condition.problem.params }),
        text: problemText(t, condition.problem),
      };
    case 'stopped':
      return {
        tone: 'bad',
        title: t('condition.stoppedOf', { service: name }),
        text: problemText(t, condition.problem),
      };
  }
}

/** Describes what stops a service where its name is known; `null` when nothing does. */
export function blockingConditionText(
  t: TFunction,
  format: Format,
  name: string,
  status: StatusToShow,
): string | null {
  const described = conditionText(t, format, name, status);
  if (described === null) return null;
  return status.condition.kind === 'stopped' ? described.text : `${described.title} ${described.text}`;
}
