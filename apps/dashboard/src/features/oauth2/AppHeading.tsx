import { Stack, Title } from '@mantine/core';
import { TemplateIcon } from '../templates/TemplateIcon.tsx';

/** The application that asks, by its name and picture. */
export function AppHeading({ app, children }: { app: { name: string; icon: string }; children: React.ReactNode }): React.JSX.Element {
  return (
    <Stack align="center" gap="sm" ta="center">
      <TemplateIcon icon={app.icon} name={app.name} size={52} />
      <Title order={1} size="h2" className="wrap-anywhere">
        {children}
      </Title>
    </Stack>
  );
}
