/** "3 h 20 min", "12 min"; of use that is counted by the half hour, seconds would say too much. */
export function usageTime(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours.toLocaleString('en')} h` : `${hours.toLocaleString('en')} h ${minutes % 60} min`;
}

/** A round number that is at least `max`, for the top of a scale: of four steps each of which is whole. */
export function scaleTop(max: number): number {
  if (max <= 4) return 4;
  const size = 10 ** Math.floor(Math.log10(max / 4));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * size).find((candidate) => Number.isInteger(candidate) && candidate * 4 >= max);
  return (step ?? size * 10) * 4;
}

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });
const long = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', year: 'numeric', weekday: 'short' });

export function shortDay(iso: string): string {
  return day.format(new Date(iso));
}

export function longDay(iso: string): string {
  return long.format(new Date(iso));
}
