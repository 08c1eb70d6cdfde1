import type { Ticket } from '../api/client.ts';
import type { Random } from '../ports.ts';
import type { Item } from './item.ts';

/** The create request of an item, with a key that no other request has (API part 4.1). */
export function newTicket({ source, options, name }: Item, random: Random): Ticket {
  const recording =
    source.kind === 'link'
      ? { url: source.url }
      : { file_name: name, file_size: source.sizeBytes, mime_type: source.mimeType };
  const body = {
    ...recording,
    language: options.language,
    accuracy_mode: options.accuracy,
    translate_to_english: options.translateToEnglish,
  };
  return { key: `longhand-${random.uuid()}`, body: JSON.stringify(body) };
}
