/** What a flow is: a chart that directs one agent from BEGIN to END. Plain JSON, for it is stored with its run. */

export type FlowNodeKind = 'begin' | 'end' | 'task' | 'decision';

export interface FlowExit {
  readonly to: string;
  /** Null when the arrow carries no text. Of a decision never null, and unlike those of its other exits. */
  readonly label: string | null;
}

export interface FlowNode {
  readonly id: string;
  readonly label: string;
  readonly kind: FlowNodeKind;
  /** In the order in which the chart draws them; those of an end node count for nothing. */
  readonly exits: readonly FlowExit[];
}

/** A chart that passed validation: one begin, one end, and from everywhere that can be reached the end can be, too. */
export interface Flow {
  /** In the order in which the chart first names them. */
  readonly nodes: readonly FlowNode[];
  readonly begin: string;
  readonly end: string;
}

/** One run of a flow, fixed when it is created. A node of the chart is called a step: nodes are those of plans. */
export interface FlowRun {
  readonly name: string;
  readonly flow: Flow;
  /** What was said after its name: it goes to the first step. */
  readonly args: string;
  /** How often the agent may be asked, repeated questions included; null is no limit. */
  readonly maxMoves: number | null;
}

/** The text is no chart, from here on. */
export interface FlowParseFault {
  readonly code: 'flow_parse';
  /** 1-based, within the text that was parsed. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
  /** One or two sentences for a person, without the place. */
  readonly message: string;
}

/** It is a chart, but nobody can follow it. */
export interface FlowInvalid {
  readonly code: 'flow_invalid';
  /** Id of the node it is about; null when it is about the chart as a whole. */
  readonly node: string | null;
  /** Where the chart first names that node, 1-based; null without one. */
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

export type FlowFault = FlowParseFault | FlowInvalid;

export type FlowLanguage = 'mermaid' | 'd2';

/** A label as it is shown in a line, and chosen: where it was broken is layout. */
export function oneLineLabel(label: string): string {
  return label.trim().replace(/\s*\n\s*/g, ' ');
}

/** The exit that a choice names: by its label as it is drawn, else as it is shown in a line. */
export function exitNamed<Exit extends Pick<FlowExit, 'label'>>(
  exits: readonly Exit[],
  branch: string,
): Exit | undefined {
  return (
    exits.find(({ label }) => label === branch) ??
    exits.find(({ label }) => label !== null && oneLineLabel(label) === branch)
  );
}
