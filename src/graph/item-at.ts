/** The item at a place that was worked out from the list itself: that there is none would be a bug. */
export function itemAt<T>(list: ArrayLike<T>, place: number): T {
  const item = list[place];
  if (item === undefined) throw new Error(`nothing at ${place} of ${list.length}`);
  return item;
}
