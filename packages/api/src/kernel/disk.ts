/** How full a file system is. */
export interface DiskSpace {
  readonly totalBytes: number;
  /** For processes without special rights. */
  readonly freeBytes: number;
  /** How many more files fit; null where the file system has no limit. */
  readonly freeFiles: number | null;
}

/** The disk of the data folder: of the embedded database and of the workspaces that this server runs. */
export interface Disk {
  readonly folder: string;
  space(): Promise<DiskSpace>;
}
