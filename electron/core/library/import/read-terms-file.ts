import type { TermList } from '../../../contract/options.ts';
import { ProblemError } from '../../../contract/problem.ts';
import { decodeText } from '../../formats/read/read-transcript.ts';
import { openRegularFile, pathProblem } from '../../media/open-file.ts';
import { readTerms } from '../../transcript/term-list.ts';

/** Far more than the longest list. */
const maxBytes = 256 * 1024;

/**
 * Reads a list of names and terms from a text file.
 *
 * @throws ProblemError when it cannot be read
 */
export async function readTermsFile(path: string): Promise<TermList> {
  try {
    const file = await openRegularFile(path);
    try {
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(maxBytes), length: maxBytes });
      return readTerms(decodeText(buffer.subarray(0, bytesRead)).text);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new ProblemError(pathProblem(path, error), { cause: error });
  }
}
