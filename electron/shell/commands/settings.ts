import type { SettingsResults } from '../../contract/commands/settings.ts';
import type { CommandOptions, Handlers } from './handlers.ts';

export function settingsHandlers({ settings }: CommandOptions): Handlers<keyof SettingsResults> {
  return {
    'settings.get': () => settings.get(),
    'settings.change': (patch) => settings.change(patch),
  };
}
