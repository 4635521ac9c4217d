import { Anchor, Box, Text } from '@mantine/core';
import { bannerParts, wordsOn } from '@berth/domain';
import type { Banner } from './brand.ts';

/** What the owners of the deployment tell everybody, above every page. */
export function Banners({ banners }: { banners: readonly Banner[] }): React.JSX.Element | null {
  const shown = banners.filter(({ enabled, message }) => enabled && message.trim() !== '');
  if (shown.length === 0) return null;
  return (
    <Box component="section" aria-label="Notices" aria-live="polite">
      {shown.map((banner, index) => (
        // Two may say the same, and none has an id.
        <BannerStrip key={`${index}:${banner.message}`} banner={banner} />
      ))}
    </Box>
  );
}

/** One banner as everybody sees it. Its words are black or white, whichever is easier to read on its colour. */
export function BannerStrip({ banner }: { banner: Banner }): React.JSX.Element {
  const { color } = wordsOn(banner.background_color);
  return (
    <Box px="md" py={6} style={{ background: banner.background_color, color }}>
      <Text size="sm" ta="center" fw={500} className="wrap-anywhere" style={{ whiteSpace: 'pre-line' }}>
        <BannerWords message={banner.message} />
      </Text>
    </Box>
  );
}

function BannerWords({ message }: { message: string }): React.JSX.Element {
  return (
    <>
      {bannerParts(message).map((part, index) => {
        const key = `${index}:${part.text}`;
        switch (part.kind) {
          case 'text':
            return <span key={key}>{part.text}</span>;
          case 'strong':
            return <strong key={key}>{part.text}</strong>;
          case 'link':
            return (
              <Anchor key={key} href={part.href} target="_blank" rel="noreferrer" underline="always" c="inherit" inherit>
                {part.text}
              </Anchor>
            );
        }
      })}
    </>
  );
}
