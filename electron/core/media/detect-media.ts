import { detectContainer } from './media-signature.ts';
import { extensionOf, mimeTypeOf } from './media-type.ts';

/** How many of a file's first bytes are read for {@link mediaMimeType}; {@link detectContainer} could use more of them. */
export const mimeTypeHeadBytes = 4096;

/** Extensions that recordings share with other kinds of files, such as TypeScript sources. */
const ambiguousExtensions: ReadonlySet<string> = new Set(['ts', 'mts', 'au', 'ape', 'rm', 'ra']);

/** Whether a file has an extension of audio or video. */
export function hasMediaExtension(fileName: string): boolean {
  return mimeTypeOf(extensionOf(fileName)) !== null;
}

/** Whether the extension belongs to other kinds of files as well. */
export function hasAmbiguousExtension(fileName: string): boolean {
  return ambiguousExtensions.has(extensionOf(fileName));
}

/**
 * Returns the MIME type of a file if it is audio or video, otherwise `null`.
 *
 * An extension of audio or video counts unless the content is clearly something else: the service decides which formats
 * it accepts. Without such an extension, the content has to match a known signature.
 */
export function mediaMimeType(fileName: string, head: Uint8Array): string | null {
  const mimeType = mimeTypeOf(extensionOf(fileName));
  if (detectContainer(head) !== null) return mimeType ?? 'application/octet-stream';
  return mimeType === null || isText(head) || hasNonMediaSignature(head) ? null : mimeType;
}

/** Whether the only control characters are those of text; the first bytes of a recording contain others. */
function isText(head: Uint8Array): boolean {
  return head.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0x1b);
}

/** Files that often have a wrong extension: images, documents, archives, programs, UTF-16 text. */
const nonMediaSignatures: readonly (readonly number[])[] = [
  [0x89, 0x50, 0x4e, 0x47], // PNG
  [0xff, 0xd8, 0xff], // JPEG
  [0x47, 0x49, 0x46, 0x38], // GIF
  [0x25, 0x50, 0x44, 0x46], // PDF
  [0x50, 0x4b, 0x03, 0x04], // ZIP, and office documents
  [0x1f, 0x8b], // gzip
  [0x37, 0x7a, 0xbc, 0xaf], // 7z
  [0x52, 0x61, 0x72, 0x21], // RAR
  [0xd0, 0xcf, 0x11, 0xe0], // old office documents
  [0x4d, 0x5a], // Windows programs
  [0x7f, 0x45, 0x4c, 0x46], // Linux programs
  [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65], // SQLite
  [0xff, 0xfe], // UTF-16 text
  [0xfe, 0xff],
];

function hasNonMediaSignature(head: Uint8Array): boolean {
  return nonMediaSignatures.some((signature) => signature.every((byte, index) => head[index] === byte));
}
