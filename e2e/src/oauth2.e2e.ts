import { createHash, randomBytes } from 'node:crypto';
import { createClient } from '@berth/client';
import { z } from 'zod';
import { expect, test } from './fixtures.ts';
import { checkLooks } from './looks.ts';
import { makeOwner, signIn } from './people.ts';
import { shot } from './shot.ts';

const CALLBACK = 'http://tides.localhost:9/callback';
const Token = z.object({ access_token: z.string() });
const DeviceAuthorization = z.object({ device_code: z.string(), user_code: z.string(), verification_uri_complete: z.string() });
const Refusal = z.object({ error: z.string() });

test('an application acts for a person who allows it, by the browser and by a device, until they take it back', async ({ page, berth }) => {
  test.setTimeout(120_000);
  const { client } = await makeOwner(berth);
  const app = await client.oauth2Apps.create.mutate({ name: 'tide-tables', callback_url: CALLBACK });
  const [secret] = await client.oauth2Apps.createSecret.mutate({ app: app.id });
  const credentials = { client_id: app.id, client_secret: secret?.client_secret_full ?? '' };
  const post = (path: string, form: Record<string, string>): Promise<Response> =>
    fetch(`${berth.url}${path}`, { method: 'POST', body: new URLSearchParams({ ...credentials, ...form }) });
  const verifier = randomBytes(32).toString('base64url');
  const request = (more: Record<string, string> = {}): string =>
    `/oauth2/authorize?${new URLSearchParams({
      client_id: app.id,
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: 'workspace:read template:read',
      state: 'high water',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...more,
    })}`;
  /** The application's own page, which nobody serves here. */
  const arrived = new Promise<URL>((resolve) => {
    void page.route('http://tides.localhost:9/**', async (route) => {
      resolve(new URL(route.request().url()));
      await route.fulfill({ contentType: 'text/html', body: '<h1>Tide tables</h1>' });
    });
  });

  await test.step('a link that was tampered with leads nowhere', async () => {
    await page.goto(request({ redirect_uri: 'https://evil.example/' }));
    await signIn(page);
    await expect(page.getByRole('alert')).toContainText('not registered as its own');
    await expect(page.getByRole('button', { name: 'Allow' })).toHaveCount(0);
    await checkLooks(page, 'bad request');
    await page.goto(request({ scope: 'everything-there-is' }));
    await expect(page.getByRole('alert')).toContainText('invalid_scope');
  });

  await test.step('consent says who asks for what', async () => {
    await page.goto(request());
    await expect(page.getByRole('heading', { name: 'Allow tide-tables to act for you?' })).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: 'Read templates' })).toBeVisible();
    await expect(page.getByText('tides.localhost:9')).toBeVisible();
    await checkLooks(page, 'consent');
    await shot(page, 'consent');
    await page.getByRole('button', { name: 'Allow' }).click();
    await expect(page.getByRole('heading', { name: 'Tide tables' })).toBeVisible();
  });

  const token = await test.step('the code becomes a token that may do just that', async () => {
    const { searchParams } = await arrived;
    expect(searchParams.get('state')).toBe('high water');
    const answer = await post('/oauth2/tokens', {
      grant_type: 'authorization_code',
      code: searchParams.get('code') ?? '',
      redirect_uri: CALLBACK,
      code_verifier: verifier,
    });
    const { access_token } = Token.parse(await answer.json());
    const theirs = createClient({ url: berth.url, token: access_token });
    expect(await theirs.templates.list.query({})).toEqual([]);
    await expect(theirs.tokens.create.mutate({ user: 'me', token_name: 'more' })).rejects.toThrow();
    return theirs;
  });

  await test.step('a device, by its code, typed as people type', async () => {
    const begin = async () => DeviceAuthorization.parse(await (await post('/oauth2/device', { scope: 'read_only' })).json());
    const denied = await begin();
    await page.goto('/device');
    await page.getByRole('textbox', { name: 'Code' }).fill('bcdf bcdf');
    await expect(page.getByRole('textbox', { name: 'Code' })).toHaveValue('BCDF-BCDF');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('No device waits with this code.')).toBeVisible();
    await checkLooks(page, 'wrong code');
    await page.getByRole('textbox', { name: 'Code' }).fill(denied.user_code.toLowerCase().replace('-', ' '));
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText(denied.user_code)).toBeVisible();
    await checkLooks(page, 'device');
    await page.getByRole('button', { name: 'Deny' }).click();
    await expect(page.getByRole('heading', { name: 'tide-tables was denied' })).toBeVisible();

    const allowed = await begin();
    await page.goto(new URL(allowed.verification_uri_complete).pathname + new URL(allowed.verification_uri_complete).search);
    await page.getByRole('button', { name: 'Allow' }).click();
    await expect(page.getByRole('heading', { name: 'tide-tables is connected' })).toBeVisible();
    const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code' };
    Token.parse(await (await post('/oauth2/tokens', { ...grant, device_code: allowed.device_code })).json());
    const refusal = Refusal.parse(await (await post('/oauth2/tokens', { ...grant, device_code: denied.device_code })).json());
    expect(refusal.error).toBe('access_denied');
  });

  await test.step('what it was given is taken back', async () => {
    await page.goto('/account/apps');
    const apps = page.getByRole('list', { name: 'Authorized apps' });
    await expect(apps.getByText('tide-tables')).toBeVisible();
    await checkLooks(page, 'authorized apps');
    await shot(page, 'authorized apps');
    await page.getByRole('button', { name: 'Revoke the access of tide-tables' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke access' }).click();
    await expect(page.getByRole('heading', { name: 'No application acts for you' })).toBeVisible();
    await expect(token.templates.list.query({})).rejects.toThrow();
  });
});
