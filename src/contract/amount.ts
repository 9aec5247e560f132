/**
 * Amounts as people write them: time, tokens, money, a time of day. One grammar for flags, config and plan files.
 * Parsers refuse with null, never guess, and count exactly: `1.1m` is 1,100,000 tokens, not a float near it.
 * Formatters cut and never round up, so that nothing is shown as used up before it is.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A century. Longer ones would push `start + duration` towards dates that cannot be represented. */
const MAX_DURATION = 36_525 * DAY;

const PARTS = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/;
const ONE_DECIMAL = /^(\d+)\.(\d)(d|h|m|s)$/;
const UNIT: Readonly<Record<string, number>> = { d: DAY, h: HOUR, m: MINUTE, s: SECOND };

/** Milliseconds of `500ms`, `90s`, `1h30m`, `1.5h`: lower case, largest unit first, no blanks; null otherwise. */
export function parseDuration(text: string): number | null {
  const decimal = ONE_DECIMAL.exec(text);
  if (decimal !== null) {
    const unit = UNIT[decimal[3] ?? ''] ?? 0;
    return inRange(Number(decimal[1]) * unit + (Number(decimal[2]) * unit) / 10, MAX_DURATION);
  }
  const parts = PARTS.exec(text);
  if (parts === null) return null;
  const [d, h, m, s, ms] = parts.slice(1).map((digits: string | undefined) => Number(digits ?? 0));
  return inRange(
    (d ?? 0) * DAY + (h ?? 0) * HOUR + (m ?? 0) * MINUTE + (s ?? 0) * SECOND + (ms ?? 0),
    MAX_DURATION,
  );
}

const TOKENS = /^(\d+(?:_\d+)*)(?:\.(\d+))?([km]?)$/i;

/** `2m` is 2,000,000, `500k`, `1.5m`, `12000`, `1_000`; null for anything else, zero and fractions of a token. */
export function parseTokens(text: string): number | null {
  const match = TOKENS.exec(text);
  if (match === null) return null;
  const suffix = (match[3] ?? '').toLowerCase();
  return scaled(match[1] ?? '', match[2] ?? '', suffix === 'm' ? 6 : suffix === 'k' ? 3 : 0);
}

const COST = /^(?:\$(\d+)(?:\.(\d+))?|(\d+)(?:\.(\d+))?usd)$/i;

/** Millionths of a dollar of `5usd`, `$5`, `0.50usd`; null for anything else, zero and less than a millionth. */
export function parseCost(text: string): number | null {
  const match = COST.exec(text);
  if (match === null) return null;
  return scaled(match[1] ?? match[3] ?? '', match[2] ?? match[4] ?? '', 6);
}

const TIME_OF_DAY = /^(\d{1,2}):(\d{2})$/;
const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2}))?(Z|[+-]\d{2}:\d{2})?$/;

/**
 * An absolute time strictly after `now`, in milliseconds since the epoch: `07:00`, the next time the local clock
 * shows that; or an ISO date and time, local unless it says `Z` or an offset. Null when unreadable or not ahead.
 * A time the clocks jump over is the moment of the jump; one they show twice counts twice.
 */
export function parseUntil(text: string, now: number): number | null {
  const time = TIME_OF_DAY.exec(text);
  const at = time === null ? dateTime(text) : nextTimeOfDay(Number(time[1]), Number(time[2]), now);
  return at !== null && at > now ? at : null;
}

/** `45ms`, `3.2s`, `2m10s`, `1h05m`, `2d03h`: at most two units, the second one left out when it is zero. */
export function formatDuration(ms: number): string {
  const whole = Math.max(0, Math.floor(ms));
  if (whole < SECOND) return `${whole}ms`;
  if (whole < MINUTE) return `${trimZeros((Math.floor(whole / 100) / 10).toFixed(1), 0)}s`;
  if (whole < HOUR) return twoUnits({ whole, big: MINUTE, small: SECOND, names: ['m', 's'] });
  if (whole < DAY) return twoUnits({ whole, big: HOUR, small: MINUTE, names: ['h', 'm'] });
  return twoUnits({ whole, big: DAY, small: HOUR, names: ['d', 'h'] });
}

/** `950`, `12.3k`, `1.24m`: three digits that count. For exact numbers print the number. */
export function formatTokens(tokens: number): string {
  if (tokens < 0) return `-${formatTokens(-tokens)}`;
  if (tokens < 1_000) return String(Math.floor(tokens));
  return tokens < 1_000_000 ? `${threeDigits(tokens, 3)}k` : `${threeDigits(tokens, 6)}m`;
}

/** `$12.30`, `$0.0315`, `$0.000012`: cents, and finer below a dollar and below a cent. */
export function formatCost(micros: number): string {
  if (micros < 0) return `-${formatCost(-micros)}`;
  const places = micros >= 1_000_000 ? 2 : micros >= 10_000 ? 4 : 6;
  return `$${trimZeros(cut(micros, 6, places), 2)}`;
}

function inRange(value: number, max: number): number | null {
  return Number.isSafeInteger(value) && value > 0 && value <= max ? value : null;
}

/** `whole.fraction × 10^power` as an integer, or null when it is none or too large. Digits only: floats would drift. */
function scaled(whole: string, fraction: string, power: number): number | null {
  const digits = fraction.replace(/0+$/, '');
  if (digits.length > power || whole.length > 32) return null;
  const value = BigInt(whole.replaceAll('_', '') + digits.padEnd(power, '0'));
  return value > 0n && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : null;
}

function nextTimeOfDay(hours: number, minutes: number, now: number): number | null {
  if (hours > 23 || minutes > 59) return null;
  const today = new Date(now);
  // Two days ahead: on the night of a jump the time of tomorrow may already lie behind the clock.
  for (let day = 0; day <= 2; day++) {
    const wanted = new Date(today.getFullYear(), today.getMonth(), today.getDate() + day, hours, minutes);
    for (const at of moments(wanted, hours, minutes)) if (at > now) return at;
  }
  return null;
}

/** When the local clock shows this time on the day of `wanted`: once as a rule, twice when clocks go back. */
function moments(wanted: Date, hours: number, minutes: number): readonly number[] {
  const at = wanted.getTime();
  if (wanted.getHours() !== hours || wanted.getMinutes() !== minutes) return [startOfOffset(at)];
  // Date takes the first of two; the second is as much later as the clocks go back.
  const back = (offset(at + 3 * HOUR) - offset(at)) * MINUTE;
  const again = new Date(at + back);
  const twice = back > 0 && again.getHours() === hours && again.getMinutes() === minutes;
  return twice ? [at, again.getTime()] : [at];
}

/** The minute in which the offset that holds at `at` began to hold; `at` is less than a day behind a jump. */
function startOfOffset(at: number): number {
  let start = at;
  while (at - start < DAY && offset(start - MINUTE) === offset(at)) start -= MINUTE;
  return start;
}

/** Minutes the local clock is behind UTC at `at`. */
function offset(at: number): number {
  return new Date(at).getTimezoneOffset();
}

function dateTime(text: string): number | null {
  const match = DATE_TIME.exec(text);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1, 7)
    .map((digits: string | undefined) => Number(digits ?? 0));
  const utc = new Date(Date.UTC(year, month - 1, day, hours, minutes, seconds));
  // Date rolls 30 February and 24:60 over; a slip in a deadline must not move it by a day.
  if (utc.getUTCMonth() !== month - 1 || utc.getUTCDate() !== day) return null;
  if (hours > 23 || minutes > 59 || seconds > 59) return null;
  const zone = match[7];
  if (zone === undefined) return new Date(year, month - 1, day, hours, minutes, seconds).getTime();
  return utc.getTime() - zoneMinutes(zone) * MINUTE;
}

function zoneMinutes(zone: string): number {
  if (zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  return zone.startsWith('-') ? -minutes : minutes;
}

function twoUnits(amount: {
  readonly whole: number;
  readonly big: number;
  readonly small: number;
  readonly names: readonly [string, string];
}): string {
  const { whole, big, small, names } = amount;
  const rest = Math.floor((whole % big) / small);
  const first = `${Math.floor(whole / big)}${names[0]}`;
  return rest === 0 ? first : `${first}${String(rest).padStart(2, '0')}${names[1]}`;
}

function threeDigits(value: number, power: number): string {
  const before = String(Math.floor(value / 10 ** power)).length;
  return trimZeros(cut(value, power, Math.max(0, 3 - before)), 0);
}

/** `value / 10^power` with this many decimals, the rest cut off. */
function cut(value: number, power: number, places: number): string {
  const digits = String(Math.floor(value)).padStart(power + 1, '0');
  const point = digits.length - power;
  return places === 0
    ? digits.slice(0, point)
    : `${digits.slice(0, point)}.${digits.slice(point, point + places)}`;
}

/** Drops zeros at the end of a decimal, but keeps `least` places. */
function trimZeros(decimal: string, least: number): string {
  const point = decimal.indexOf('.');
  if (point < 0) return decimal;
  let end = decimal.length;
  while (end > point + 1 + least && decimal[end - 1] === '0') end -= 1;
  return decimal.slice(0, end === point + 1 ? point : end);
}
