/** Puts the keyboard where the first field stands whose answer is refused. */
export function focusFirstWrong(form: HTMLFormElement | null): void {
  const wrong = form?.querySelector('[data-wrong="true"]');
  const control = wrong?.querySelector<HTMLElement>('input:not([type="hidden"]), textarea, [role="radio"]');
  control?.focus();
}
