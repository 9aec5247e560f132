/** Makes the last part of an address out of a title. See README.md. */
export function slug(title) {
  throw new Error(`not written yet: ${title}`);
}
