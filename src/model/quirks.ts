/** How vendors of the same protocol differ: as data. What a provider teaches by a refusal changes the same data. */

export interface Quirks {
  /** Ask for usage (`stream_options`). Some refuse the option; many of those report usage anyway. */
  readonly askUsage: boolean;
  /** The field that limits the output; each refuses the other one, or ignores it. */
  readonly limitField: 'max_tokens' | 'max_completion_tokens';
  /** Whether a tool call can be forced. Models that think refuse it. */
  readonly forcedTools: boolean;
  /** How earlier reasoning goes back; null where it must not, or need not. */
  readonly replay: ReasoningReplay | null;
  /** Send back what the vendor attached to a tool call. */
  readonly callExtra: boolean;
}

export interface ReasoningReplay {
  readonly field: 'reasoning_content' | 'reasoning';
  /**
   * Stands for reasoning that a call was made without, where a missing or empty one is refused; null where it may be
   * missing.
   */
  readonly placeholder: string | null;
}

export const PLAIN: Quirks = {
  askUsage: true,
  limitField: 'max_tokens',
  forcedTools: true,
  replay: null,
  callExtra: false,
};

/** A vendor that thinks and wants its thoughts back, each time. */
export const REASONING_REQUIRED: ReasoningReplay = { field: 'reasoning_content', placeholder: ' ' };
