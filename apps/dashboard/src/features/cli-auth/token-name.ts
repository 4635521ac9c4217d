/** `cli-20261121-113059`: when it was made tells the tokens of several computers apart, and no two have one name. */
export function suggestedTokenName(now: Date): string {
  const [day = '', time = ''] = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').split('T');
  return `cli-${day}-${time}`;
}
