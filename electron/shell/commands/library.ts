import type { LibraryResults } from '../../contract/commands/library.ts';
import type { CommandOptions, Handlers } from './handlers.ts';

export function libraryHandlers({ longhand }: CommandOptions): Handlers<keyof LibraryResults> {
  return {
    'library.list': ({ query, offset, limit }) => longhand.transcripts.list(query, offset, limit),
  };
}
