#!/usr/bin/env node
/** The command line. Everything is built here and in what it loads; each command loads only what it needs. */

import { processOutput } from './output.ts';
import { buildProgram } from './program.ts';

const output = processOutput(process);
process.exitCode = await buildProgram(output).run(process.argv.slice(2));
