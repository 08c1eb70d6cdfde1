import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Checks bearer keys (API part 5). The key itself is not kept, neither on the disk nor here: only its digest is, for as
 * long as the service runs. Jobs belong to the data folder, so they outlive a change of the key.
 */
export class BearerCheck {
  readonly #digest: Buffer;

  constructor(key: string) {
    this.#digest = digestOf(key);
  }

  /** @param header the `Authorization` header. */
  accepts(header: string | undefined): boolean {
    const key = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
    return key !== undefined && timingSafeEqual(digestOf(key), this.#digest);
  }
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
