/** For Prisma's command line, in development: the server migrates by itself at start. */
export default {
  schema: 'prisma/schema',
  migrations: { path: 'prisma/migrations' },
  ...(process.env['DATABASE_URL'] === undefined ? {} : { datasource: { url: process.env['DATABASE_URL'] } }),
};
