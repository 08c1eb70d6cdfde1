import type { ServiceAddress } from '../../../contract/service.ts';
import type { Problem } from '../../../contract/problem.ts';
import type { ServiceClient } from '../../api/client.ts';

/** The client methods that the queue uses; a simulation has its own implementation. */
export type ServiceRequests = Pick<
  ServiceClient,
  'create' | 'sendPart' | 'complete' | 'status' | 'delete' | 'close'
>;

/** How a service can be reached now. */
export type ServiceAccess<C extends ServiceRequests = ServiceRequests> =
  | {
      readonly kind: 'open';
      readonly client: C;
      /** How many of our jobs may be active there at the same time. */
      readonly maxActiveJobs: number;
    }
  /** The service is starting; {@link Services.onChange} reports when it is open. */
  | { readonly kind: 'starting' }
  /** The user has to do something first. */
  | { readonly kind: 'closed'; readonly problem: Problem };

/** A service that accepts requests. */
export type OpenAccess = Extract<ServiceAccess, { kind: 'open' }>;

/** The services that items are sent to. */
export interface Services {
  access(service: ServiceAddress): ServiceAccess;
  /** Calls `listener` when the access to a service changes; the returned function unsubscribes. */
  onChange(listener: (service: ServiceAddress) => void): () => void;
}
