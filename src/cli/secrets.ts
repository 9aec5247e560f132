/** Values of the environment that must not be stored: keys of models, and variables whose names say that they are secret. */

const SECRET_NAME =
  /(^|_)(API_?KEY|ACCESS_KEY|SECRET(_KEY)?|TOKEN|PASSWORD|PASSWD|CREDENTIALS?|PRIVATE_KEY)$/i;

/** Longest first, so that a secret which holds another one is masked whole. `keys`: variables of any name that hold one. */
export function secretsOf(
  env: Readonly<Record<string, string | undefined>>,
  keys: readonly string[] = [],
): readonly string[] {
  return Object.entries(env)
    .flatMap(([name, value]) => (value && (SECRET_NAME.test(name) || keys.includes(name)) ? [value] : []))
    .sort((a, b) => b.length - a.length);
}
