import type { Container } from './media-signature.ts';

/** The MIME type and possible containers of files with an extension. */
interface MediaType {
  readonly mimeType: string;
  readonly containers: readonly Container[];
}

function mediaType(mimeType: string, ...containers: readonly Container[]): MediaType {
  return { mimeType, containers };
}

const mediaTypes: ReadonlyMap<string, MediaType> = new Map(
  Object.entries({
    mp3: mediaType('audio/mpeg', 'mpeg-audio'),
    mp2: mediaType('audio/mpeg', 'mpeg-audio'),
    mpga: mediaType('audio/mpeg', 'mpeg-audio'),
    m4a: mediaType('audio/mp4', 'mp4'),
    m4b: mediaType('audio/mp4', 'mp4'),
    m4r: mediaType('audio/mp4', 'mp4'),
    aac: mediaType('audio/aac', 'adts', 'mp4'),
    wav: mediaType('audio/wav', 'wave'),
    wave: mediaType('audio/wav', 'wave'),
    bwf: mediaType('audio/wav', 'wave'),
    rf64: mediaType('audio/wav', 'wave'),
    w64: mediaType('audio/x-w64', 'wave'),
    flac: mediaType('audio/flac', 'flac', 'ogg'),
    ogg: mediaType('audio/ogg', 'ogg'),
    oga: mediaType('audio/ogg', 'ogg'),
    opus: mediaType('audio/ogg', 'ogg'),
    spx: mediaType('audio/ogg', 'ogg'),
    weba: mediaType('audio/webm', 'matroska'),
    mka: mediaType('audio/x-matroska', 'matroska'),
    wma: mediaType('audio/x-ms-wma', 'asf'),
    amr: mediaType('audio/amr', 'amr'),
    awb: mediaType('audio/amr-wb', 'amr'),
    aif: mediaType('audio/aiff', 'aiff'),
    aiff: mediaType('audio/aiff', 'aiff'),
    aifc: mediaType('audio/aiff', 'aiff'),
    caf: mediaType('audio/x-caf', 'caf'),
    au: mediaType('audio/basic', 'au'),
    snd: mediaType('audio/basic', 'au'),
    ac3: mediaType('audio/ac3', 'ac3'),
    eac3: mediaType('audio/eac3', 'ac3'),
    wv: mediaType('audio/x-wavpack', 'wavpack'),
    ape: mediaType('audio/x-ape', 'ape'),
    ra: mediaType('audio/vnd.rn-realaudio', 'realmedia'),
    mp4: mediaType('video/mp4', 'mp4'),
    m4v: mediaType('video/mp4', 'mp4'),
    mov: mediaType('video/quicktime', 'mp4'),
    qt: mediaType('video/quicktime', 'mp4'),
    '3gp': mediaType('video/3gpp', 'mp4'),
    '3g2': mediaType('video/3gpp2', 'mp4'),
    mkv: mediaType('video/x-matroska', 'matroska'),
    webm: mediaType('video/webm', 'matroska'),
    ogv: mediaType('video/ogg', 'ogg'),
    avi: mediaType('video/x-msvideo', 'avi'),
    wmv: mediaType('video/x-ms-wmv', 'asf'),
    asf: mediaType('video/x-ms-asf', 'asf'),
    flv: mediaType('video/x-flv', 'flv'),
    f4v: mediaType('video/mp4', 'mp4', 'flv'),
    ts: mediaType('video/mp2t', 'mpeg-ts'),
    mts: mediaType('video/mp2t', 'mpeg-ts'),
    m2ts: mediaType('video/mp2t', 'mpeg-ts'),
    mpg: mediaType('video/mpeg', 'mpeg-ps', 'mpeg-ts'),
    mpeg: mediaType('video/mpeg', 'mpeg-ps', 'mpeg-ts', 'mpeg-audio'),
    vob: mediaType('video/mpeg', 'mpeg-ps'),
    rm: mediaType('application/vnd.rn-realmedia', 'realmedia'),
    rmvb: mediaType('application/vnd.rn-realmedia', 'realmedia'),
  }),
);

/** The extensions of recordings, without dots. */
export const mediaExtensions: readonly string[] = [...mediaTypes.keys()];

/** Returns the extension of a file name in lower case, without its dot; empty if there is none. */
export function extensionOf(fileName: string): string {
  const dot = fileName.lastIndexOf('.');
  return dot <= 0 ? '' : fileName.slice(dot + 1).toLowerCase();
}

/** Returns the name of a recording without its media extension, to be shown as a title. */
export function titleOf(name: string): string {
  const extension = extensionOf(name);
  return mediaTypes.has(extension) ? name.slice(0, -extension.length - 1) : name;
}

/** Returns the MIME type of audio or video files with this extension; `null` for other extensions. */
export function mimeTypeOf(extension: string): string | null {
  return mediaTypes.get(extension)?.mimeType ?? null;
}

/** Whether a file with this container may have the extension (API part 7, `invalid_file_signature`). */
export function fitsExtension(container: Container, extension: string): boolean {
  return mediaTypes.get(extension)?.containers.includes(container) ?? false;
}
