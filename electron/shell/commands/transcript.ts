import { clipboard } from 'electron';
import type { TranscriptResults } from '../../contract/commands/transcript.ts';
import type { CommandOptions, Handlers } from './handlers.ts';

export function transcriptHandlers({ longhand }: CommandOptions): Handlers<keyof TranscriptResults> {
  const { edits } = longhand;
  return {
    'transcript.get': ({ id }) => edits.open(id),
    'transcript.original': ({ id }) => edits.original(id),
    'transcript.edit': ({ id, revision, operation }) => edits.edit(id, revision, operation),
    'transcript.undo': ({ id, revision }) => edits.undo(id, revision),
    'transcript.redo': ({ id, revision }) => edits.redo(id, revision),
    'transcript.copy': ({ text }) => clipboard.writeText(text),
    'transcript.accept': ({ id, finding, accepted }) => edits.setAccepted(id, finding, accepted),
  };
}
