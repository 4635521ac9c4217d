// Runs before the first paint, so that a dark page never flashes white and dense rows never jump. A file of its own, since the CSP allows no inline script;
// the number in its name changes with its content, since assets are cached for a year.
(function () {
  let choice = 'auto';
  let density = '';
  try {
    density = localStorage.getItem('berth-density') || '';
    choice = localStorage.getItem('mantine-color-scheme-value') || 'auto';
  } catch {
    // Storage may be closed to us: what the system says stands.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  document.documentElement.setAttribute('data-density', density === 'compact' ? 'compact' : 'comfortable');
})();
