import { nameProblem } from './names.ts';

const ADJECTIVES = (
  'able amber apt azure bold brave breezy bright brisk calm candid civil clear clever cosy crisp daring deft eager early easy ' +
  'fair fancy fast fine fleet fluent fond frank fresh gentle glad golden good grand green happy hardy hazel honest humble ideal ' +
  'jolly keen kind lilac lively loyal lucid lucky lunar mellow merry mild misty modest neat nimble noble open patient placid ' +
  'plucky polite prime proud quick quiet rapid ready rosy round royal rustic sandy serene sharp shiny silent silver simple sleek ' +
  'smart smooth snug social solar solid spry steady still stout sunny super swift tender tidy topaz tranquil true upbeat urban ' +
  'valid vivid warm wise witty young zesty'
).split(' ');

const NOUNS = (
  'alder anchor anvil arbor atlas aurora badger bay beacon birch bison brook buoy canal canoe canyon cape cedar cliff cloud clover ' +
  'comet compass coral cove crane creek delta dock dolphin dune eagle elm ember falcon fern ferry finch fjord forest fox galley ' +
  'garden glacier glade grove gull harbor hawk hazel heron hill horizon island jetty juniper kayak keel kestrel lagoon lake lark ' +
  'lichen lighthouse lily linden lynx maple marina marsh meadow mesa moor moss oak oasis ocean orchard osprey otter owl pebble ' +
  'pelican pier pine plover pond poplar port prairie puffin quay rapids raven reef ridge river robin sail salmon seal sequoia ' +
  'shore skiff sparrow spring spruce stream summit swan tern tide trail tulip valley vista walnut wave willow wren zephyr'
).split(' ');

/** A number in `[0, 1)`. Given from outside, so that names can be made to repeat in tests. */
export type RandomSource = () => number;

/** A name of two words, valid as every kind of name when joined by `-`; for example "calm-harbor". */
export function randomName(random: RandomSource, separator: '-' | '_' = '-'): string {
  return `${pick(ADJECTIVES, random)}${separator}${pick(NOUNS, random)}`;
}

/**
 * A username from what an identity provider sent: the text itself if it is a valid name, else what stands before its last `@`
 * without the characters that names do not have, else two random words.
 */
export function usernameFrom(text: string, random: RandomSource): string {
  if (nameProblem('name', text) === null) return text;
  const at = text.lastIndexOf('@');
  const stripped = (at === -1 ? text : text.slice(0, at)).replace(/[^a-zA-Z0-9-]/g, '');
  return nameProblem('name', stripped) === null ? stripped : randomName(random);
}

function pick(words: readonly string[], random: RandomSource): string {
  const index = Math.min(words.length - 1, Math.max(0, Math.floor(random() * words.length)));
  return words[index] ?? 'berth';
}
