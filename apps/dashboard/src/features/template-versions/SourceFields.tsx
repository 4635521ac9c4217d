import { FileInput, Select } from '@mantine/core';
import type { ProvisionerType } from '@berth/domain';
import { IconFileZip } from '@tabler/icons-react';
import { driverName } from '../templates/template-words.ts';

interface Props {
  readonly files: readonly File[];
  readonly onFiles: (files: readonly File[]) => void;
  readonly provisioner: ProvisionerType;
  readonly onProvisioner: (provisioner: ProvisionerType) => void;
  readonly error?: string | undefined;
}

const DRIVERS = ['process', 'container', 'terraform'] as const satisfies readonly ProvisionerType[];

/** The driver whose file is among the chosen ones; undefined when the names do not tell. */
function driverOf(files: readonly { readonly name: string }[]): ProvisionerType | undefined {
  return files.some(({ name }) => /\.tf(?:\.json)?$/.test(name)) ? 'terraform' : undefined;
}

/** The files of a version, and what runs them. */
export function SourceFields({ files, onFiles, provisioner, onProvisioner, error }: Props): React.JSX.Element {
  return (
    <>
      <FileInput
        label="Files"
        description="One archive (.tar, .tar.gz or .zip), or the files themselves: berth.yaml or *.tf, and a README.md."
        placeholder="Choose files"
        leftSection={<IconFileZip size={16} />}
        multiple
        clearable
        clearButtonProps={{ 'aria-label': 'No files' }}
        required
        value={[...files]}
        onChange={(next) => {
          onFiles(next);
          const driver = driverOf(next);
          if (driver !== undefined) onProvisioner(driver);
        }}
        error={error}
      />
      <Select
        label="Runs as"
        description="What makes workspaces from these files."
        data={DRIVERS.map((type) => ({ value: type, label: driverName(type) }))}
        allowDeselect={false}
        value={provisioner}
        onChange={(next) => onProvisioner(DRIVERS.find((type) => type === next) ?? provisioner)}
      />
    </>
  );
}
