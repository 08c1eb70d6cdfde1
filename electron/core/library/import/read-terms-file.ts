import type { TermList } from '../../../contract/options.ts';
import { ProblemError } from '../../../contract/problem.ts';
import { decodeText } from '../../formats/read/read-transcript.ts';
import { openRegularFile, pathProblem } from '../../media/open-file.ts';
import { readTerms } from '../../transcript/term-list.ts';

/** Bytes that are read of a file: far more than the longest list. */
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
      const chunks: Buffer[] = [];
      // One byte more, which tells whether the file continues.
      for await (const chunk of file.createReadStream({ end: maxBytes, autoClose: false }))
        chunks.push(chunk as Buffer);
      const bytes = Buffer.concat(chunks);
      const isCut = bytes.length > maxBytes;
      const { terms, isShortened } = readTerms(decodeText(bytes.subarray(0, maxBytes), isCut).text);
      return { terms, isShortened: isShortened || isCut };
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new ProblemError(pathProblem(path, error), { cause: error });
  }
}
