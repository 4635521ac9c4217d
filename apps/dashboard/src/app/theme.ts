import type { CSSVariablesResolver, MantineColorsTuple } from '@mantine/core';
import { createTheme } from '@mantine/core';

const harbour: MantineColorsTuple = [
  '#e9f6f9',
  '#d5ebf1',
  '#a9d6e1',
  '#79c0d0',
  '#54aec2',
  '#3aa0b6',
  '#2891a8',
  '#187c92',
  '#0e6a7e',
  '#075567',
];

/** A cool slate: dark surfaces with enough steps between them to tell a card from the page. */
const dark: MantineColorsTuple = [
  '#d3d9e0',
  '#aeb7c1',
  '#8b95a1',
  '#5f6a77',
  '#3e4854',
  '#313a45',
  '#262d36',
  '#1a2027',
  '#14191f',
  '#0e1217',
];

export const theme = createTheme({
  primaryColor: 'harbour',
  primaryShade: { light: 8, dark: 7 },
  colors: { harbour, dark },
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.5rem', lineHeight: '1.3' }, h2: { fontSize: '1.125rem', lineHeight: '1.4' } },
  },
  components: {
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300, events: { hover: true, focus: true, touch: true } } },
    // The header of a dialog is not the banner of the page, which its element would make it.
    Modal: {
      defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.45, blur: 2 }, attributes: { header: { role: 'none' } } },
    },
    Drawer: { defaultProps: { attributes: { header: { role: 'none' } } } },
    // Its placeholder for the focus is a child that a menu may not have.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none' } },
  },
});

const TINTED = ['harbour', 'green', 'red', 'orange', 'yellow', 'blue', 'gray', 'violet', 'teal'] as const;

/** Raises the contrast of dimmed text, placeholders and tinted badges to WCAG AA in both schemes. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#f9fafb',
    '--mantine-color-text': '#1a2128',
    '--mantine-color-dimmed': '#54606b',
    '--mantine-color-placeholder': '#66717c',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-anchor': 'var(--mantine-color-harbour-8)',
    '--berth-surface': '#ffffff',
    '--berth-line': 'var(--mantine-color-gray-3)',
    '--berth-hover': 'var(--mantine-color-gray-0)',
    '--mantine-color-gray-light-color': 'var(--mantine-color-gray-8)',
    ...Object.fromEntries(
      TINTED.filter((color) => color !== 'gray').map((color) => [
        `--mantine-color-${color}-light-color`,
        `var(--mantine-color-${color}-9)`,
      ]),
    ),
    '--mantine-color-yellow-light-color': '#7a4a00',
    '--mantine-color-orange-light-color': '#a33a04',
    '--mantine-color-green-light-color': '#1d6f2f',
    '--mantine-color-teal-light-color': '#056c4e',
  },
  dark: {
    '--mantine-color-body': 'var(--mantine-color-dark-8)',
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-anchor': 'var(--mantine-color-harbour-3)',
    '--berth-surface': 'var(--mantine-color-dark-7)',
    '--berth-line': 'var(--mantine-color-dark-5)',
    '--berth-hover': 'var(--mantine-color-dark-6)',
    ...Object.fromEntries(TINTED.map((color) => [`--mantine-color-${color}-light-color`, `var(--mantine-color-${color}-2)`])),
  },
});
