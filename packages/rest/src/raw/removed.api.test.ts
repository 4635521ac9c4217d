import { newId } from '@berth/core';
import { expect, it } from 'vitest';
import { createTestServer } from '../testing/index.ts';
import { removedOperations } from './removed.ts';

const { rest } = await createTestServer();

for (const { path, id } of removedOperations) {
  it(`answers 404 to ${id} and names what replaces it`, async () => {
    const answer = await rest({ method: 'GET', path: path.replaceAll(/\{\w+\}/g, newId()) });
    expect(answer).toMatchObject({ status: 404, body: { message: expect.stringMatching(/^This operation was removed\. Use .+\.$/) } });
  });
}
