/** Ends a switch over a union: the compiler refuses a member that was forgotten. */
export function never(value: never): never {
  throw new Error(`unexpected member: ${JSON.stringify(value)}`);
}
