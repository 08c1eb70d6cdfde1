import { transcribe } from '../../../electron/on-device/engine/transcriber.ts';
import { VoiceDetector } from '../../../electron/on-device/engine/voice/voice-detector.ts';
import { Interrupt } from '../../../electron/on-device/engine/whisper/interrupt.ts';
import { WhisperModel } from '../../../electron/on-device/engine/whisper/whisper-model.ts';
import { createWhisperSpeech } from '../../../electron/on-device/engine/whisper/whisper-speech.ts';
import type { ModelId, ModelPart } from '../../../electron/on-device/models/model-catalog.ts';
import { bundledModelFolder, readModelFile } from '../../../electron/on-device/models/model-files.ts';
import { inChunks, modelsFolder, sampleRate } from '../../support/speech/speech-audio.ts';

/** What is transcribed, and how. */
export interface CostTask {
  readonly model: ModelId;
  readonly samples: Float32Array;
  readonly threads: number;
}

/** Seconds of processor time per second of audio, without and with the times of words. */
export interface ProcessorCost {
  readonly without: number;
  readonly with: number;
}

/** The number of measurements of each. */
const rounds = 4;

/** Measures both in turn, so that other work on the computer affects both, and returns the cheapest run of each. */
export async function measureProcessor(task: CostTask): Promise<ProcessorCost> {
  const plain = await load(task, false);
  const aligned = await load(task, true);
  const cost = { without: Infinity, with: Infinity };
  for (let round = 0; round < rounds; round++) {
    cost.without = Math.min(cost.without, await run(task, plain));
    cost.with = Math.min(cost.with, await run(task, aligned));
  }
  return cost;
}

/** Returns the peak memory of this process in MB after a transcription, for which the process must have been started. */
export async function measureMemory(task: CostTask, withWords: boolean): Promise<number> {
  await run(task, await load(task, withWords));
  return process.resourceUsage().maxRSS / 1024;
}

function load({ model, threads }: CostTask, withWords: boolean): Promise<WhisperModel> {
  const source = { origin: 'bundled', model, folder: bundledModelFolder(modelsFolder, model) } as const;
  return WhisperModel.load(async (part: ModelPart): Promise<Uint8Array> => {
    const file = await readModelFile(source, part);
    return part === 'generation' && !withWords ? withoutHeads(file) : file;
  }, threads);
}

/** Returns the seconds of processor time per second of audio. */
async function run({ samples }: CostTask, model: WhisperModel): Promise<number> {
  const voiceDetector = await VoiceDetector.load();
  const before = process.cpuUsage();
  await transcribe({
    model: createWhisperSpeech(model, () => model.release()),
    voiceDetector,
    samples: inChunks(samples),
    language: 'en',
    translateToEnglish: false,
    terms: [],
    onProgress: () => undefined,
    onWindow: () => undefined,
    checkpoint: null,
    interrupt: new Interrupt(),
  });
  const { user, system } = process.cpuUsage(before);
  await voiceDetector.release();
  return (user + system) / 1e6 / (samples.length / sampleRate);
}

/** A model without alignment heads has no word times. */
function withoutHeads(generation: Uint8Array): Uint8Array {
  const { alignment_heads: _heads, ...others }: Record<string, unknown> = JSON.parse(
    new TextDecoder().decode(generation),
  );
  return Buffer.from(JSON.stringify(others));
}
