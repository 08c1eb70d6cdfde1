/** Invalid arguments: a key below `cli.usage` in the locale, and its values. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly key: string;
  readonly values: Readonly<Record<string, string | number>>;

  constructor(key: string, values: Readonly<Record<string, string | number>> = {}) {
    super(key);
    this.key = key;
    this.values = values;
  }
}
