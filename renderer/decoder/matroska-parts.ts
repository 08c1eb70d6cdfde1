import {
  ebmlId,
  maxElementHeaderBytes,
  readElement,
  segmentId,
  type EbmlElement,
} from '../../electron/core/media/ebml-element.ts';
import { FileWindow, joinPieces, wholeFile, type FilePiece, type ReadableParts } from './file-part.ts';
import type { ReadBytes } from './read-bytes.ts';

/** IDs of elements (RFC 9559, part 5). */
const infoId = 0x1549_a966;
const tracksId = 0x1654_ae6b;
const clusterId = 0x1f43_b675;
const voidId = 0xec;
const checksumId = 0xbf;
/** An index, SeekHead or Cues, and what it consists of: Seek, CuePoint, CueTrackPositions and CueReference. */
const indexIds: ReadonlySet<number> = new Set([0x114d_9b74, 0x1c53_bb6b, 0x4dbb, 0xbb, 0xb7, 0xdb]);
/** What a segment consists of: also its SeekHead, Cues, Chapters, Tags and Attachments. */
const idsInSegment: ReadonlySet<number> = new Set([
  infoId,
  tracksId,
  clusterId,
  voidId,
  checksumId,
  0x114d_9b74,
  0x1c53_bb6b,
  0x1043_a770,
  0x1254_c367,
  0x1941_a469,
]);
/** What a cluster consists of: Timestamp, Position, PrevSize, and blocks. */
const timestampId = 0xe7;
const numbersInCluster: ReadonlySet<number> = new Set([timestampId, 0xa7, 0xab]);
const simpleBlockId = 0xa3;
const blockGroupId = 0xa0;
const blockId = 0xa1;

/** Maximum damaged places: what follows is not worth the time. */
const maxDamages = 1000;
/** Maximum bytes of a number, and of an index. */
const maxNumberBytes = 8;
const maxIndexBytes = 16 * 1024 * 1024;
/** Bytes of an element's data that show whether it is intact: the header of a block, in a group of blocks or not. */
const headBytes = maxElementHeaderBytes + 5;

/** The start of a segment, and of a cluster, of unknown size. */
const endlessSegment = Uint8Array.of(0x18, 0x53, 0x80, 0x67, 0xff);
const endlessCluster = Uint8Array.of(0x1f, 0x43, 0xb6, 0x75, 0xff);

/**
 * Returns what can be read of a damaged Matroska file: its header, and its clusters, each up to any damage. None for an
 * intact file, which is read as it is, and for any other file. The parser skips as many bytes as the damage says: it takes
 * them for the size of an element. The index is left out, since its offsets no longer apply.
 */
export async function matroskaParts(sizeBytes: number, read: ReadBytes): Promise<ReadableParts> {
  const window = new FileWindow(sizeBytes, read);
  const ebml = await elementAt(window, 0);
  const segment = ebml?.id === ebmlId ? await elementAt(window, ebml.end) : null;
  if (segment?.id !== segmentId) return wholeFile;
  const header: FilePiece[] = [{ start: 0, end: segment.start }, endlessSegment];
  const clusters: FilePiece[] = [];
  let damages = 0;
  let cluster: EbmlElement | null = null;
  let at = segment.dataStart;
  /** Where the previous element starts if it is in the cluster, and whether a block was before. */
  let previous = at;
  let isAfterBlock = false;
  let hasEnd = true;
  while (at < Math.min(sizeBytes, segment.end)) {
    const element: EbmlElement | null = await elementAt(window, at);
    // Another recording is in another segment.
    if (element?.id === ebmlId || element?.id === segmentId) break;
    if (element !== null && cluster !== null && isIn(cluster, element, isAfterBlock, sizeBytes)) {
      previous = at;
      isAfterBlock ||= isBlock(element);
      at = element.end;
      continue;
    }
    if (element !== null && idsInSegment.has(element.id) && nextStart(element) <= sizeBytes) {
      if (cluster !== null) clusters.push({ start: cluster.start, end: at });
      cluster = element.id === clusterId ? element : null;
      if (element.id === infoId || element.id === tracksId) header.push({ start: at, end: element.end });
      else if (!(await isIntactIndex(window, element))) damages++;
      previous = at = nextStart(element);
      isAfterBlock = false;
      continue;
    }
    // The damage may start in the previous element, or have changed its size.
    if (cluster !== null) clusters.push(endlessCluster, { start: cluster.dataStart, end: previous });
    cluster = ++damages > maxDamages ? null : await findCluster(window, previous);
    hasEnd = cluster !== null;
    if (cluster === null) break;
    previous = at = cluster.dataStart;
    isAfterBlock = false;
  }
  if (damages === 0 || clusters.length === 0) return wholeFile;
  if (cluster !== null) clusters.push({ start: cluster.start, end: at });
  const lostBytes = Math.min(sizeBytes, segment.end) - previous;
  return {
    parts: [{ ...joinPieces([...header, ...clusters], read), times: 'recording' }],
    lostShare: hasEnd ? 0 : lostBytes / previous,
  };
}

/** Where the next element starts if an element is intact: the elements of a cluster are read one by one. */
const nextStart = ({ id, dataStart, end }: EbmlElement): number => (id === clusterId ? dataStart : end);

/** Whether an element may be in a cluster. Its time comes before the blocks: a later one would change all of theirs. */
function isIn(cluster: EbmlElement, element: EbmlElement, isAfterBlock: boolean, sizeBytes: number): boolean {
  const { id, dataStart, end } = element;
  if (end > Math.min(cluster.end, sizeBytes)) return false;
  if (numbersInCluster.has(id))
    return end - dataStart <= maxNumberBytes && (id !== timestampId || !isAfterBlock);
  return id === voidId || id === checksumId || isBlock(element);
}

/** Whether an element starts like a block: random bytes look like one in which the parser finds nothing that it expects. */
function isBlock({ id, dataStart, end, head }: EbmlElement): boolean {
  if (id === blockGroupId) {
    const block = readElement(head, dataStart);
    return block?.id === blockId && block.end <= end && hasBlockHeader(block.head);
  }
  return id === simpleBlockId && hasBlockHeader(head);
}

/** Whether bytes begin with the header of a block: a track number, a time, and flags, some of which are always zero. */
function hasBlockHeader(bytes: Uint8Array): boolean {
  const trackBytes = Math.clz32((bytes[0] ?? 0) << 24) + 1;
  return trackBytes <= 2 && ((bytes[trackBytes + 2] ?? 0xff) & 0x70) === 0;
}

/** Finds the next cluster, from an offset. */
async function findCluster(window: FileWindow, offset: number): Promise<EbmlElement | null> {
  for (let start = offset; start < window.sizeBytes;) {
    const bytes = await window.from(start, maxElementHeaderBytes + headBytes);
    const last = Math.max(0, bytes.length - maxElementHeaderBytes - headBytes);
    for (let at = bytes.indexOf(0x1f); at !== -1 && at <= last; at = bytes.indexOf(0x1f, at + 1)) {
      const cluster = readElement(bytes.subarray(at), start + at);
      if (cluster?.id !== clusterId) continue;
      const first = readElement(cluster.head, cluster.dataStart);
      if (first !== null && isIn(cluster, first, false, window.sizeBytes)) return cluster;
    }
    start += last + 1;
  }
  return null;
}

/** Whether the parser can read an index; true for any other element. */
async function isIntactIndex(window: FileWindow, { id, dataStart, end }: EbmlElement): Promise<boolean> {
  const size = end - dataStart;
  if (!indexIds.has(id)) return true;
  return size <= maxIndexBytes && isIndex((await window.from(dataStart, size)).subarray(0, size));
}

/** Whether bytes are elements of an index that fit into each other. */
function isIndex(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length;) {
    const element = readElement(bytes.subarray(at), at);
    if (element === null || element.end > bytes.length) return false;
    const size = element.end - element.dataStart;
    const isIntact = indexIds.has(element.id)
      ? isIndex(bytes.subarray(element.dataStart, element.end))
      : element.id === voidId || (size > 0 && size <= maxNumberBytes);
    if (!isIntact) return false;
    at = element.end;
  }
  return true;
}

async function elementAt(window: FileWindow, at: number): Promise<EbmlElement | null> {
  return at < window.sizeBytes
    ? readElement(await window.from(at, maxElementHeaderBytes + headBytes), at)
    : null;
}
