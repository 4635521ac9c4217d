import { Box, Button, FileButton, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { BrandMark } from '../../shell/Logo.tsx';
import { Section } from '../account/Section.tsx';
import type { AppearanceValues } from './appearance-form.ts';
import { LOGO_BYTES_MAX, LOGO_TYPES, RULES } from './appearance-form.ts';
import { PRODUCT_NAME } from './brand.ts';

/** The name and the logo, with how they look in both themes. */
export function BrandSection({ form }: { form: UseFormReturnType<AppearanceValues> }): React.JSX.Element {
  const { application_name: name, logo_url: logoUrl } = form.values;
  const isPicture = logoUrl.startsWith('data:');
  const shown = { name: name.trim() === '' ? PRODUCT_NAME : name.trim(), logoUrl: RULES.logo_url(logoUrl) === null ? logoUrl.trim() : '' };
  return (
    <Section title="Name and logo" description="In the header of every page, on the sign-in page and in the titles of tabs.">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Stack>
          <TextInput label="Name" placeholder={PRODUCT_NAME} maxLength={64} {...form.getInputProps('application_name')} />
          {isPicture ? (
            <TextInput label="Logo" value={`a picture of ${kilobytes(logoUrl)} KB`} readOnly error={form.errors['logo_url']} />
          ) : (
            <TextInput
              label="Logo"
              description="An https address that everybody can reach, or a small picture from your computer."
              placeholder="https://example.com/logo.svg"
              {...form.getInputProps('logo_url')}
            />
          )}
          <Group gap="xs">
            <FileButton accept={LOGO_TYPES.join(',')} onChange={(file) => void take(file, form)}>
              {(props) => (
                <Button {...props} variant="default" size="xs">
                  Choose a picture
                </Button>
              )}
            </FileButton>
            {logoUrl !== '' && (
              <Button variant="subtle" size="xs" onClick={() => form.setFieldValue('logo_url', '')}>
                Use Berth’s own
              </Button>
            )}
          </Group>
        </Stack>
        <Box>
          <Text size="sm" fw={500} mb={4}>
            Preview
          </Text>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <Theme label="Light" background="#ffffff" color="#16202c">
              <BrandMark {...shown} />
            </Theme>
            <Theme label="Dark" background="#141b23" color="#e6ecf2">
              <BrandMark {...shown} />
            </Theme>
          </SimpleGrid>
        </Box>
      </SimpleGrid>
    </Section>
  );
}

interface ThemeProps {
  readonly label: string;
  readonly background: string;
  readonly color: string;
  readonly children: React.ReactNode;
}

function Theme({ label, background, color, children }: ThemeProps): React.JSX.Element {
  return (
    <Box p="md" style={{ background, color, borderRadius: 8, border: '1px solid var(--berth-line)', overflow: 'hidden' }}>
      <Text size="xs" mb="xs">
        {label}
      </Text>
      {children}
    </Box>
  );
}

async function take(file: File | null, form: UseFormReturnType<AppearanceValues>): Promise<void> {
  if (file === null) return;
  if (!LOGO_TYPES.some((type) => type === file.type)) {
    form.setFieldError('logo_url', 'must be a picture: PNG, JPEG, WebP or SVG');
    return;
  }
  if (file.size > LOGO_BYTES_MAX) {
    form.setFieldError('logo_url', `must be smaller than ${LOGO_BYTES_MAX / 1000} KB, or have an address`);
    return;
  }
  form.setFieldValue('logo_url', await dataUrl(file));
  form.clearFieldError('logo_url');
}

function dataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the picture could not be read')));
    reader.readAsDataURL(file);
  });
}

const kilobytes = (url: string): number => Math.ceil((url.length * 0.75) / 1000);
