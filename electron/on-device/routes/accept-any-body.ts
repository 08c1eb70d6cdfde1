import type { ServiceServer } from '../http/server-types.ts';

/** For requests that have no body (API parts 4.3 and 4.6): if a short one comes all the same, it is thrown away. */
export function acceptAnyBody(scope: ServiceServer): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null));
}
