import { ServiceError } from '../service-error.ts';
import { extensionOf, fitsExtension, kindOfExtension, recogniseContainer } from './media-signature.ts';

/**
 * Checks that a file's first bytes go with its name (API part 7). A name without a known extension, as links have, says
 * nothing to be held against the bytes: then these alone decide.
 *
 * @throws ServiceError `invalid_file_signature` or `unsupported_file`.
 */
export function assertSignature(head: Uint8Array, fileName: string): void {
  const container = recogniseContainer(head);
  const extension = extensionOf(fileName);
  if (kindOfExtension(extension) === null) {
    if (container === null)
      throw new ServiceError('unsupported_file', 'This is no audio or video that is known.');
    return;
  }
  if (container !== null && fitsExtension(container, extension)) return;
  throw new ServiceError(
    'invalid_file_signature',
    container === null
      ? `The file is called “.${extension}”, but what is in it is no audio or video.`
      : `The file is called “.${extension}”, but what is in it is of another kind (${container}).`,
  );
}
