import { basename, extname } from 'node:path';
import { hasExtensions } from '../../../contract/service-extensions.ts';
import { cleanFileName } from '../../file-name.ts';
import type { Item, CreateRequest } from '../../item/item.ts';

/**
 * Builds the next create request of an item, with a unique idempotency key (API part 4.1). The key is derived from the
 * item's seed and the number of keys that it has used: an item that is restored from a backup taken before it was sent
 * uses the same keys again and finds its job instead of creating a second one.
 */
export function newCreateRequest({
  source,
  options,
  name,
  seed,
  service,
  requestCount,
}: Item): CreateRequest {
  const recording =
    source.kind === 'link'
      ? { url: source.url }
      : { file_name: wireFileName(name), file_size: source.sizeBytes, mime_type: source.mimeType };
  const body = {
    ...recording,
    language: options.language,
    accuracy_mode: options.accuracy,
    translate_to_english: options.translateToEnglish,
    ...(hasExtensions(service) && options.terms.length > 0 && { terms: options.terms }),
  };
  return { key: `longhand-${seed}-${requestCount + 1}`, body: JSON.stringify(body) };
}

/**
 * Returns the file's name, extension included, in a form that every service accepts (API part 4.1). Local names may
 * contain line breaks, backslashes or invalid text.
 */
function wireFileName(name: string): string {
  const extension = /^\.\w{1,16}$/.exec(extname(name))?.[0] ?? '';
  return cleanFileName(basename(name, extension), extension);
}
