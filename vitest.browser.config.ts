import { defineConfig } from 'vitest/config';

/** What is looked at in a browser: `npm run test:browser`. It needs Debian's chromium. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
