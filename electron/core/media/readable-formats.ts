import { ADTS, FLAC, MATROSKA, MP3, MP4, MPEG_TS, OGG, QTFF, WAVE, WEBM, type InputFormat } from 'mediabunny';

/** The formats of recordings that Longhand reads itself. Playlists are excluded because they refer to other files. */
export const readableFormats: InputFormat[] = [
  MP4,
  QTFF,
  MATROSKA,
  WEBM,
  WAVE,
  OGG,
  FLAC,
  MP3,
  ADTS,
  MPEG_TS,
];
