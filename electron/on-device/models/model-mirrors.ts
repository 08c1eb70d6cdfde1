import { filesOf, publishedAt, type ModelName, type PublishedFile } from '../engine/models.ts';

/** Where models are downloaded from, in the order in which the places are tried: what they give is checked in any case. */
export const publicMirrors: readonly string[] = ['https://huggingface.co', 'https://hf-mirror.com'];

/**
 * The places to try: those that the user names in `LONGHAND_MODEL_MIRRORS`, separated by commas, instead of the public
 * ones.
 */
export function modelMirrors(named: string | undefined): readonly string[] {
  const own = (named ?? '').split(',').map((place) => place.trim().replace(/\/+$/, ''));
  const usable = own.filter((place) => URL.canParse(place) && /^https?:$/.test(new URL(place).protocol));
  return usable.length > 0 ? usable : publicMirrors;
}

/** The addresses of one of a model's files, one for each mirror. */
export function fileUrls(
  mirrors: readonly string[],
  model: ModelName,
  { path }: PublishedFile,
): readonly string[] {
  const { repository, revision } = publishedAt[model];
  return mirrors.map((mirror) => `${mirror}/${repository}/resolve/${revision}/${path}`);
}

/** A model's files, the small ones first: what is wrong with a place shows before much has been sent. */
export function filesToDownload(model: ModelName): readonly PublishedFile[] {
  return Object.values(filesOf(model)).sort((a, b) => a.sizeBytes - b.sizeBytes);
}
