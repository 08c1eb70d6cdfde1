import { readFile } from 'node:fs/promises';
import {
  ALL_FORMATS,
  BufferSource,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  FilePathTarget,
  Input,
  Output,
  type OutputFormat,
} from 'mediabunny';
import { kennedy } from './speech-audio.ts';

/** Remuxes the speech into another container, without encoding it again. */
export async function repack(path: string, format: OutputFormat): Promise<void> {
  const input = new Input({ source: new BufferSource(await readFile(kennedy.mp3)), formats: ALL_FORMATS });
  const track = await input.getPrimaryAudioTrack();
  const output = new Output({ format, target: new FilePathTarget(path) });
  const source = new EncodedAudioPacketSource('mp3');
  output.addAudioTrack(source);
  await output.start();
  const decoderConfig = await track!.getDecoderConfig();
  for await (const packet of new EncodedPacketSink(track!).packets()) {
    await source.add(packet, { decoderConfig: decoderConfig! });
  }
  await output.finalize();
}
