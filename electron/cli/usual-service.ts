import type { ServiceAddress } from '../contract/service.ts';
import { serviceOf } from './arguments.ts';
import type { CommandLineSystem } from './system.ts';

/**
 * The service that is meant when the command names none: that of `LONGHAND_BASE_URL`, else that of the settings.
 *
 * @throws UsageError when the variable holds no address.
 */
export function usualService({ environment, settings }: CommandLineSystem): ServiceAddress {
  const named = environment['LONGHAND_BASE_URL'];
  return named ? serviceOf(named) : (settings().service ?? 'on-device');
}
