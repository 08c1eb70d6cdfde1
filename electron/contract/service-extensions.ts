import type { ServiceAddress } from './service.ts';

/**
 * Whether a service has the extensions of the on-device service: words, transcripts in progress, and known terms. Others
 * get no request that the API does not have.
 */
export const hasExtensions = (service: ServiceAddress): boolean => service === 'on-device';
