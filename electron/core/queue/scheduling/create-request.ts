import { basename, extname } from 'node:path';
import { cleanFileName } from '../../file-name.ts';
import type { Item, CreateRequest } from '../../item/item.ts';

/**
 * The next create request of an item, with a key that no other request has (API part 4.1). The key follows from the
 * item's seed and the number of keys that it has used: an item that comes back from a backup, and has forgotten that
 * it was sent meanwhile, asks under the same keys again and finds its job instead of making another.
 */
export function newCreateRequest({ source, options, name, seed, tickets }: Item): CreateRequest {
  const recording =
    source.kind === 'link'
      ? { url: source.url }
      : { file_name: wireFileName(name), file_size: source.sizeBytes, mime_type: source.mimeType };
  const body = {
    ...recording,
    language: options.language,
    accuracy_mode: options.accuracy,
    translate_to_english: options.translateToEnglish,
  };
  return { key: `longhand-${seed}-${tickets + 1}`, body: JSON.stringify(body) };
}

/**
 * The file's name in a form that any service takes, extension included (API part 4.1). Names on this computer may hold
 * line breaks, backslashes or bytes that are no text.
 */
function wireFileName(name: string): string {
  const extension = /^\.\w{1,16}$/.exec(extname(name))?.[0] ?? '';
  return cleanFileName(basename(name, extension), extension);
}
