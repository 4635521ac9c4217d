import { useEffect, useEffectEvent, useState } from 'react';
import type { Shell } from './shells.ts';
import { SHELLS_MAX, newShell, parseShells, rememberShells, rememberedShells, shellName, shellsText } from './shells.ts';

/** What the address says about the terminals that are open. */
export interface ShellsAddress {
  readonly shells?: string | undefined;
  /** Which of them is shown, from 1; the first one unless it says so. */
  readonly shell?: number | undefined;
}

export interface Shells {
  readonly all: readonly Shell[];
  /** The index of the one that is shown. */
  readonly active: number;
  readonly isFull: boolean;
  /** Whether its command may run without a question: it was opened by a click here, and not by somebody's link. */
  readonly mayRun: (shell: Shell) => boolean;
  readonly allowRun: (shell: Shell) => void;
  readonly show: (index: number) => void;
  readonly open: () => void;
  readonly close: (index: number) => void;
  /** Puts a shell back where it was. */
  readonly reopen: (shell: Shell, index: number) => void;
  readonly rename: (index: number, name: string) => void;
  /** A new shell in place of one that has ended. */
  readonly renew: (index: number) => void;
}

interface Options {
  readonly agentId: string;
  readonly address: ShellsAddress;
  readonly onAddress: (address: ShellsAddress) => void;
}

/** The terminals of an agent that are open here. The address holds them, so that a reload, a bookmark and another day find them again. */
export function useShells({ agentId, address, onAddress }: Options): Shells {
  const [remembered] = useState(() => rememberedShells(sessionStorage, agentId));
  const [allowed, setAllowed] = useState<ReadonlySet<string>>(() => new Set(remembered.map(({ id }) => id)));
  const named = parseShells(address.shells);
  const all = named.length > 0 ? named : remembered;
  const active = Math.min(address.shell ?? 1, all.length) - 1;
  const text = shellsText(all);
  const tell = useEffectEvent(onAddress);
  const mayRun = (shell: Shell): boolean => shell.app === '' || allowed.has(shell.id);
  const known = shellsText(all.filter(mayRun));
  useEffect(() => rememberShells(sessionStorage, agentId, parseShells(known)), [agentId, known]);
  useEffect(() => {
    if (address.shells !== text) tell(addressOf(parseShells(text), active));
  }, [address.shells, text, active]);

  const put = (shells: readonly Shell[], shown: number): void => onAddress(addressOf(shells, shown));
  const change = (index: number, next: (shell: Shell) => Shell): void =>
    put(
      all.map((shell, at) => (at === index ? next(shell) : shell)),
      index,
    );
  return {
    all,
    active,
    isFull: all.length >= SHELLS_MAX,
    mayRun,
    allowRun: ({ id }) => setAllowed(new Set([...allowed, id])),
    show: (index) => {
      if (index < all.length) put(all, index);
    },
    open: () => {
      if (all.length < SHELLS_MAX) put([...all, newShell()], all.length);
    },
    close: (index) => {
      const rest = all.filter((_, at) => at !== index);
      if (rest.length === 0) put([newShell()], 0);
      else put(rest, Math.min(index < active ? active - 1 : active, rest.length - 1));
    },
    reopen: (shell, index) => {
      if (all.length < SHELLS_MAX) put(all.toSpliced(index, 0, shell), Math.min(index, all.length));
    },
    rename: (index, name) => change(index, (shell) => ({ ...shell, name: shellName(name) })),
    renew: (index) => {
      change(index, ({ app, name }) => {
        const fresh = { ...newShell(app), name };
        if (app !== '') setAllowed(new Set([...allowed, fresh.id]));
        return fresh;
      });
    },
  };
}

/** The first one is shown unless the address says otherwise. */
function addressOf(shells: readonly Shell[], shown: number): ShellsAddress {
  return { shells: shellsText(shells), shell: shown === 0 ? undefined : shown + 1 };
}
