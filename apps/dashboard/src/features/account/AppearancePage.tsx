import { Radio, Stack } from '@mantine/core';
import { Page } from '../../ui/Page.tsx';
import { Section } from './Section.tsx';
import { COLOR_SCHEMES, useAppearance } from './use-appearance.ts';

const EXPLAINED: Readonly<Record<(typeof COLOR_SCHEMES)[number]['value'], string>> = {
  light: 'Dark text on a light page.',
  dark: 'Light text on a dark page.',
  auto: 'As your system has it, also when that changes during the day.',
};

/** How Berth looks for this account. */
export function AppearancePage(): React.JSX.Element {
  const { scheme, choose } = useAppearance();
  return (
    <Page title="Appearance" subtitle="Set at once in this browser, and kept in your account for the next one.">
      <Section title="Theme">
        <Radio.Group value={scheme} onChange={choose} aria-label="Theme">
          <Stack gap="sm">
            {COLOR_SCHEMES.map(({ value, label }) => (
              <Radio key={value} value={value} label={label} description={EXPLAINED[value]} />
            ))}
          </Stack>
        </Radio.Group>
      </Section>
    </Page>
  );
}
