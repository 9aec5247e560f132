/** From the text of a chart to a flow that can be followed. */

import type { Result } from '../contract/fault.ts';
import type { Flow, FlowFault, FlowLanguage } from '../contract/flow.ts';
import { parseD2 } from './d2.ts';
import { parseMermaid } from './mermaid.ts';
import { validate } from './validate.ts';

export function parseFlow(language: FlowLanguage, text: string): Result<Flow, FlowFault> {
  const chart = language === 'mermaid' ? parseMermaid(text) : parseD2(text);
  return chart.ok ? validate(chart.value) : chart;
}
