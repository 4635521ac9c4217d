import { newId } from '@berth/core';
import { describe, expect, it } from 'vitest';
import { RelayVerifier, signRelayRequest } from './credential.ts';

const ours = { id: newId(), hostname: 'ours', relayUrl: '' };
const settings = { deploymentKey: new Uint8Array(32).fill(3), replica: ours };
const now = new Date('2026-11-21T12:00:00Z');
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
const request = { agentId: newId(), from: newId(), to: ours.id };

describe('the signature between replicas', () => {
  it('lets another replica ask this one for one agent, once', () => {
    const verifier = new RelayVerifier(settings);
    const text = signRelayRequest(request, settings, now);
    expect(verifier.accept(text, request.agentId, later(1))).toEqual(request);
    expect(verifier.accept(text, request.agentId, later(2))).toBeNull();
    expect(verifier.accept(signRelayRequest(request, settings, now), request.agentId, later(2))).toEqual(request);
  });

  it('is of no use for another agent, at another replica, at another time, or with another key', () => {
    const accept = (text: string, agentId = request.agentId, at = now): unknown => new RelayVerifier(settings).accept(text, agentId, at);
    const text = signRelayRequest(request, settings, now);
    expect(accept(text, newId())).toBeNull();
    expect(accept(signRelayRequest({ ...request, to: newId() }, settings, now))).toBeNull();
    expect(accept(text, request.agentId, later(31))).toBeNull();
    expect(accept(text, request.agentId, later(-31))).toBeNull();
    expect(accept(signRelayRequest(request, { deploymentKey: new Uint8Array(32).fill(4) }, now))).toBeNull();
    expect(accept(text)).toEqual(request);
  });

  it('is of no use when anything of it was changed', () => {
    const text = signRelayRequest(request, settings, now);
    const [payload = '', signature = ''] = text.split('.');
    const forged = Buffer.from(Buffer.from(payload, 'base64url').toString().replace(request.from, newId())).toString('base64url');
    for (const wrong of [
      '',
      '.',
      payload,
      `${payload}.`,
      `.${signature}`,
      `${forged}.${signature}`,
      `${text}.x`,
      `${text}${'A'.repeat(2000)}`,
    ]) {
      expect(new RelayVerifier(settings).accept(wrong, request.agentId, now), wrong).toBeNull();
    }
  });
});
