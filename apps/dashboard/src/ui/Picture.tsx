import { useState } from 'react';

interface Props {
  /** Empty: none was chosen. */
  readonly src: string;
  /** What stands in where there is no picture, or it does not load. */
  readonly fallback: React.ReactNode;
  readonly size?: number;
}

/** The picture of something that has its name beside it. */
export function Picture({ src, fallback, size = 20 }: Props): React.JSX.Element {
  const [broken, setBroken] = useState('');
  if (src === '' || src === broken) return <>{fallback}</>;
  return (
    <img
      src={src}
      alt=""
      width={size}
      height={size}
      referrerPolicy="no-referrer"
      style={{ objectFit: 'contain', flexShrink: 0 }}
      onError={() => setBroken(src)}
    />
  );
}
