import { z } from 'zod';
import { command, id, ids, noInput, result, task } from './command.ts';
import { maxSpeakerNameLength, maxSpeakers } from './limits.ts';
import type { Problem } from './problem.ts';

/** What identifying the speakers of a transcript has found. */
export interface SpeakersReport {
  /** How many speak. */
  readonly speakers: number;
  /** Whether the transcript was changed, as one edit. */
  readonly changed: boolean;
}

/** Transcripts whose speakers could not be identified. */
export interface FailedSpeakers {
  readonly count: number;
  /** The latest of them, and why. */
  readonly name: string;
  readonly problem: Problem;
}

/** The state of the speaker identification in the background. */
export interface SpeakerQueueView {
  readonly current: {
    readonly name: string;
    readonly secondsDone: number;
    /** The duration of the recording; `null`: unknown. */
    readonly seconds: number | null;
  } | null;
  /** Transcripts after the current one. */
  readonly waiting: number;
  /** Why all of them wait until something can be stored again; `null` otherwise. */
  readonly postponedBy: Problem | null;
  readonly failed: FailedSpeakers | null;
}

/** A published file that identifying speakers needs. */
export interface SpeakerModelPartView {
  readonly name: string;
  /** As an SPDX identifier. */
  readonly licence: string;
  /** Where it is downloaded from, without the protocol. */
  readonly origin: string;
  readonly sizeBytes: number;
}

/** The models that tell voices apart. */
export interface SpeakerModelsView {
  /** Whether they can be used. */
  readonly isReady: boolean;
  /** The name of the user's folder that is used instead of the published ones; `null`: none. */
  readonly ownFolder: string | null;
  readonly parts: readonly SpeakerModelPartView[];
  /** Bytes that were downloaded, of all parts. */
  readonly keptBytes: number;
}

/** Where somebody speaks, in seconds. */
export interface VoiceSpan {
  /** Who: the index of a speaker. */
  readonly voice: number;
  readonly start: number;
  readonly end: number;
}

/** Voices of a recording as the embedding model describes them. */
export interface DescribedVoices {
  /** Identifies the model: the vectors of different models cannot be compared. */
  readonly model: string;
  /** The mean embedding of each voice, of length 1. A voice whose spans are after the end of the recording has none. */
  readonly voices: ReadonlyMap<number, Float32Array>;
}

/** A voice that the user has let this computer remember. */
export interface RememberedVoice {
  readonly name: string;
  /** Unix milliseconds. */
  readonly rememberedAt: number;
}

/** A name for a speaker whose voice sounds like a remembered one. */
export interface NameSuggestion {
  /** The index of the speaker. */
  readonly speaker: number;
  readonly name: string;
}

const count = z.int().min(1).max(maxSpeakers).nullable();
const voiceName = z.string().min(1).max(maxSpeakerNameLength);

export const speakerCommands = {
  'speakers.models': command({ input: noInput, result: result<SpeakerModelsView>() }),
  /** Downloads the models, or resumes that; `library.progress` reports it, and `library.cancel` stops it. */
  'speakers.download': command({
    input: z.strictObject({ task }),
    result: result<SpeakerModelsView>(),
    downloads: true,
  }),
  /** Asks for a folder and uses the models in it; rejects one without all of them. */
  'speakers.chooseFolder': command({ input: noInput, result: result<SpeakerModelsView>() }),
  /** Uses the published models again. */
  'speakers.forgetFolder': command({ input: noInput, result: result<SpeakerModelsView>() }),
  /** Deletes the downloaded models. */
  'speakers.delete': command({ input: noInput, result: result<SpeakerModelsView>() }),
  /** Assigns the segments of a transcript to the speakers of its recording, as one edit; `null`: cancelled. */
  'speakers.identify': command({
    input: z.strictObject({ id, task, count }),
    result: result<SpeakersReport | null>(),
  }),
  /** Identifies the speakers of several transcripts in turn, even after a restart; `speakers.changed` reports progress. */
  'speakers.identifyAll': command({ input: z.strictObject({ ids, count }) }),
  'speakers.queue': command({ input: noInput, result: result<SpeakerQueueView>() }),
  /** Cancels the current transcript and all waiting ones. */
  'speakers.cancelAll': command({ input: noInput }),
  'speakers.retryFailed': command({ input: noInput }),
  'speakers.dismissFailed': command({ input: noInput }),
  /** The remembered voices, by name. */
  'speakers.voices': command({ input: noInput, result: result<readonly RememberedVoice[]>() }),
  /** Remembers the voices of speakers of a transcript; a voice of the same name is replaced. */
  'speakers.rememberVoices': command({
    maxConcurrentCalls: 4,
    input: z.strictObject({ id, names: z.array(voiceName).min(1).max(maxSpeakers).readonly() }),
    result: result<readonly RememberedVoice[]>(),
  }),
  'speakers.forgetVoice': command({
    input: z.strictObject({ name: voiceName }),
    result: result<readonly RememberedVoice[]>(),
  }),
  /** Compares the speakers without a name with the remembered voices; empty if that is not possible. */
  'speakers.suggestNames': command({
    // Each starts a process.
    maxConcurrentCalls: 4,
    input: z.strictObject({ id }),
    result: result<readonly NameSuggestion[]>(),
  }),
} as const;
