import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MASK, maskBytes, maskSecrets } from '../../src/os/mask.ts';
import { collectOutput } from '../../src/os/output.ts';

/** Made up; put together here, so that no scanner takes this file for a leak. */
const r = (length: number): string => 'a1B2c3D4e5F6g7H8'.repeat(8).slice(0, length);
const KEYS = {
  openai: `sk-${r(48)}`,
  'openai project': `sk-proj-${r(40)}_${r(20)}-${r(9)}`,
  anthropic: `sk-ant-api03-${r(80)}-AA`,
  openrouter: `sk-or-v1-${r(64)}`,
  google: `AIza${r(35)}`,
  'google token': `ya29.${r(60)}`,
  groq: `gsk_${r(52)}`,
  xai: `xai-${r(80)}`,
  perplexity: `pplx-${r(48)}`,
  huggingface: `hf_${'abcdefgh'.repeat(4)}`,
  nvidia: `nvapi-${r(64)}`,
  github: `ghp_${r(36)}`,
  'github fine-grained': `github_pat_${r(22)}_${r(59)}`,
  gitlab: `glpat-${r(20)}`,
  slack: `xoxb-123456789012-123456789012-${r(24)}`,
  aws: `AKIA${'ABCD1234'.repeat(2)}`,
  stripe: `sk_live_${r(24)}`,
  npm: `npm_${r(36)}`,
  jwt: `eyJ${r(30)}.eyJ${r(40)}.${r(43)}`,
};
const BODY = Array.from({ length: 20 }, () => r(64)).join('\n');
const PEM = `-----BEGIN OPENSSH PRIVATE KEY-----\n${BODY}\n-----END OPENSSH PRIVATE KEY-----`;

describe('keys of vendors', () => {
  it.each(Object.entries(KEYS))('%s', (_, key) => {
    for (const [before, after] of [
      ['', ''],
      ['key=', '\n'],
      ['{"key":"', '"}'],
      ['https://x:', '@host/'],
      ['(', ').'],
    ]) {
      expect(maskSecrets(`${before ?? ''}${key}${after ?? ''}`, [])).toBe(
        `${before ?? ''}${MASK}${after ?? ''}`,
      );
    }
  });

  it.each([
    ['Authorization: Bearer ', r(30)],
    ['authorization: bearer ', `${r(20)}==`],
    ['"Authorization": "Basic ', 'dXNlcjpwYXNz'],
    ['aws_secret_access_key = ', 'abcd/efgh+'.repeat(4)],
  ])('%s', (before, key) => {
    expect(maskSecrets(`> ${before}${key}"`, [])).toBe(`> ${before}${MASK}"`);
  });

  it.each([
    'a task-management-of-some-length and a sk-loading-indicator-container',
    'the bearer of good-tidings-for-everyone, basic internationalization',
    'commit 3f786850e387550fdab836ed7e6dc881de23001b',
    'src/components/organization/hf_models.ts: AKIA is not a key, sk- neither',
    'npm_config_cache=/tmp/cache gsk_short',
    'global-error-handler-middleware fw_a_rather_long_identifier_name xapp-not-a-key-at-all',
  ])('ordinary text stays: %s', (text) => {
    expect(maskSecrets(text, [])).toBe(text);
  });
});

describe('private keys', () => {
  it('whole', () => {
    expect(maskSecrets(`before\n${PEM}\nafter`, [])).toBe(`before\n${MASK}\nafter`);
  });

  it('as a JSON string', () => {
    expect(maskSecrets(JSON.stringify({ key: PEM }), [])).toBe(`{"key":"${MASK}"}`);
  });

  it('several', () => {
    expect(maskSecrets(`${PEM}\nand\n${PEM}`, [])).toBe(`${MASK}\nand\n${MASK}`);
  });

  it('cut short at either end, as the cap on an output does it', () => {
    const output = collectOutput({ head: 600, tail: 600 });
    output.add(Buffer.from(`before\n${PEM}\nbetween\n`));
    output.add(Buffer.from('filler '.repeat(1_000)));
    output.add(Buffer.from(`\n${PEM}\nafter\n`));
    const text = maskSecrets(output.kept().toString(), []);
    expect(text).toMatch(/^before\n\[masked\]\n?\[\d+ bytes left out here\]\n?\[masked\]\nafter\n$/);
  });

  it('a mere mention swallows nothing', () => {
    const text = `it begins with -----BEGIN PRIVATE KEY----- in its first line.\n${'log line, more. '.repeat(3_000)}\n-----END CERTIFICATE-----`;
    expect(maskSecrets(text, [])).toBe(text.replace('-----BEGIN PRIVATE KEY-----', MASK));
  });

  it.each([
    ['headers', `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,0A1B2C3D\n\n${BODY}`],
    ['the sum of PGP', `Version: GnuPG v2\n\n${BODY}\n=a1B2`],
    ['an indent and Windows line ends', BODY.replaceAll(/^/gm, '    ').replaceAll('\n', '\r\n')],
    ['short lines', 'a1B2c3D4e5F6g7H8\n'.repeat(4)],
    ['one line', r(100)],
    ['blanks for breaks', BODY.replaceAll('\n', ' ')],
    ['JSON in JSON, with escaped slashes', `\\\\n${r(60)}\\/${r(3)}\\\\n${r(64)}\\\\n`],
    ['lines that go on', BODY.replaceAll('\n', '\\n\\\n')],
  ])('with %s', (_, body) => {
    const text = `before -----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY----- after`;
    expect(maskSecrets(text, [])).toBe(`before ${MASK} after`);
  });

  it.each([
    'cp golden out',
    'PATH=/evil',
    'PATH=/evil/bin/with/a/long/name/that/goes/on/and/on/and/on',
    'cp\ngolden',
    `cp golden ${'long/'.repeat(20)}out`,
    `echo ${r(64)}\ncp golden out`,
    'rm -rf test\nmake: all.\n\\nPATH=/evil/bin/xxxxxxxxxxxx',
  ])('code between markers stays: %s', (code) => {
    const [begin, end] = ['-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----'];
    for (const [before, after] of [
      ['', end],
      [begin, ''],
      [begin, end],
    ] as const) {
      const text = `a\n${before}\n${code}\n${after}\nb`;
      expect(maskSecrets(text, [])).toBe(text.replace(begin, MASK).replace(end, MASK));
    }
  });

  it('code stays beside the lines of a key that was cut', () => {
    const end = '-----END PRIVATE KEY-----';
    expect(maskSecrets(`cp golden out\n${BODY}\n${end}`, [])).toBe(`cp golden out${MASK}`);
    expect(maskSecrets(`-----BEGIN PRIVATE KEY-----\n${BODY}\nPATH=/evil/bin/and/so/on\n`, [])).toBe(
      `${MASK}PATH=/evil/bin/and/so/on\n`,
    );
  });

  it('certificates stay', () => {
    const text = `-----BEGIN CERTIFICATE-----\n${BODY}\n-----END CERTIFICATE-----`;
    expect(maskSecrets(text, [])).toBe(text);
  });
});

describe('secrets we were given', () => {
  it('everywhere, the longer ones first', () => {
    expect(maskSecrets('xx-hunter22x-hunter22xyz!', ['hunter22', 'hunter22xyz'])).toBe(
      `xx-${MASK}x-${MASK}!`,
    );
  });

  it('mean themselves, not a pattern', () => {
    expect(maskSecrets('a+b(c)$&[d a+b(c)$&[d', ['a+b(c)$&[d'])).toBe(`${MASK} ${MASK}`);
  });

  it('placeholders are none', () => {
    expect(maskSecrets('ollama says none', ['ollama', 'none', ''])).toBe('ollama says none');
  });

  it('none is left in whatever text', () => {
    const secret = fc.string({ minLength: 8, maxLength: 20 });
    fc.assert(
      fc.property(secret, fc.array(fc.string(), { minLength: 2 }), (key, parts) => {
        fc.pre(!MASK.includes(key) && !`${MASK}${MASK}`.includes(key));
        const masked = maskSecrets(parts.join(key), [key]);
        // A mask next to other text could by chance spell the secret.
        fc.pre(!key.includes('[') && !key.includes(']'));
        expect(masked).not.toContain(key);
      }),
    );
  });
});

it('leaves every byte that it does not mask as it is', () => {
  const bytes = Buffer.concat([
    Buffer.from([0, 255, 254, 128]),
    Buffer.from(`é ${KEYS.groq} pässwörd1 `),
    Buffer.from([200]),
  ]);
  const masked = Buffer.from(maskBytes(bytes, ['pässwörd1']));
  expect(masked).toEqual(
    Buffer.concat([Buffer.from([0, 255, 254, 128]), Buffer.from(`é ${MASK} ${MASK} `), Buffer.from([200])]),
  );
  const plain = Buffer.from([0, 255, 10]);
  expect(maskBytes(plain, ['nothing here'])).toBe(plain);
});

it.each([
  ['sk-', 'a1'],
  ['eyJ', 'a1'],
  ['-----BEGIN PRIVATE KEY-----\n', 'A'],
  ['-----BEGIN PRIVATE KEY-----', '\n'],
  ['-----BEGIN PRIVATE KEY-----', '\nabcdefghijklmnop'],
])('does not run out of stack on %j and an endless run of %j', (beginning, piece) => {
  const text = beginning + piece.repeat(16_000_000 / piece.length);
  expect(maskSecrets(text, []).startsWith('[masked]')).toBe(!beginning.startsWith('eyJ'));
});

it.each([
  'sk-',
  'sk-abc-',
  'sk-aaaaaaaaaaaaaaaaaaaa-',
  'eyJ',
  'eyJaaaaaaaaaaaa-',
  'eyJaaaaaaaaaaaa.',
  'Bearer ',
  'Bearer      ',
  'Basic ',
  'authorization: basic ',
  'aws_secret_access_key = ',
  'ghp_',
  'xoxb-',
  'AKIA',
  'a',
  ' ',
  '\n\\n',
  '-----BEGIN ',
  '-----END ',
  '-----BEGIN PRIVATE KEY-----',
  '-----END PRIVATE KEY-----',
  `-----BEGIN PRIVATE KEY-----\n${r(40)}\n`,
  `${r(40)}\n-----END PRIVATE KEY-----\n`,
  `-----BEGIN PRIVATE KEY-----${r(120)}`,
])('takes linear time on a text of %j', (piece) => {
  const start = performance.now();
  maskSecrets(piece.repeat(1_000_000 / piece.length), ['hunter22']);
  // About 0.03 s; what is quadratic here takes minutes.
  expect(performance.now() - start).toBeLessThan(3_000);
});
