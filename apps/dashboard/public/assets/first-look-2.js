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

// When a script or a style of the app does not load, because the server restarts or was updated meanwhile, no code of the app can help: say so,
// and load the document again as soon as the server answers.
(function () {
  const ATTEMPTS = 'berth-load-attempts';
  let isWaiting = false;

  // A server that answers while its files stay broken must not make the page reload in a loop.
  function attempts() {
    try {
      return Number(sessionStorage.getItem(ATTEMPTS)) || 0;
    } catch {
      return 0;
    }
  }
  function remember(count) {
    try {
      sessionStorage.setItem(ATTEMPTS, String(count));
    } catch {
      // Without storage each wait is a short one.
    }
  }

  function show() {
    const notice = document.createElement('p');
    notice.setAttribute('role', 'status');
    notice.textContent = 'The server cannot be reached. Trying again…';
    notice.style.cssText =
      'position:fixed;inset:0;z-index:1000;margin:0;display:grid;place-content:center;padding:16px;font:16px system-ui;background:Canvas;color:CanvasText';
    (document.body || document.documentElement).append(notice);
  }

  async function answers() {
    try {
      return (await fetch('/api/v2/buildinfo', { cache: 'no-store' })).ok;
    } catch {
      return false;
    }
  }

  async function reloadWhenAnswered() {
    for (let failures = attempts(); ; failures += 1) {
      const longest = Math.min(10_000, 500 * 1.5 ** failures);
      await new Promise((resolve) => {
        setTimeout(resolve, longest / 2 + (Math.random() * longest) / 2);
      });
      if (await answers()) break;
    }
    remember(attempts() + 1);
    location.reload();
  }

  function onFailure({ target }) {
    const isNeeded = target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel === 'stylesheet');
    if (!isNeeded || isWaiting) return;
    isWaiting = true;
    show();
    void reloadWhenAnswered();
  }
  // Later than this the app itself deals with what does not load.
  addEventListener('error', onFailure, true);
  addEventListener('load', () => {
    removeEventListener('error', onFailure, true);
    if (!isWaiting) remember(0);
  });
})();
