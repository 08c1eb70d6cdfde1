import { z } from 'zod';
import type { Transcript } from '../model/library.ts';
import { id } from './inputs.ts';

export const transcriptCommands = {
  'transcript.get': z.strictObject({ id }),
} as const;

export interface TranscriptResults {
  'transcript.get': Transcript | null;
}
