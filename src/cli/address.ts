/** The address of a server. It is shown and stored, so what opens doors must not stand in it: keys have a variable. */

/** What to write instead; for messages. */
export const ADDRESS_FORM = 'http://127.0.0.1:8080/v1, without a user, password or query';

export function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === '');
}
