import type { Container } from './media-signature.ts';

/** The MIME type and possible containers of files with an extension. */
interface MediaType {
  readonly mimeType: string;
  readonly containers: readonly Container[];
}

function type(mimeType: string, ...containers: readonly Container[]): MediaType {
  return { mimeType, containers };
}

const mediaTypes: ReadonlyMap<string, MediaType> = new Map(
  Object.entries({
    mp3: type('audio/mpeg', 'mpeg-audio'),
    mp2: type('audio/mpeg', 'mpeg-audio'),
    mpga: type('audio/mpeg', 'mpeg-audio'),
    m4a: type('audio/mp4', 'mp4'),
    m4b: type('audio/mp4', 'mp4'),
    m4r: type('audio/mp4', 'mp4'),
    aac: type('audio/aac', 'adts', 'mp4'),
    wav: type('audio/wav', 'wave'),
    wave: type('audio/wav', 'wave'),
    bwf: type('audio/wav', 'wave'),
    rf64: type('audio/wav', 'wave'),
    w64: type('audio/x-w64', 'wave'),
    flac: type('audio/flac', 'flac', 'ogg'),
    ogg: type('audio/ogg', 'ogg'),
    oga: type('audio/ogg', 'ogg'),
    opus: type('audio/ogg', 'ogg'),
    spx: type('audio/ogg', 'ogg'),
    weba: type('audio/webm', 'matroska'),
    mka: type('audio/x-matroska', 'matroska'),
    wma: type('audio/x-ms-wma', 'asf'),
    amr: type('audio/amr', 'amr'),
    awb: type('audio/amr-wb', 'amr'),
    aif: type('audio/aiff', 'aiff'),
    aiff: type('audio/aiff', 'aiff'),
    aifc: type('audio/aiff', 'aiff'),
    caf: type('audio/x-caf', 'caf'),
    au: type('audio/basic', 'au'),
    snd: type('audio/basic', 'au'),
    ac3: type('audio/ac3', 'ac3'),
    eac3: type('audio/eac3', 'ac3'),
    wv: type('audio/x-wavpack', 'wavpack'),
    ape: type('audio/x-ape', 'ape'),
    ra: type('audio/vnd.rn-realaudio', 'realmedia'),
    mp4: type('video/mp4', 'mp4'),
    m4v: type('video/mp4', 'mp4'),
    mov: type('video/quicktime', 'mp4'),
    qt: type('video/quicktime', 'mp4'),
    '3gp': type('video/3gpp', 'mp4'),
    '3g2': type('video/3gpp2', 'mp4'),
    mkv: type('video/x-matroska', 'matroska'),
    webm: type('video/webm', 'matroska'),
    ogv: type('video/ogg', 'ogg'),
    avi: type('video/x-msvideo', 'avi'),
    wmv: type('video/x-ms-wmv', 'asf'),
    asf: type('video/x-ms-asf', 'asf'),
    flv: type('video/x-flv', 'flv'),
    f4v: type('video/mp4', 'mp4', 'flv'),
    ts: type('video/mp2t', 'mpeg-ts'),
    mts: type('video/mp2t', 'mpeg-ts'),
    m2ts: type('video/mp2t', 'mpeg-ts'),
    mpg: type('video/mpeg', 'mpeg-ps', 'mpeg-ts'),
    mpeg: type('video/mpeg', 'mpeg-ps', 'mpeg-ts', 'mpeg-audio'),
    vob: type('video/mpeg', 'mpeg-ps'),
    rm: type('application/vnd.rn-realmedia', 'realmedia'),
    rmvb: type('application/vnd.rn-realmedia', 'realmedia'),
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
