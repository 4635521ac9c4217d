/** What the environment says, used where the command line says nothing. */
export const env = {
  url: process.env['BERTH_ACCESS_URL'],
  httpAddress: process.env['BERTH_HTTP_ADDRESS'],
  token: process.env['BERTH_TOKEN'],
  email: process.env['BERTH_FIRST_USER_EMAIL'],
  password: process.env['BERTH_FIRST_USER_PASSWORD'],
};
