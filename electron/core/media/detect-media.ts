import { detectContainer } from './media-signature.ts';
import { extensionOf, mimeTypeOf } from './media-type.ts';

/** How many of a file's first bytes {@link mediaMimeType} wants. */
export const signatureHeadBytes = 4096;

/** Extensions that recordings share with quite other files: TypeScript sources, for one. */
const sharedExtensions: ReadonlySet<string> = new Set(['ts', 'mts', 'au', 'ape', 'rm', 'ra']);

/** Whether the name alone says that a file is audio or video. */
export function hasMediaExtension(fileName: string): boolean {
  return mimeTypeOf(extensionOf(fileName)) !== null;
}

/** Whether the name says so, but says it of other files as well. */
export function hasAmbiguousExtension(fileName: string): boolean {
  return sharedExtensions.has(extensionOf(fileName));
}

/**
 * The MIME type of a file when it is audio or video, else `null`.
 *
 * A name that recordings have is believed unless the content is plainly something else: which of the many kinds of
 * recordings it takes is for the service to say. Without such a name the content has to prove it.
 */
export function mediaMimeType(fileName: string, head: Uint8Array): string | null {
  const mimeType = mimeTypeOf(extensionOf(fileName));
  if (detectContainer(head) !== null) return mimeType ?? 'application/octet-stream';
  return mimeType === null || isText(head) || isOtherKind(head) ? null : mimeType;
}

/** No control characters but those of text: no recording goes for long without. */
function isText(head: Uint8Array): boolean {
  return head.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0x1b);
}

/** Files that are often found under a wrong name: pictures, documents, archives, programs, UTF-16 text. */
const otherSignatures: readonly (readonly number[])[] = [
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

function isOtherKind(head: Uint8Array): boolean {
  return otherSignatures.some((signature) => signature.every((byte, index) => head[index] === byte));
}
