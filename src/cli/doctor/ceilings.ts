/** The ceilings above all runs: what is set, what counts against it by now, and whether that can be told. */

import { amountText, ceilingText, type Ceiling } from '../../contract/ceiling.ts';
import { lookAtCeilings, type CeilingState } from '../ceilings.ts';
import type { Examined, Finding } from './examine.ts';

export function examineCeilings({ config, env }: Pick<Examined, 'config' | 'env'>): readonly Finding[] {
  const looked = lookAtCeilings(config, { env, now: Date.now() });
  if (!looked.ok) return [{ name: 'ceilings', state: 'bad', text: looked.fault.message }];
  return looked.value.map((counted): Finding => {
    const ceiling = config.limits[counted.which];
    const text = `${ceilingText(ceiling) ?? ''}: ${countedText(ceiling, counted)}`;
    return {
      name: `ceiling of the ${counted.which}`,
      state: isReached(ceiling, counted) ? 'note' : 'ok',
      text,
    };
  });
}

/** `1.2m tokens spent today, 30k tokens reserved`. */
export function countedText(ceiling: Ceiling, { which, spent, reserved }: CeilingState): string {
  const words = (amount: CeilingState['spent']) =>
    UNITS.filter((unit) => ceiling[unit] !== null)
      .map((unit) => amountText(unit, amount[unit]))
      .join(' and ');
  const underWay = UNITS.some((unit) => ceiling[unit] !== null && reserved[unit] > 0);
  const others = underWay ? `, ${words(reserved)} reserved` : '';
  return `${words(spent)} spent ${which === 'day' ? 'today' : 'this month'}${others}`;
}

const UNITS = ['tokens', 'cost'] as const;

function isReached(ceiling: Ceiling, { spent, reserved }: CeilingState): boolean {
  return UNITS.some((unit) => spent[unit] + reserved[unit] >= (ceiling[unit] ?? Infinity));
}
