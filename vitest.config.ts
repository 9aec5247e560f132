import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**'],
    setupFiles: ['test/support/scrub.ts'],
    restoreMocks: true,
    testTimeout: 30_000,
  },
});
