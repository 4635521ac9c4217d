import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import { PRODUCT_NAME, useBrand } from '../features/appearance/brand.ts';

/** The mark and the name: those of the deployment, where it chose its own. */
export function Logo({ size = 26 }: { size?: number }): React.JSX.Element {
  return <BrandMark {...useBrand()} size={size} />;
}

interface Props {
  readonly name: string;
  /** Empty: the product's own. */
  readonly logoUrl: string;
  readonly size?: number;
}

export function BrandMark({ name, logoUrl, size = 26 }: Props): React.JSX.Element {
  const [broken, setBroken] = useState('');
  return (
    <Group gap={size / 3} wrap="nowrap" miw={0}>
      {logoUrl === '' || logoUrl === broken ? (
        <Mark size={size} />
      ) : (
        <img
          src={logoUrl}
          alt=""
          height={size}
          referrerPolicy="no-referrer"
          style={{ maxWidth: size * 4, minWidth: size, objectFit: 'contain', objectPosition: 'left', flexShrink: 0 }}
          onError={() => setBroken(logoUrl)}
        />
      )}
      <Text
        fw={700}
        fz={size * 0.68}
        lh={1.1}
        truncate
        maw={name === PRODUCT_NAME ? undefined : size * 8}
        style={{ letterSpacing: '-0.02em' }}
      >
        {name}
      </Text>
    </Group>
  );
}

function Mark({ size }: { size: number }): React.JSX.Element {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" style={{ flexShrink: 0 }}>
      <rect width="32" height="32" rx="8" fill="var(--mantine-color-harbour-8)" />
      <path
        d="M16 6.5v15M11.5 11h9M7 18c1 5 5 7.5 9 7.5S24 23 25 18"
        fill="none"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
