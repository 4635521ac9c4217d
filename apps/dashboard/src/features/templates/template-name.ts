/** What people read for a template. */
export function templateTitle({ display_name, name }: { display_name: string; name: string }): string {
  return display_name === '' ? name : display_name;
}
