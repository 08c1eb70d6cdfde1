import type { Transcript } from '../../../electron/contract/library-commands.ts';
import type { Segment } from '../../../electron/contract/segment-schema.ts';
import type { ReplaceGroup } from '../../../electron/contract/replace.ts';
import { findMatches, patternOf } from '../../../electron/core/transcript/find.ts';
import { snippetOf } from '../../../electron/core/transcript/search/search-marks.ts';

const spoken: readonly (readonly [start: number, text: string])[] = [
  [
    0,
    'This is the nineteenth of November, we are in the town hall, and it is loud. Could you say your name for the tape?',
  ],
  [
    9,
    'Thandeka Mbeki. I hauled nets. Thirty-one years, at the harbour and, before that, in my mother’s kitchen.',
  ],
  [18, 'When did you first hear about the closure?'],
  [
    21,
    'On the radio. Can you believe that? Thirty-one years at the harbour, and I heard it on the radio, between the weather and the football.',
  ],
  [
    33,
    'Nobody had called. Nobody had written. My brother phoned and said, “Turn it on, they are talking about you.”',
  ],
  [41, 'And I thought, well, they are talking about the harbour. They were not talking about us at all.'],
  [48, 'What did you do that day?'],
  [50, 'I went to work. What else? The nets do not know that you are closed.'],
  [
    57,
    'We sat on the wall at noon, eleven of us, and Piet had brought the good bread, which he never does on a Tuesday.',
  ],
  [68, 'Did anyone from the company come?'],
  [71, 'A young man with a folder. He was very polite. I gave him bread.'],
  [77, 'He asked me what I thought would become of the place. I said, you are the one with the folder.'],
  [86, 'And what has become of it?'],
  [88, 'A café. It has a net on the wall. It is badly folded, but it hangs nicely in the light.'],
  [97, 'I drink my coffee under it on Sundays. They have never asked me, and I have never told them.'],
];

const text = (segments: readonly Segment[]): string => segments.map((segment) => segment.text).join(' ');

/** Returns any number of segments. */
export function segmentsOf(count: number): readonly Segment[] {
  return Array.from({ length: count }, (_, index) => {
    const [start, words] = spoken[index % spoken.length]!;
    const round = Math.floor(index / spoken.length) * 108;
    const [next] = spoken[(index + 1) % spoken.length]!;
    return { start: round + start, end: round + (next > start ? next : 107), text: words };
  });
}

/** A transcript, unless a test changes it. */
export function sampleTranscript(transcript: Partial<Transcript> & { readonly id: number }): Transcript {
  const segments = transcript.segments ?? segmentsOf(675);
  return {
    itemId: transcript.id,
    name: 'Interview Mbeki, town hall',
    language: 'en',
    durationSeconds: 4867,
    wordCount: 11_204,
    createdAt: Date.UTC(2026, 10, 19, 14, 2),
    text: text(segments),
    ...transcript,
    segments,
  };
}

/** Recordings of different users: name, language, first words. */
const samples: readonly (readonly [name: string, language: string | null, opening: string])[] = [
  ['Interview Mbeki, town hall', 'en', text(segmentsOf(4))],
  [
    'Episode 139 – Two rivers',
    'en',
    'Two rivers meet below the harbour at Ness, and for a mile they do not mix.',
  ],
  [
    'Episode 138 – The ferry',
    'en',
    'The ferry leaves at six whether you are on it or not. That was the first thing he told me.',
  ],
  [
    'Réunion du conseil, 12 novembre',
    'fr',
    'Bonjour à toutes et à tous. Nous commençons par le procès-verbal de la dernière séance.',
  ],
  [
    'Lecture 4: What a hinge knows',
    'en',
    'A hinge is the only part of a door that knows it is open. Let us begin with that.',
  ],
  [
    'Grandmother, the long winter',
    'en',
    'It snowed in October and it did not stop. The harbour froze first, and then the well.',
  ],
  [
    'Podiumsdiskussion Stadtbibliothek',
    'de',
    'Guten Abend und herzlich willkommen. Wir sprechen heute darüber, wem die Stille gehört.',
  ],
  ['Voice memo 17', null, ''],
  [
    'Entrevista con la alcaldesa',
    'es',
    'Buenos días. Hablamos hoy con la alcaldesa sobre el agua, el tranvía y los próximos años.',
  ],
  [
    'Harbour walk with Piet',
    'en',
    'Mind the rope. Everybody trips over that rope, and then they remember me.',
  ],
  [
    'Choir rehearsal, talk in the break',
    'en',
    'No, the altos were fine. It was the clock that was flat, and we all sang along with it.',
  ],
  [
    'Panel: Who wants the sea wall?',
    'en',
    'Thank you all for coming out in this weather, which is, I suppose, the subject.',
  ],
  [
    'Episode 137 – Eleven on a wall',
    'en',
    'At noon they sit on the harbour wall, eleven of them, and nobody says why there are eleven.',
  ],
  [
    'Dr Okafor, second conversation',
    'en',
    'You asked me last time what I would keep. I have thought about it, and it is the ladder.',
  ],
];

/** Returns a library of any size. */
export function sampleLibrary(count: number): readonly Transcript[] {
  return Array.from({ length: count }, (_, index) => {
    const [name, language, opening] = samples[index % samples.length]!;
    const round = Math.floor(index / samples.length);
    return sampleTranscript({
      id: index + 1,
      name: round === 0 ? name : `Episode ${137 - round}, take ${(index % samples.length) + 1}`,
      language,
      durationSeconds: opening === '' ? 42 : 1980 + ((index * 977) % 4300),
      wordCount: opening === '' ? 0 : 3800 + index * 17,
      createdAt: Date.UTC(2026, 10, 19, 14, 2) - index * 31 * 3_600_000,
      ...(index === 0 ? {} : { text: round === 0 ? opening : 'Testing, testing. Is it on?', segments: [] }),
    });
  });
}

/** Finds a text in a transcript, as the library's replace tool does; `null` when there is no match. */
export function findInSample(
  { id, name, durationSeconds, segments }: Transcript,
  text: string,
): ReplaceGroup | null {
  const pattern = patternOf({ text, matchCase: false, wholeWords: false });
  const matches = segments.flatMap(({ start, text: segmentText }, segment) =>
    (pattern === null ? [] : findMatches(segmentText, pattern)).map((mark) => ({
      segment,
      start,
      offset: mark.start,
      ...snippetOf(segmentText, [mark]),
    })),
  );
  return matches.length === 0
    ? null
    : { id, name, durationSeconds, matches: matches.slice(0, 20), speakers: [], names: [] };
}
