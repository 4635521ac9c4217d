import { z } from 'zod';

/* What is read of the engine's answers; names as in the Docker Engine API, which Podman speaks as well. */

export const Created = z.object({ Id: z.string().min(1), Warnings: z.array(z.string()).nullish() });

export const ContainerSummary = z.object({
  Id: z.string().min(1),
  Names: z.array(z.string()).nullish(),
  State: z.string().nullish(),
  Labels: z.record(z.string(), z.string()).nullish(),
});
export type ContainerSummary = z.output<typeof ContainerSummary>;

export const ContainerDetails = z.object({
  Id: z.string().min(1),
  State: z.object({ Running: z.boolean(), ExitCode: z.int(), Error: z.string().nullish(), OOMKilled: z.boolean().nullish() }),
});
export type ContainerDetails = z.output<typeof ContainerDetails>;

export const ImageDetails = z.object({ Id: z.string().min(1), Os: z.string().nullish(), Architecture: z.string().nullish() });
export type ImageDetails = z.output<typeof ImageDetails>;

export const VolumeSummary = z.object({ Name: z.string().min(1), Labels: z.record(z.string(), z.string()).nullish() });
export type VolumeSummary = z.output<typeof VolumeSummary>;
export const VolumeList = z.object({ Volumes: z.array(VolumeSummary).nullish() });

export const NetworkSummary = z.object({ Id: z.string().min(1), Name: z.string() });
export type NetworkSummary = z.output<typeof NetworkSummary>;

/** One line of what a pull says. */
export const PullProgress = z.object({
  status: z.string().optional(),
  id: z.string().optional(),
  progressDetail: z.object({ current: z.number().optional(), total: z.number().optional() }).nullish(),
  error: z.string().optional(),
});
export type PullProgress = z.output<typeof PullProgress>;

/** What a container is made of: the body of the engine's create call. */
export interface ContainerBody {
  readonly Image: string;
  readonly Entrypoint?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly Env: readonly string[];
  readonly WorkingDir?: string;
  readonly User?: string;
  readonly Hostname?: string;
  readonly StopSignal?: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly HostConfig: {
    readonly Privileged: false;
    readonly NetworkMode?: string;
    readonly ExtraHosts: readonly string[];
    readonly NanoCpus?: number;
    readonly Memory?: number;
    readonly RestartPolicy: { readonly Name: 'no' | 'unless-stopped' };
    readonly LogConfig: { readonly Type: 'json-file'; readonly Config: Readonly<Record<string, string>> };
    readonly Mounts: readonly {
      readonly Type: 'volume';
      readonly Source: string;
      readonly Target: string;
      readonly ReadOnly: boolean;
      readonly VolumeOptions: { readonly Labels: Readonly<Record<string, string>> };
    }[];
  };
  readonly NetworkingConfig?: { readonly EndpointsConfig: Readonly<Record<string, { readonly Aliases: readonly string[] }>> };
}
