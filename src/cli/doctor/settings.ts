/** The configuration as `doctor` shows it: each value with where it comes from. */

import { formatTokens } from '../../contract/amount.ts';
import { ceilingText } from '../../contract/ceiling.ts';
import type { Config, Origin } from '../config.ts';

export interface ShownSetting {
  readonly name: string;
  readonly value: string;
  readonly origin: Origin;
}

export function settingsOf(config: Config): readonly ShownSetting[] {
  const { caps, panel, prices, windows, limits } = config;
  const values: Readonly<Record<string, string>> = {
    stateDir: config.stateDir,
    concurrency: String(config.concurrency),
    'caps.rounds': String(caps.rounds),
    'caps.verifications': String(caps.verifications),
    'caps.turns': String(caps.turns),
    'panel.node': String(panel.node),
    'panel.final': String(panel.final),
    model: config.model ?? 'none',
    verifierModel: config.verifierModel ?? 'the same',
    baseUrl: config.baseUrl ?? "the preset's",
    keyVariable: config.keyVariable ?? "the preset's",
    sandbox: config.sandbox,
    allowNet: config.allowNet ? 'yes' : 'no',
    prices: Object.keys(prices).join(', ') || 'those of the table',
    windows: Object.keys(windows).join(', ') || 'those of the catalogue',
    notify: config.notify ?? 'none',
    skillDirs: config.skillDirs.join(', ') || 'the usual ones',
    questions: `${formatTokens(config.questions)} tokens a shell`,
    'limits.day': ceilingText(limits.day) ?? 'none',
    'limits.month': ceilingText(limits.month) ?? 'none',
  };
  return Object.entries(values).map(([name, value]) => ({
    name,
    value,
    origin: config.origins.get(name) ?? 'default',
  }));
}
