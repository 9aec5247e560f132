/** Reads fences as Markdown does, and throws for one that stays open. */

/** The lines that stand in no fence, blank ones left out. */
export function outsideFences(text: string): readonly string[] {
  const outside: string[] = [];
  let open = 0;
  for (const line of text.split(/\r\n|[\n\r\u2028\u2029\u0085]/)) {
    const fence = /^ {0,3}(`{3,})([^`]*)$/.exec(line);
    const length = fence?.[1]?.length ?? 0;
    if (open === 0 && length > 0) open = length;
    else if (open > 0 && length >= open && fence?.[2]?.trim() === '') open = 0;
    else if (open === 0 && line.trim() !== '') outside.push(line);
  }
  if (open > 0) throw new Error('a fence stays open');
  return outside;
}
