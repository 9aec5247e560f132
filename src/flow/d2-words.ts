/** The words that D2 keeps for itself. They fold case, and between quotes they are names like any other. */

import type { Segment } from './d2-keys.ts';

/** Hold what is not drawn on this board: definitions, and other boards. */
const HOLDERS: ReadonlySet<string> = new Set(['vars', 'classes', 'layers', 'scenarios', 'steps']);

/** Belong to a node, an edge or a block. */
const PROPERTIES: ReadonlySet<string> = new Set([
  'label',
  'shape',
  'icon',
  'constraint',
  'tooltip',
  'link',
  'near',
  'width',
  'height',
  'top',
  'left',
  'class',
  'source-arrowhead',
  'target-arrowhead',
]);

/** Belong to a block, or to the chart as a whole. */
const LAYOUT: ReadonlySet<string> = new Set([
  'direction',
  'style',
  'grid-rows',
  'grid-columns',
  'grid-gap',
  'vertical-gap',
  'horizontal-gap',
]);

/** Belong behind `style.`; where they stand alone they are good names. */
const STYLES: ReadonlySet<string> = new Set([
  'opacity',
  'stroke',
  'fill',
  'fill-pattern',
  'stroke-width',
  'stroke-dash',
  'border-radius',
  'font',
  'font-size',
  'font-color',
  'bold',
  'italic',
  'underline',
  'text-transform',
  'shadow',
  'multiple',
  'double-border',
  '3d',
  'animated',
  'filled',
]);

export type WordKind = 'holder' | 'label' | 'property' | 'layout' | 'style';

export function wordOf({ text, quoted }: Segment): { readonly word: string; readonly kind: WordKind } | null {
  if (quoted) return null;
  const word = text.toLowerCase();
  if (word === 'label') return { word, kind: 'label' };
  if (HOLDERS.has(word)) return { word, kind: 'holder' };
  if (PROPERTIES.has(word)) return { word, kind: 'property' };
  if (LAYOUT.has(word)) return { word, kind: 'layout' };
  return STYLES.has(word) ? { word, kind: 'style' } : null;
}

/** Where a path stops naming nodes and starts to name a property; -1 when it never does. */
export function wordIndex(segments: readonly Segment[], atRoot: boolean): number {
  return segments.findIndex((segment, i) => {
    const word = wordOf(segment);
    return word !== null && !(word.kind === 'style' && atRoot && i === 0);
  });
}
