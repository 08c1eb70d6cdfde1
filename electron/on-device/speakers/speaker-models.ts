import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isComputerFault } from '../../contract/errors.ts';
import { readRegularFile } from '../../core/media/open-file.ts';
import { ModelError, type PublishedFile } from '../models/model-catalog.ts';
import { sizeOf } from '../models/model-files.ts';

/** What the files are for: finding voices, describing them, and comparing the descriptions. */
export const speakerModelParts = ['segmentation', 'embedding', 'transform', 'plda'] as const;
export type SpeakerModelPart = (typeof speakerModelParts)[number];

/** A published file, and where it is. */
export interface PublishedSpeakerFile extends PublishedFile {
  /** What people call it. */
  readonly name: string;
  /** As an SPDX identifier. */
  readonly licence: string;
  /** Mirrors replace the URL's origin. */
  readonly url: string;
}

/**
 * pyannote's segmentation 3.0, WeSpeaker's ResNet34 trained on VoxCeleb, and the PLDA of pyannote's community-1 for it.
 */
export const speakerModelFiles: Readonly<Record<SpeakerModelPart, PublishedSpeakerFile>> = {
  segmentation: {
    path: 'segmentation.onnx',
    name: 'pyannote segmentation 3.0',
    licence: 'MIT',
    sizeBytes: 5_992_913,
    sha256: '220ad67ca923bef2fa91f2390c786097bf305bceb5e261d4af67b38e938e1079',
    url: 'https://huggingface.co/csukuangfj/sherpa-onnx-pyannote-segmentation-3-0/resolve/9403a6902bb58e3d5ae8c7e77c3422de279db2e0/model.onnx',
  },
  embedding: {
    path: 'embedding.onnx',
    name: 'WeSpeaker ResNet34 (VoxCeleb)',
    licence: 'CC-BY-4.0',
    sizeBytes: 26_530_550,
    sha256: 'e9848563da86f263117134dfd7ad63c92355b37de492b55e325400c9d9c39012',
    // The tag is spelled this way.
    url: 'https://github.com/k2-fsa/sherpa-onnx/releases/download/speaker-recongition-models/wespeaker_en_voxceleb_resnet34_LM.onnx',
  },
  transform: {
    path: 'xvec_transform.npz',
    name: 'pyannote community-1, transform',
    licence: 'CC-BY-4.0',
    sizeBytes: 134_376,
    sha256: '325f1ce8e48f7e55e9c8aa47e05d2766b7c48c4b25b8de8dd751e7a4cc5fbe8f',
    url: 'https://raw.githubusercontent.com/kaixxx/noScribe/main/pyannote/plda/xvec_transform.npz',
  },
  plda: {
    path: 'plda.npz',
    name: 'pyannote community-1, PLDA',
    licence: 'CC-BY-4.0',
    sizeBytes: 133_852,
    sha256: '9b77bcd840692710dd3496f62ecfeed8d8e5f002fd991b785079b244eab7d255',
    url: 'https://raw.githubusercontent.com/kaixxx/noScribe/main/pyannote/plda/plda.npz',
  },
};

/** Where the files are. Those of the user may be other ones of the same shapes; all others must be the published ones. */
export interface SpeakerModelSource {
  readonly folder: string;
  readonly isOwn: boolean;
}

/** Whether all published files are in a folder, with their sizes. Their content is checked when they are read. */
export const isComplete = (folder: string, files: readonly PublishedFile[]): boolean =>
  files.every(({ path, sizeBytes }) => sizeOf(join(folder, path)) === sizeBytes);

/**
 * Reads a file, and verifies the very bytes that it returns.
 *
 * @throws ModelError when it cannot be read or, unless it is the user's own, is not the published one
 */
export async function readSpeakerModelFile(
  { folder, isOwn }: SpeakerModelSource,
  part: SpeakerModelPart,
): Promise<Uint8Array> {
  const { path, sha256 } = speakerModelFiles[part];
  const bytes = await readRegularFile(join(folder, path)).catch((cause: unknown) => {
    if (isComputerFault(cause)) throw cause;
    throw new ModelError(`The file ${path} cannot be read.`, { cause });
  });
  if (!isOwn && createHash('sha256').update(bytes).digest('hex') !== sha256) {
    throw new ModelError(`The file ${path} is not the published one.`);
  }
  return bytes;
}
