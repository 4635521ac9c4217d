import type { WorkspaceBuild } from '@berth/api/contract/builds';
import type { ParameterValue } from '@berth/domain';

/** Something that is not as it was in the build before. */
export interface Change {
  readonly name: string;
  /** Null where there was nothing, */
  readonly from: string | null;
  /** or where there is nothing any more. */
  readonly to: string | null;
}

interface Built {
  readonly build: Pick<WorkspaceBuild, 'template_version_id' | 'template_version_name'>;
  readonly values: readonly ParameterValue[];
}

/** What a build was made with that the one before was not: the version first, then parameters by name. */
export function changesBetween(before: Built, after: Built): readonly Change[] {
  const isSameVersion = before.build.template_version_id === after.build.template_version_id;
  const version = { name: 'Template version', from: before.build.template_version_name, to: after.build.template_version_name };
  const [old, now] = [valuesOf(before), valuesOf(after)];
  const names = [...new Set([...old.keys(), ...now.keys()])].toSorted((a, b) => a.localeCompare(b, 'en'));
  const parameters = names
    .map((name) => ({ name, from: old.get(name) ?? null, to: now.get(name) ?? null }))
    .filter(({ from, to }) => from !== to);
  return isSameVersion ? parameters : [version, ...parameters];
}

function valuesOf({ values }: Built): ReadonlyMap<string, string> {
  return new Map(values.map(({ name, value }) => [name, value]));
}
