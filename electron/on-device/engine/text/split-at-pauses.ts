import { frameSeconds } from '../voice/frame.ts';
import { partingSilence, type SpeechWindow } from '../voice/speech-windows.ts';
import { longPauses, voiceIn, type LongPause, type SpokenText } from './spoken-text.ts';

/** How far the share of the text may be from the share of the voice: nobody speaks quite evenly. */
const unevenness = 0.1;
/** A pause is rather at the end of a sentence than within it, by so much. */
const withinSentence = 0.04;
/** A voice beyond a long pause that is shorter than this, in seconds, is within what the model's times are wrong by. */
const inaccuracy = 0.7;

const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * Cuts a text that reaches over long pauses, which the model does not always put a timestamp into, where it has a
 * sentence's or a clause's end about as far into the text as the pause is into the voice. A text without such a place
 * stays whole, but does not reach over a pause for a moment of voice, which is another text's; a silence that
 * parts windows is never in a text, even if it is cut between two words.
 *
 * @param voiced of each frame of the window, whether somebody speaks
 */
export function splitAtPauses(
  spoken: SpokenText,
  window: SpeechWindow,
  voiced: readonly boolean[],
): readonly SpokenText[] {
  const parts: SpokenText[] = [];
  const allVoice = voiceIn(voiced, spoken.first, spoken.last + 1);
  let from = 0;
  let { first } = spoken;
  for (const pause of longPauses(spoken, window, voiced)) {
    const share = voiceIn(voiced, spoken.first, pause.from) / allVoice;
    const cut =
      nearestEnd(spoken.text, share, from) ??
      (pause.seconds >= partingSilence ? nearestWord(spoken.text, share, from) : null);
    if (cut === null) continue;
    parts.push({ text: spoken.text.slice(from, cut).trim(), first, last: pause.from - 1 });
    from = cut;
    first = pause.to;
  }
  parts.push({ text: spoken.text.slice(from).trim(), first, last: spoken.last });
  return parts.map((part) => withoutStrayVoice(part, window, voiced));
}

/** The text without the lesser voice that a pause parts from the rest: a moment of it, or any behind a very long one. */
function withoutStrayVoice(spoken: SpokenText, window: SpeechWindow, voiced: readonly boolean[]): SpokenText {
  const pauses = [...longPauses(spoken, window, voiced)];
  const [firstPause] = pauses;
  const lastPause = pauses.at(-1);
  if (firstPause === undefined || lastPause === undefined) return spoken;
  const allVoice = voiceIn(voiced, spoken.first, spoken.last + 1);
  const isStray = (voice: number, { seconds }: LongPause): boolean =>
    voice < allVoice / 2 && (voice * frameSeconds < inaccuracy || seconds >= partingSilence);
  const startsBefore = isStray(voiceIn(voiced, spoken.first, firstPause.from), firstPause);
  const endsAfter = isStray(voiceIn(voiced, lastPause.to, spoken.last + 1), lastPause);
  return {
    text: spoken.text,
    first: startsBefore ? firstPause.to : spoken.first,
    last: endsAfter ? lastPause.from - 1 : spoken.last,
  };
}

/** Where a sentence or a clause ends nearest to a share of the text, after `from`; `null` when none is near. */
function nearestEnd(text: string, share: number, from: number): number | null {
  let best: { readonly at: number; readonly distance: number } | null = null;
  for (const { 0: mark, index } of text.matchAll(/[.!?…]+["”’»)]*\s|[。！？]|[,;:]\s|[、，；]/gu)) {
    const at = index + mark.length;
    const away = Math.abs(at / text.length - share);
    // Only a preference between two ends: where a clause's is the only one, it is as good as a sentence's.
    const distance = away + (/[,;:、，；]/u.test(mark) ? withinSentence : 0);
    const isNearer = away <= unevenness && (best === null || distance < best.distance);
    if (at > from && at < text.length && isNearer) best = { at, distance };
  }
  return best?.at ?? null;
}

/** The break between two words nearest to a share of the text, after `from`; `null` in a single word. */
function nearestWord(text: string, share: number, from: number): number | null {
  const breaks = [...words.segment(text)]
    .map(({ index }) => index)
    .filter(
      (at) => at > from && text.slice(from, at).trim() !== '' && /^[\s\p{L}\p{N}]/u.test(text.slice(at)),
    );
  const distance = (at: number): number => Math.abs(at / text.length - share);
  return breaks.toSorted((a, b) => distance(a) - distance(b))[0] ?? null;
}
