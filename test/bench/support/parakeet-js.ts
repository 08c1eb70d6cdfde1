/**
 * Another implementation of Parakeet to compare ours with: parakeet.js (MIT). It is not a dependency of the project;
 * the benchmark fetches its package, of 0.2 MB, on request.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as ort from 'onnxruntime-node';
import { featureBands } from '../../../electron/on-device/engine/parakeet/log-mel.ts';
import { benchCache } from '../../support/speech/speech-fixtures.ts';
import { standInDecoder, standInEncoder, standInPieces } from '../../support/speech/stand-in-parakeet.ts';

const folder = join(benchCache, 'parakeet-js');
const archive = join(folder, 'parakeet.js-1.4.4.tgz');
/** The hash of the package as published. */
const archiveSha512 =
  'fad6080e0a7bf7d6efb03c9edf2da5172b29607813389e583198b4996600057c898e9ff735998d68c4e74bd8e17f8aa5210268064d0d9a3f94c2c237ce4f80aa';

/** The part of its interface that the benchmark uses. */
interface ParakeetJs {
  transcribe(
    samples: Float32Array,
    sampleRate: number,
    options: Readonly<Record<string, boolean>>,
  ): Promise<{
    readonly tokenIds: readonly number[];
    readonly frameIndices: readonly number[];
    readonly tdtSteps: readonly number[];
    readonly logProbs: readonly number[];
  }>;
}

interface Preprocessor {
  process(samples: Float32Array): { readonly features: Float32Array; readonly length: number };
}

/** Fetches the package from the registry and opens it with the stand-in graphs, in our version of ONNX Runtime. */
export async function openParakeetJs(): Promise<{
  readonly model: ParakeetJs;
  readonly preprocessor: Preprocessor;
}> {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(archive)) {
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, 'parakeet.js@1.4.4'], {
      cwd: folder,
      stdio: 'inherit',
    });
  }
  if (createHash('sha512').update(readFileSync(archive)).digest('hex') !== archiveSha512)
    throw new Error(`${archive} is not the package that was published.`);
  execFileSync('tar', ['-xzf', archive, '-C', folder]);
  const load = (file: string) => import(pathToFileURL(join(folder, 'package/src', file)).href);
  const { JsPreprocessor } = await load('mel.js');
  const { ParakeetModel } = await load('parakeet.js');
  const [encoderSession, joinerSession] = await Promise.all([
    ort.InferenceSession.create(standInEncoder()),
    ort.InferenceSession.create(standInDecoder()),
  ]);
  const tokenizer = { id2token: standInPieces, blankId: standInPieces.length - 1, decode: () => '' };
  const preprocessor: Preprocessor = new JsPreprocessor({ nMels: featureBands });
  return {
    model: new ParakeetModel({ tokenizer, encoderSession, joinerSession, preprocessor, ort }),
    preprocessor,
  };
}
