import type { Icon } from '@tabler/icons-react';
import {
  IconBrandDebian,
  IconBrandDocker,
  IconBrandGit,
  IconBrandGithub,
  IconBrandGolang,
  IconBrandJavascript,
  IconBrandNodejs,
  IconBrandPhp,
  IconBrandPython,
  IconBrandReact,
  IconBrandRust,
  IconBrandTypescript,
  IconBrandUbuntu,
  IconBrandVscode,
  IconCode,
  IconCpu,
  IconDatabase,
  IconDeviceDesktop,
  IconFolder,
  IconServer,
  IconTerminal2,
  IconWorld,
} from '@tabler/icons-react';

/** The icons that a template may name as `/icon/<name>.svg`; they follow the theme, as a picture could not. */
const ICONS: Readonly<Record<string, Icon>> = {
  code: IconCode,
  cpu: IconCpu,
  database: IconDatabase,
  debian: IconBrandDebian,
  desktop: IconDeviceDesktop,
  docker: IconBrandDocker,
  folder: IconFolder,
  git: IconBrandGit,
  github: IconBrandGithub,
  go: IconBrandGolang,
  javascript: IconBrandJavascript,
  node: IconBrandNodejs,
  php: IconBrandPhp,
  python: IconBrandPython,
  react: IconBrandReact,
  rust: IconBrandRust,
  server: IconServer,
  terminal: IconTerminal2,
  typescript: IconBrandTypescript,
  ubuntu: IconBrandUbuntu,
  vscode: IconBrandVscode,
  world: IconWorld,
};

export function knownIcon(path: string): Icon | undefined {
  const name = /^\/icon\/([a-z0-9-]+)\.svg$/.exec(path)?.[1];
  return name === undefined || !Object.hasOwn(ICONS, name) ? undefined : ICONS[name];
}
