#!/usr/bin/env node
/** The command line. Everything is built here and in what it loads; each command loads only what it needs. */

import { closeInheritedFolders } from '../os/inherited.ts';
import { EXIT } from './exit.ts';
import { processOutput } from './output.ts';
import { buildProgram } from './program.ts';

closeInheritedFolders();

const output = processOutput(process);

// What is thrown is a bug. The journal is whole at every instant, so the way out is the way out of any crash.
process.on('uncaughtException', (error) => {
  output.err(
    `goalgraph: this is a bug in goalgraph, please report it. Nothing is lost: goalgraph resume\n${error.stack ?? String(error)}`,
  );
  process.exit(EXIT.infra);
});

process.exitCode = await buildProgram(output).run(process.argv.slice(2));
