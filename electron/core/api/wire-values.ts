/** Values of a service's responses, whose fields may be missing or have another type. */

type Fields = Readonly<Record<string, unknown>>;
const noFields: Fields = {};

/** Returns the fields of an object; none for anything else. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : noFields;

const decimal = /^-?\d{1,15}(?:\.\d{1,20})?$/;

/** Returns a finite number, which may be in a string; `null` for anything else. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && decimal.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}
