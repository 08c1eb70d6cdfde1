import type { Page } from 'playwright-core';
import { draftOf } from '../../../electron/core/transcript/edit/edit.ts';
import { defaultJobOptions } from '../../../electron/contract/options.ts';
import { defaultExportChoices } from '../../../electron/contract/export.ts';
import { defaultSpeakerModels } from './default-state.ts';
import { FakeEdits } from './fake-edits.ts';
import type { Scene } from './fake-main.ts';
import { sampleLibrary, sampleTranscript, segmentsOf } from './sample-transcripts.ts';
import { segmentWithUnsureWords } from '../segment-with-unsure-words.ts';
import { goTo, pretendVideo, typeInFocus, type View } from './view.ts';

const interview = sampleTranscript({
  id: 1,
  segments: segmentsOf(675).map((segment, index) =>
    index === 5
      ? { ...segment, text: 'The nets do not know. The nets do not know. The nets do not know.' }
      : index === 8
        ? { ...segment, end: segment.start + 0.2, text: 'Yes, of course.' }
        : index === 674
          ? { ...segment, text: 'Subtitles by the community' }
          : segment,
  ),
});

/** A transcript that was edited, with its recording. */
const edited: Scene = {
  transcripts: [interview, ...sampleLibrary(1204).slice(1)],
  recordings: {
    1: {
      kind: 'ready',
      media: 'audio',
      url: 'media://transcript/1',
      sizeBytes: 1_000_000,
      stamp: '0'.repeat(32),
    },
  },
  drafts: {
    1: {
      speakers: ['Reporter', 'Mbeki'],
      segments: draftOf(interview.segments).segments.map((segment, index) => ({
        ...segment,
        speaker: segment.text.endsWith('?') || index === 0 ? 0 : 1,
      })),
      notes: [{ id: 900, atSeconds: 22, text: 'Check the year of the closure' }],
    },
  },
  answers: {
    // Louder and quieter parts, like an interview.
    'transcript.waveform': () => ({
      sliceSeconds: [1],
      peaks: Uint8Array.from(
        { length: 2000 },
        (_, at) => 30 + 200 * Math.abs(Math.sin(at * 0.21) * Math.sin(at * 0.037) * Math.sin(at * 1.7)),
      ),
    }),
  },
};

const sentences = [
  'So Thandeka Lindqvist hauled the nets with her brother.',
  'When the harbour was closed, Lindquist wrote forty letters to the ministry.',
  'Nobody answered, and Lindkvist went there with Lindqvist.',
  'In the end they repaired the harbour wall themselves.',
];

/** A transcript with unsure words in every segment, and a name with three spellings. */
const unsureWords: Scene = {
  ...edited,
  drafts: {},
  transcripts: [
    sampleTranscript({
      id: 1,
      segments: Array.from({ length: 60 }, (_, index) =>
        segmentWithUnsureWords(index * 8, sentences[index % sentences.length] ?? '', [
          'hauled',
          'harbour',
          'forty',
          'letters',
          'Nobody',
          'repaired',
        ]),
      ),
    }),
  ],
};

async function openTranscript(page: Page): Promise<void> {
  await goTo('Library')(page);
  await page.getByRole('row', { name: 'Interview' }).first().click();
  await page.locator('main').getByRole('listitem').first().waitFor();
}

/** Opens the dialog that identifies speakers. */
async function openIdentify(page: Page): Promise<void> {
  await openTranscript(page);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Identify speakers…' }).click();
  await page.getByRole('dialog', { name: 'Identify speakers' }).waitFor();
}

/** Assigns, merges, changes and deletes something, and compares that with the original. */
async function makeChanges(page: Page): Promise<void> {
  const replaced = [
    ['haul', 'harbour and'],
    ['harbour, and I', 'pier'],
  ] as const;
  await page.getByRole('textbox').nth(0).press('Alt+3');
  await page.getByRole('textbox').nth(1).press('Alt+ArrowDown');
  await page.getByRole('button', { name: 'Find' }).click();
  for (const [before, after] of replaced) {
    await page.getByLabel('Find', { exact: true }).fill(before);
    await page.getByText('1 of ').waitFor();
    await page.getByLabel('Replace with').fill(after);
    await page.getByRole('button', { name: 'Replace', exact: true }).click();
  }
  await page.getByRole('button', { name: 'Close find and replace' }).click();
  await page.getByRole('textbox').nth(6).press('Alt+Delete');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Changes since the original' }).click();
  await page.getByText('4 changes').waitFor();
}

/** A transcript: unchanged, and with each of its tools open. */
export const transcriptViews: Readonly<Record<string, View>> = {
  transcript: {
    scene: edited,
    reach: openTranscript,
  },
  'transcript-video': {
    scene: {
      ...edited,
      settings: { showSubtitlePreview: true },
      recordings: {
        1: {
          kind: 'ready',
          media: 'video',
          url: 'media://transcript/1',
          sizeBytes: 1_000_000,
          stamp: '0'.repeat(32),
        },
      },
    },
    reach: async (page) => {
      await openTranscript(page);
      await pretendVideo(page);
      for (let press = 0; press < 2; press += 1) await page.keyboard.press('ArrowRight');
    },
  },
  'transcript-arrival': {
    scene: edited,
    reach: async (page) => {
      await goTo('Library')(page);
      await page.getByRole('searchbox').fill('harbour nets');
      await page.getByText('transcripts found').waitFor();
      await page.getByRole('row', { name: 'Interview Mbeki, town hall' }).first().click();
      await page.locator('main').getByRole('listitem').first().waitFor();
    },
  },
  'transcript-highlights': {
    scene: edited,
    reach: async (page) => {
      await openTranscript(page);
      await page.getByRole('textbox').nth(2).focus();
      for (let press = 0; press < 2; press += 1) await page.keyboard.press('ControlOrMeta+Shift+ArrowDown');
      await page.keyboard.press('Alt+h');
      await page.getByText('3 segments selected').waitFor();
      const words = page.getByRole('textbox').nth(1);
      for (const key of ['Home', ...'Shift+ArrowRight '.repeat(30).trim().split(' '), 'Alt+h'])
        await words.press(key);
    },
  },
  'transcript-marks': {
    scene: edited,
    reach: async (page) => {
      await openTranscript(page);
      for (const at of [1, 4, 7]) await page.getByRole('textbox').nth(at).press('Alt+h');
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Notes and highlights…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  'recent-messages': {
    scene: {
      ...edited,
      answers: {
        ...edited.answers,
        'library.pickImport': () => ['/media/Subtitles 2025'],
        'library.import': () => ({
          added: [{ id: 7, name: 'Talk' }],
          guessed: [],
          known: 2,
          trashed: [],
          rejected: [{ name: 'notes.srt', problem: { code: 'not_a_transcript' } }],
          unread: null,
        }),
      },
    },
    reach: async (page) => {
      await goTo('Library')(page);
      await page.getByRole('button', { name: 'Import…' }).first().click();
      await page.getByText('1 skipped').first().waitFor();
      await page.getByRole('grid').press('ArrowDown');
      await page.getByRole('grid').press('Delete');
      await page.getByText('moved to the trash').waitFor();
      await page.getByRole('button', { name: 'Messages' }).click();
      await page.getByRole('dialog', { name: 'Recent messages' }).waitFor();
    },
  },
  'transcript-find': {
    scene: edited,
    reach: async (page) => {
      await openTranscript(page);
      await page.getByRole('button', { name: 'Find' }).click();
      await page.getByLabel('Find', { exact: true }).fill('harbour');
      await page.getByText(/^1 of /).waitFor();
    },
  },
  'transcript-find-pattern': {
    scene: edited,
    reach: async (page) => {
      await openTranscript(page);
      await page.getByRole('button', { name: 'Find' }).click();
      await page.getByRole('button', { name: 'Regular expression' }).click();
      await page.getByLabel('Find', { exact: true }).fill(String.raw`(\w+) (harbour)`);
      await page.getByText(/^1 of /).waitFor();
      await page.getByLabel('Replace with').fill('$2 of $1');
      await page.locator('search ins').waitFor();
    },
  },
  'transcript-find-invalid': {
    scene: edited,
    reach: async (page) => {
      await openTranscript(page);
      await page.getByRole('button', { name: 'Find' }).click();
      await page.getByRole('button', { name: 'Regular expression' }).click();
      await page.getByLabel('Find', { exact: true }).fill('(harbour');
      await page.getByRole('alert').waitFor();
    },
  },
  'transcript-review': {
    scene: edited,
    reach: async (page) => {
      await openTranscript(page);
      await page.getByRole('button', { name: 'Review 4' }).click();
      await page.getByText('1 of 4.').waitFor();
    },
  },
  'transcript-words': {
    scene: unsureWords,
    reach: async (page) => {
      await openTranscript(page);
      await page.getByRole('button', { name: /^Review \d/ }).click();
      await page.getByLabel('Show in the review').selectOption({ label: 'Names: 1' });
      await page.getByText('1 of 1. Probably the same name').waitFor();
    },
  },
  'transcript-doubled': {
    scene: {
      ...edited,
      drafts: {},
      transcripts: [
        sampleTranscript({
          id: 1,
          segments: segmentsOf(60).map((segment, index) =>
            index === 3 ? { ...segment, text: `On the the radio. ${segment.text}` } : segment,
          ),
        }),
      ],
    },
    reach: async (page) => {
      await openTranscript(page);
      await page.getByRole('button', { name: /^Review \d/ }).waitFor();
      await page.keyboard.press('F8');
      await page.getByRole('button', { name: 'Remove one' }).waitFor();
    },
  },
  'transcript-missing': {
    scene: { ...edited, recordings: { 1: { kind: 'missing', name: 'Interview Mbeki.m4a' } } },
    reach: openTranscript,
  },
  'transcript-trashed': {
    scene: {
      ...edited,
      answers: {
        ...edited.answers,
        'transcript.get': () => ({ ...new FakeEdits(interview).open(), trashed: true }),
      },
    },
    reach: async (page) => {
      await openTranscript(page);
      await page.getByText('This transcript is in the trash.').waitFor();
    },
  },
  'transcript-deleted': {
    scene: { ...edited, refused: { 'transcript.edit': 'transcript_gone' } },
    reach: async (page) => {
      await openTranscript(page);
      await page.getByRole('textbox').nth(2).focus();
      await page.keyboard.type('Yes. ');
      await page.getByText('This transcript was permanently deleted.').waitFor();
    },
  },
  'transcript-menu': {
    scene: edited,
    reach: async (page) => {
      await openTranscript(page);
      await page.getByRole('textbox').nth(2).focus();
      await page.keyboard.press('Shift+F10');
      await page.getByRole('menu').waitFor();
    },
  },
  'transcript-subtitles': {
    scene: { ...edited, settings: { showSubtitlePreview: true } },
    reach: async (page) => {
      await openTranscript(page);
      await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
      for (let press = 0; press < 2; press += 1) await page.keyboard.press('ArrowRight');
      await page.getByRole('group', { name: 'Subtitle at the playhead' }).waitFor();
    },
  },
  'transcript-subtitles-wrong': {
    scene: {
      ...edited,
      settings: {
        showSubtitlePreview: true,
        exporting: { ...defaultExportChoices, subtitles: 'raw' },
      },
    },
    reach: async (page) => {
      await openTranscript(page);
      await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
      for (let press = 0; press < 5; press += 1) await page.keyboard.press('ArrowRight');
      await page.getByText('line over 42 characters').waitFor();
    },
  },
  'transcript-times': {
    scene: edited,
    reach: async (page) => {
      await openTranscript(page);
      await page.getByRole('textbox').nth(2).focus();
      await page.keyboard.press('Alt+t');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Shift+ArrowUp');
    },
  },
  'transcript-language': {
    scene: edited,
    reach: async (page) => {
      await openTranscript(page);
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Language…' }).click();
      await page.getByRole('combobox', { name: 'Language' }).click();
      await typeInFocus(page, 'ger');
      await page.getByRole('option', { name: 'German' }).waitFor();
    },
  },
  'transcript-identify': {
    scene: { ...edited, speakerModels: { ...defaultSpeakerModels, isReady: true, ownFolder: 'voices' } },
    reach: async (page) => {
      await openIdentify(page);
      await page.getByText('Exact number').click();
      await page.getByLabel('Speakers', { exact: true }).fill('300');
    },
  },
  'transcript-speakers': {
    scene: {
      ...edited,
      settings: { options: { ...defaultJobOptions, terms: ['Thandeka Lindqvist'] } },
      speakerModels: { ...defaultSpeakerModels, isReady: true },
      answers: { 'speakers.voices': () => [{ name: 'Mbeki', rememberedAt: 0 }] },
    },
    reach: async (page) => {
      await openTranscript(page);
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Name speakers…' }).click();
      await page.getByLabel('Merge Mbeki').selectOption('Merge with Reporter');
    },
  },
  'transcript-identify-models': { scene: edited, reach: openIdentify },
  'transcript-original': {
    scene: edited,
    reach: async (page) => {
      await openTranscript(page);
      await page.getByRole('button', { name: 'Original' }).click();
      await page.getByText('This is the original.').waitFor();
    },
  },
  'transcript-changes': {
    scene: edited,
    reach: async (page) => {
      await openTranscript(page);
      await makeChanges(page);
      await page.keyboard.press('F8');
      await page.getByText('Change 1 of 4').waitFor();
    },
  },
  'transcript-changes-all': {
    scene: edited,
    reach: async (page) => {
      await openTranscript(page);
      await makeChanges(page);
      await page.getByRole('button', { name: 'Show unchanged segments' }).click();
      await page.getByRole('listitem').getByText('This is the nineteenth').first().waitFor();
    },
  },
  'transcript-keys': {
    scene: edited,
    reach: async (page) => {
      await openTranscript(page);
      await page.getByRole('button', { name: 'Shortcuts' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
};
