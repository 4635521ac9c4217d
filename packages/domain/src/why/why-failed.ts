import { INSUFFICIENT_QUOTA } from '../quota.ts';
import type { ChangedSinceGreen, FailureFacts, Why, WhyAction, WhySubject } from './why.ts';

/** Characters of an error line that a sentence repeats. */
const LINE_MAX = 300;

/** Where a job failed, as its log names it; empty when it did not fail in its own work. */
export function failureStage({ isLost, firstError, lastStage }: Pick<FailureFacts, 'isLost' | 'firstError' | 'lastStage'>): string {
  return isLost ? '' : (firstError?.stage ?? lastStage);
}

export function failedWhy(subject: WhySubject, facts: FailureFacts): Why {
  const stage = failureStage(facts);
  const where = stage === '' ? '' : ` in the stage “${stage}”`;
  const line = oneLine(facts.isLost ? facts.error : (facts.firstError?.output ?? facts.error));
  const reason = line === '' ? '.' : `: ${line}`;
  const sentence = `The ${subject} failed${where}${reason}${changeSentence(facts.changed)}`;
  return { kind: 'failed', sentence, action: actionFor(facts), estimateSeconds: null };
}

function actionFor({ error, errorCode, isLost, changed, hasNewerVersion }: FailureFacts): WhyAction {
  if (errorCode === 'REQUIRED_TEMPLATE_VARIABLES') return 'set_variables';
  if (error.startsWith(INSUFFICIENT_QUOTA)) return 'raise_quota';
  if (isLost) return 'retry';
  if (changed !== null && changed.parameters.length > 0) return 'fix_parameters';
  if (hasNewerVersion) return 'update';
  const isSame = changed !== null && changed.version === null && !changed.state;
  return isSame ? 'retry' : 'view_logs';
}

function changeSentence(changed: ChangedSinceGreen | null): string {
  if (changed === null) return '';
  const since = `Since build ${changed.sinceBuildNumber}, which succeeded,`;
  const parts = [
    ...(changed.version === null ? [] : [`the template version changed from ${changed.version.from} to ${changed.version.to}`]),
    ...(changed.parameters.length === 0
      ? []
      : [`the ${changed.parameters.length === 1 ? 'parameter' : 'parameters'} ${changed.parameters.join(', ')} changed`]),
    ...(changed.state ? ['the state was replaced'] : []),
  ];
  if (parts.length === 0) return ` ${since} nothing changed.`;
  const list = parts.length === 1 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
  return ` ${since} ${list}.`;
}

/** The first line of a text with anything in it, as the end of a sentence. */
function oneLine(text: string): string {
  const line = (text.split('\n').find((candidate) => candidate.trim() !== '') ?? '').trim();
  const short = line.length > LINE_MAX ? `${line.slice(0, LINE_MAX - 1)}…` : line;
  return short === '' || /[.!?…]$/.test(short) ? short : `${short}.`;
}
