import type { ServiceServer } from '../http/server-types.ts';

/** For requests that have no body (API parts 4.3 and 4.6): if one comes all the same, it is read and thrown away. */
export function acceptAnyBody(scope: ServiceServer): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume();
    done(null);
  });
}
