export type { StoredFile } from './store-file.ts';
export { storeFile } from './store-file.ts';
export { readFolder, readTar, writeTar } from './tar.ts';
export type { Download, Upload } from './transfer.ts';
export { downloadFile, uploadFile } from './transfer.ts';
