/** Puts the keyboard where the first field stands whose answer is refused; false when none is. */
export function focusFirstWrong(form: HTMLFormElement | null): boolean {
  const wrong = form?.querySelector('[data-wrong="true"]');
  const control = wrong?.querySelector<HTMLElement>('input:not([type="hidden"]), textarea, [role="radio"]');
  control?.focus();
  return control !== undefined && control !== null;
}
