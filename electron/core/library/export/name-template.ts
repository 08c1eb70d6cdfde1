import { nameFields, type NameField } from '../../../contract/choices.ts';
import { cleanFileName } from '../../file-name.ts';

/** Values for the fields of a name template. */
export type NameValues = Readonly<Record<NameField, string>>;

/** A file's name before it is known to be free. */
export interface TemplatedName {
  /** Folders below the one that was chosen, each clean. */
  readonly folders: readonly string[];
  /** The name itself, without its ending, not clean yet: what is put after it decides how much of it fits. */
  readonly title: string;
}

const field = new RegExp(`\\{(${nameFields.join('|')})\\}`, 'g');
const separators = /[/\\]/;

/**
 * Fills a name template in. A slash in the template itself makes a folder; one in a value does not, and nothing leads
 * out of the folder that it is put into. Braces around anything that is no field stay as they are.
 */
export function fillTemplate(template: string, values: NameValues): TemplatedName {
  const parts = template
    .split(separators)
    .map((part) => part.replace(field, (_, name: NameField) => values[name]))
    .filter((part) => part.trim() !== '');
  const title = parts.at(-1) ?? values.name;
  return { folders: parts.slice(0, -1).map((part) => cleanFileName(part, '')), title };
}

// Swedish writes dates as ISO 8601 does.
const dateAndTime = new Intl.DateTimeFormat('sv-SE', {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
});

/** A moment as `2026-11-19` and `14-02`, in the time of this computer. */
export function dateOf(unixMs: number): { readonly date: string; readonly time: string } {
  const [date = '', time = ''] = dateAndTime.format(unixMs).split(' ');
  return { date, time: time.replace(':', '-') };
}
