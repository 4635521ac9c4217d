/** Loaded only once there is something to ask. */
export { checkbox, confirm, input, password, search, select } from '@inquirer/prompts';
