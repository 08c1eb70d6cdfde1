const scripts = {
  latin: /\p{Script=Latin}/gu,
  cyrillic: /\p{Script=Cyrillic}/gu,
  greek: /\p{Script=Greek}/gu,
  arabic: /\p{Script=Arabic}/gu,
  hebrew: /\p{Script=Hebrew}/gu,
  devanagari: /\p{Script=Devanagari}/gu,
  thai: /\p{Script=Thai}/gu,
  // Japanese mixes its own with Chinese: they are one here.
  eastAsian: /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/gu,
} as const;

export type ScriptName = keyof typeof scripts;

const names = Object.keys(scripts) as readonly ScriptName[];
/** A word of this many letters in another script may be a name; fewer are not looked at. */
const fewestLetters = 3;

/** The script that most letters of a text are in; `null` when there are too few to tell. */
export function scriptOf(text: string): ScriptName | null {
  let best: ScriptName | null = null;
  let most = fewestLetters - 1;
  for (const name of names) {
    const letters = text.match(scripts[name])?.length ?? 0;
    if (letters > most) {
      best = name;
      most = letters;
    }
  }
  return best;
}
