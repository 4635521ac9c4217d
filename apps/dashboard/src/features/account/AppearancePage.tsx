import { Radio, Stack, Switch } from '@mantine/core';
import { Page } from '../../ui/Page.tsx';
import { DENSITIES, setDensity, setExactTimes, setPlainKeys, useDevicePreferences } from '../../ui/device-preferences.ts';
import { Section } from './Section.tsx';
import { COLOR_SCHEMES, useAppearance } from './use-appearance.ts';

const EXPLAINED: Readonly<Record<(typeof COLOR_SCHEMES)[number]['value'], string>> = {
  light: 'Dark text on a light page.',
  dark: 'Light text on a dark page.',
  auto: 'As your system has it, also when that changes during the day.',
};

/** How Berth looks for this account, and how close together in this browser. */
export function AppearancePage(): React.JSX.Element {
  const { scheme, choose } = useAppearance();
  const { density, plainKeys, exactTimes } = useDevicePreferences();
  return (
    <Page title="Appearance" subtitle="How Berth looks and listens to you. Everything here takes effect at once.">
      <Section title="Theme" description="Kept in your account for the next browser.">
        <Radio.Group value={scheme} onChange={choose} aria-label="Theme">
          <Stack gap="sm">
            {COLOR_SCHEMES.map(({ value, label }) => (
              <Radio key={value} value={value} label={label} description={EXPLAINED[value]} />
            ))}
          </Stack>
        </Radio.Group>
      </Section>
      <Section title="Density" description="For this browser: a small screen may want it otherwise than a large one.">
        <Radio.Group
          value={density}
          onChange={(next) => {
            const chosen = DENSITIES.find(({ value }) => value === next);
            if (chosen !== undefined) setDensity(chosen.value);
          }}
          aria-label="Density"
        >
          <Stack gap="sm">
            {DENSITIES.map(({ value, label, explained }) => (
              <Radio key={value} value={value} label={label} description={explained} />
            ))}
          </Stack>
        </Radio.Group>
      </Section>
      <Section title="Times" description="For this browser.">
        <Switch
          checked={exactTimes}
          onChange={(event) => setExactTimes(event.currentTarget.checked)}
          label="Exact times"
          description="“21 Nov 2026, 14:05:31” in your time zone instead of “3 minutes ago”, which shows the exact time on hover only."
        />
      </Section>
      <Section title="Keyboard" description="For this browser. Press ? to see all shortcuts, as long as they are on.">
        <Switch
          checked={plainKeys}
          onChange={(event) => setPlainKeys(event.currentTarget.checked)}
          label="Shortcuts of single keys"
          description="Turn them off if speech input or a slip of a finger presses them. Those with Ctrl or ⌘ always work."
        />
      </Section>
    </Page>
  );
}
