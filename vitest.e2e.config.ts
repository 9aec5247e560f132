import { defineConfig } from 'vitest/config';

/** The built command line, end to end: `npm run test:e2e` builds it first. One file at a time, for the timing's sake. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
