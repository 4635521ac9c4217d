#!/usr/bin/env node
// The built program starts here. Nothing else is loaded before the version of Node is known to be new enough.
import { nodeProblem } from './supported-node.ts';

const problem = nodeProblem(process.versions.node);
if (problem === '') {
  void import('./main.ts');
} else {
  process.stderr.write('error: ' + problem + '\n');
  process.exitCode = 1;
}
