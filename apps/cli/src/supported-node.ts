// Read by versions of Node that are too old to run the rest, so it is written in the syntax that all of them know.

/** The oldest Node that runs this program. */
export const NODE_MIN = '20.19';

/** What to tell a person whose Node is too old; empty when it is not. */
export function nodeProblem(version: string): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [neededMajor = 0, neededMinor = 0] = NODE_MIN.split('.').map(Number);
  const isOld = major < neededMajor || (major === neededMajor && minor < neededMinor);
  return isOld ? 'berth needs Node ' + NODE_MIN + ' or newer; this is Node ' + version + '. Install a newer one: https://nodejs.org' : '';
}
