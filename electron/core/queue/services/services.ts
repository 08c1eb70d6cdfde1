import type { ServiceAddress } from '../../../contract/service.ts';
import type { Problem } from '../../../contract/problem.ts';
import type { ServiceClient } from '../../api/client.ts';

/** The requests that the queue makes of a service; a simulation brings its own. */
export type ServiceRequests = Pick<
  ServiceClient,
  'create' | 'sendPart' | 'complete' | 'status' | 'delete' | 'close'
>;

/** How a service can be reached now. */
export type ServiceAccess<C extends ServiceRequests = ServiceRequests> =
  | {
      readonly kind: 'open';
      readonly client: C;
      /** How many of our jobs may be active there at once. */
      readonly activeJobs: number;
    }
  /** It will be there soon; whoever waits is told by {@link Services.onChange}. */
  | { readonly kind: 'starting' }
  /** The user has to do something first. */
  | { readonly kind: 'closed'; readonly problem: Problem };

/** A service that can be asked. */
export type OpenAccess = Extract<ServiceAccess, { kind: 'open' }>;

/** The services that items are sent to. */
export interface Services {
  access(service: ServiceAddress): ServiceAccess;
  /** Tells when the access to a service has changed; the returned function ends it. */
  onChange(listener: (service: ServiceAddress) => void): () => void;
}
