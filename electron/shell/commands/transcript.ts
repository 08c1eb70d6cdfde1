import type { TranscriptResults } from '../../contract/commands/transcript.ts';
import type { CommandOptions, Handlers } from './handlers.ts';

export function transcriptHandlers({ longhand }: CommandOptions): Handlers<keyof TranscriptResults> {
  return {
    'transcript.get': ({ id }) => longhand.transcripts.get(id),
  };
}
