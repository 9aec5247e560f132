import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // All but the two that show the main job: the built command line takes minutes (`npm run test:e2e`).
    exclude: ['test/e2e/!(example|graph-killed).test.ts', 'test/e2e/*-at-random.test.ts', 'test/browser/**'],
    setupFiles: ['test/support/scrub.ts'],
    restoreMocks: true,
    testTimeout: 60_000,
  },
});
