const REASONS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed (trust it with NODE_EXTRA_CA_CERTS)',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by an unknown authority (trust it with NODE_EXTRA_CA_CERTS)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified (trust its authority with NODE_EXTRA_CA_CERTS)',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate cannot be verified (trust its authority with NODE_EXTRA_CA_CERTS)',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate cannot be verified (trust its authority with NODE_EXTRA_CA_CERTS)',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS at this address (https:// where http:// is meant?)',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS at this address (https:// where http:// is meant?)',
};

/** Why a TLS connection to a server failed, instead of the text of OpenSSL; null for every other error. */
export function tlsReason(error: Error): string | null {
  const code = textOf(error, 'code');
  const known = REASONS[code];
  if (known !== undefined) return known;
  if (!code.startsWith('ERR_SSL_') && !error.message.includes('SSL routines')) return null;
  const reason = textOf(error, 'reason');
  return reason === '' ? 'the TLS handshake failed' : `the TLS handshake failed (${reason})`;
}

function textOf(error: Error, name: string): string {
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : '';
}
