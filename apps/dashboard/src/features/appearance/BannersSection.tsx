import {
  ActionIcon,
  Box,
  Button,
  ColorInput,
  Group,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  Tooltip,
  VisuallyHidden,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { BANNERS_MAX, wordsOn } from '@berth/domain';
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { Section } from '../account/Section.tsx';
import type { AppearanceValues } from './appearance-form.ts';
import { BANNER_COLORS, RULES, moved, newBanner } from './appearance-form.ts';
import { BannerStrip } from './Banners.tsx';

/** What everybody is told above every page: in which words, colour and order. */
export function BannersSection({ form }: { form: UseFormReturnType<AppearanceValues> }): React.JSX.Element {
  const { banners } = form.values;
  return (
    <Section
      title="Announcements"
      description="Banners above every page, in this order, for everybody who is signed in."
      actions={
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          disabled={banners.length >= BANNERS_MAX}
          onClick={() => form.insertListItem('banners', newBanner())}
        >
          New banner
        </Button>
      }
    >
      {banners.length === 0 ? (
        <Text size="sm" c="dimmed">
          None. A banner is for what concerns everybody: maintenance, an incident, a new template.
        </Text>
      ) : (
        <Stack gap="lg">
          {banners.map((banner, index) => (
            <BannerFields key={banner.key} form={form} index={index} />
          ))}
        </Stack>
      )}
    </Section>
  );
}

interface FieldsProps {
  readonly form: UseFormReturnType<AppearanceValues>;
  readonly index: number;
}

function BannerFields({ form, index }: FieldsProps): React.JSX.Element | null {
  const { banners } = form.values;
  const banner = banners[index];
  if (banner === undefined) return null;
  const name = `Banner ${index + 1}`;
  const isColor = RULES.banners.background_color(banner.background_color) === null;
  const move = (by: -1 | 1) => () => form.setFieldValue('banners', moved(banners, index, by));
  return (
    <Box
      component="fieldset"
      m={0}
      p={0}
      style={{ border: '1px solid var(--berth-line)', borderRadius: 8, overflow: 'hidden', minWidth: 0 }}
    >
      <VisuallyHidden component="legend">{name}</VisuallyHidden>
      <Box inert style={banner.enabled ? undefined : { opacity: 0.55 }}>
        <BannerStrip
          banner={{
            ...banner,
            message: banner.message.trim() === '' ? 'What you write stands here.' : banner.message,
            background_color: isColor ? banner.background_color : '#343a40',
          }}
        />
      </Box>
      <Stack p="md" gap="sm">
        <Textarea
          label="Message"
          description="**strong** words and [links](https://example.com) are possible."
          autosize
          minRows={1}
          maxRows={6}
          maxLength={1000}
          {...form.getInputProps(`banners.${index}.message`)}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <ColorInput
            label="Colour"
            description={isColor ? contrastWords(banner.background_color) : 'As #rrggbb'}
            format="hex"
            swatches={[...BANNER_COLORS]}
            popoverProps={{ withinPortal: true }}
            eyeDropperButtonProps={{ 'aria-label': 'Pick a colour from the screen' }}
            {...form.getInputProps(`banners.${index}.background_color`)}
          />
          <Group justify="space-between" align="center" wrap="nowrap">
            <Switch label="Shown" {...form.getInputProps(`banners.${index}.enabled`, { type: 'checkbox' })} />
            <Group gap={4} wrap="nowrap">
              <RowAction label={`Move ${name} up`} isDisabled={index === 0} onClick={move(-1)}>
                <IconArrowUp size={16} />
              </RowAction>
              <RowAction label={`Move ${name} down`} isDisabled={index === banners.length - 1} onClick={move(1)}>
                <IconArrowDown size={16} />
              </RowAction>
              <RowAction label={`Remove ${name}`} onClick={() => form.removeListItem('banners', index)}>
                <IconTrash size={16} />
              </RowAction>
            </Group>
          </Group>
        </SimpleGrid>
      </Stack>
    </Box>
  );
}

interface ActionProps {
  readonly label: string;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
  readonly children: React.ReactNode;
}

function RowAction({ label, isDisabled = false, onClick, children }: ActionProps): React.JSX.Element {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={isDisabled} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

function contrastWords(background: string): string {
  const { color, contrast } = wordsOn(background);
  return `${color === '#ffffff' ? 'White' : 'Black'} words, contrast ${contrast.toFixed(1)} : 1`;
}
