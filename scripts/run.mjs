// The entry of `npm start`, `npm test`, `npm run provisioner`, `cli`, `check`, `seed` and `bench`. This file is kept to the syntax of old Node versions, so that
// one that is too old gets a sentence instead of a syntax error.
const [major, minor] = process.versions.node.split('.').map(Number);

if (process.platform === 'win32') {
  console.error('Berth runs on Linux and macOS. On Windows, use it inside WSL 2: https://learn.microsoft.com/windows/wsl/install');
  process.exit(1);
} else if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    'Berth needs Node 20.19 or newer to start; this is Node ' + process.versions.node + '. Install a newer one, for example: npx n lts',
  );
  process.exit(1);
} else {
  import('./launcher/main.mjs').then((launcher) => launcher.main(process.argv.slice(2)));
}
