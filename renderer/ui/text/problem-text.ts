import type { TFunction } from 'i18next';
import type { Problem } from '../../../electron/contract/problem.ts';
import { i18n } from '../../i18n.ts';

/** Explains a problem: what happened, and what to do. Never shows the bare code. */
export const problemText = (t: TFunction, problem: Problem): string =>
  t(`problem.${problem.code}`, { ...problem.params });

/** Says only what happened: the first sentence of {@link problemText}. */
export function reasonText(t: TFunction, problem: Problem): string {
  const text = problemText(t, problem);
  return sentencesOf(text)[0] ?? text;
}

const segmenters = new Map<string, Intl.Segmenter>();

/** Splits a text in the language of the window into sentences. */
export function sentencesOf(text: string): readonly string[] {
  const { language } = i18n;
  const segmenter = segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: 'sentence' });
  segmenters.set(language, segmenter);
  return Array.from(segmenter.segment(text), ({ segment }) => segment.trim());
}
