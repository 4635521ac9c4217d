import { testsElsewhere } from '../env.ts';

const isElsewhere = testsElsewhere();

/** Settings of the server. Lord Howe Island is 10:30 or 11 hours ahead of UTC: neither whole hours nor the same all year. */
export const serverSettings: Readonly<Record<string, string>> = isElsewhere
  ? {
      timezone: 'Australia/Lord_Howe',
      datestyle: 'SQL, DMY',
      intervalstyle: 'sql_standard',
      bytea_output: 'escape',
      extra_float_digits: '-3',
      default_transaction_isolation: 'repeatable read',
    }
  : {};

/** How its databases are made: Swedish has its own order, in which case and punctuation count last, and å, ä and ö follow z. */
export const databaseOptions = isElsewhere ? " LOCALE_PROVIDER icu ICU_LOCALE 'sv-SE'" : '';
