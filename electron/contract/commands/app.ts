import type { AppInfo } from '../model/app.ts';
import { nothing } from './inputs.ts';

export const appCommands = {
  'app.info': nothing,
  'app.showDataFolder': nothing,
} as const;

export interface AppResults {
  'app.info': AppInfo;
  'app.showDataFolder': void;
}
