import { z } from 'zod';
import { HealthMessage, Severity } from '../message/contract.ts';

/**
 * The part of the report about relays that clients and workspaces meet at. Berth has none: every connection goes through the server, by
 * the tunnel that the agent dialled. So there are no regions, and nothing to measure about the network.
 */

const latencies = () => z.record(z.string(), z.int());

const NetcheckReport = z
  .object({
    udp: z.boolean(),
    ipv4: z.boolean(),
    ipv6: z.boolean(),
    ipv4CanSend: z.boolean(),
    ipv6CanSend: z.boolean(),
    oshasIPv6: z.boolean(),
    icmpv4: z.boolean(),
    mappingVariesByDestIP: z.string(),
    hairPinning: z.string(),
    upnP: z.string(),
    pmp: z.string(),
    pcp: z.string(),
    preferredDERP: z.int(),
    regionLatency: latencies(),
    regionV4Latency: latencies(),
    regionV6Latency: latencies(),
    globalV4: z.string(),
    globalV6: z.string(),
    captivePortal: z.string(),
  })
  .meta({ id: 'NetcheckReport' });

const DERPNode = z
  .object({
    name: z.string(),
    regionID: z.int(),
    hostName: z.string(),
    certName: z.string(),
    ipv4: z.string(),
    ipv6: z.string(),
    stunport: z.int(),
    stunonly: z.boolean(),
    derpport: z.int(),
    forceHTTP: z.boolean(),
    insecureForTests: z.boolean(),
    stuntestIP: z.string(),
    canPort80: z.boolean(),
  })
  .meta({ id: 'DERPNode' });

const checked = {
  healthy: z.boolean(),
  severity: Severity,
  warnings: z.array(HealthMessage),
  error: z.string(),
};

const DERPNodeReport = z
  .object({
    ...checked,
    node: DERPNode,
    node_info: z.object({ tokenBucketBytesPerSecond: z.int(), tokenBucketBytesBurst: z.int() }).meta({ id: 'DERPServerInfo' }),
    can_exchange_messages: z.boolean(),
    round_trip_ping: z.string(),
    round_trip_ping_ms: z.int(),
    uses_websocket: z.boolean(),
    client_logs: z.array(z.array(z.string())),
    client_errs: z.array(z.array(z.string())),
    stun: z.object({ enabled: z.boolean(), canSTUN: z.boolean(), error: z.string() }).meta({ id: 'STUNReport' }),
  })
  .meta({ id: 'DERPNodeReport' });

const DERPRegionReport = z
  .object({
    ...checked,
    region: z
      .object({
        embeddedRelay: z.boolean(),
        regionID: z.int(),
        regionCode: z.string(),
        regionName: z.string(),
        avoid: z.boolean(),
        nodes: z.array(DERPNode),
      })
      .meta({ id: 'DERPRegion' }),
    node_reports: z.array(DERPNodeReport),
  })
  .meta({ id: 'DERPRegionReport' });

export const DERPHealthReport = z
  .object({
    ...checked,
    dismissed: z.boolean(),
    regions: z.record(z.string(), DERPRegionReport).meta({ description: 'Always empty: connections go through the server itself.' }),
    netcheck: NetcheckReport.nullable(),
    netcheck_err: z.string(),
    netcheck_logs: z.array(z.string()),
  })
  .meta({ id: 'DERPHealthReport', description: 'Relays beside the server: Berth has none, so nothing can be wrong with them.' });
