import { detectContainer } from '../../core/media/media-signature.ts';
import { extensionOf, fitsExtension, mimeTypeOf } from '../../core/media/media-type.ts';
import type { SourceKind } from '../jobs/job.ts';
import { ServiceError } from '../service-error.ts';

/** Extensions of files that cannot be recordings, refused before upload. For all others the content decides. */
const nonMediaExtensions: ReadonlySet<string> = new Set(
  (
    'txt md rtf pdf doc docx odt pages xls xlsx ods numbers csv tsv ppt pptx odp key epub mobi html htm xml json yaml ' +
    'yml toml css js mjs jsx tsx py rb go rs java c cpp h cs php sh bat ps1 exe dll so msi dmg iso apk jar zip rar 7z ' +
    'tar gz tgz bz2 xz zst jpg jpeg png gif webp bmp tif tiff heic avif svg psd ttf otf woff woff2 srt vtt ass ssa sub ' +
    'sbv eml ics db sqlite log ini cfg xyz'
  ).split(' '),
);

/**
 * Refuses a file by its name.
 *
 * @throws ServiceError `unsupported_file` when it cannot be a recording (API part 7).
 */
export function assertMediaName(fileName: string): void {
  const extension = extensionOf(fileName);
  if (!nonMediaExtensions.has(extension)) return;
  throw new ServiceError('unsupported_file', `Files of the kind “.${extension}” are not recordings.`);
}

/** Guesses from its name what a file holds. */
export function guessSourceKind(fileName: string): SourceKind {
  return mimeTypeOf(extensionOf(fileName))?.startsWith('video/') === true ? 'video' : 'audio';
}

/**
 * Checks that a file's first bytes match its name (API part 7). Without a known extension only the bytes decide.
 *
 * @throws ServiceError `invalid_file_signature` or `unsupported_file`.
 */
export function assertSignature(head: Uint8Array, fileName: string): void {
  const container = detectContainer(head);
  const extension = extensionOf(fileName);
  if (mimeTypeOf(extension) === null) {
    if (container !== null) return;
    throw new ServiceError('unsupported_file', 'This is not a known kind of audio or video.');
  }
  if (container !== null && fitsExtension(container, extension)) return;
  throw new ServiceError(
    'invalid_file_signature',
    container === null
      ? `The file is called “.${extension}”, but its content is not audio or video.`
      : `The file is called “.${extension}”, but its content is of another kind (${container}).`,
  );
}
