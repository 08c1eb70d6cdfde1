/** Speech with rare names, synthetic and of people, to measure known terms. */
import { join16k, silence } from '../../support/speech/speech-audio.ts';
import { spokenFixtures, type Spoken } from '../../support/speech/speech-fixtures.ts';
import { speak } from './espeak.ts';

/** Speech with names, and the list that a user would give for it. */
export interface SpeechWithNames extends Spoken {
  readonly name: string;
  /** Includes names that are not spoken, because users do not know beforehand which ones occur. */
  readonly terms: readonly string[];
}

/** Between two recordings, in seconds. */
const pauseSeconds = 0.6;

interface Passage {
  readonly voice: string;
  readonly text: string;
  readonly terms: readonly string[];
}

const passages: readonly Passage[] = [
  {
    voice: 'en-us',
    text:
      'Today I am talking to Aisling Wetherby, who worked with the historian Okonkwo for eleven years. She met ' +
      'Okonkwo in Gdansk, where the two of them shared a small office. Wetherby remembers the winter as very cold. ' +
      'Every morning, a man called Lindqvist brought them coffee and the newspaper. It was Lindqvist who found the ' +
      'letters of Brzezinski in the cellar. Nobody had read them for forty years. Aisling copied each letter by ' +
      'hand, and Okonkwo translated them. When Brzezinski heard about this, he wrote to Wetherby and thanked her.',
    terms: ['Aisling Wetherby', 'Okonkwo', 'Gdansk', 'Lindqvist', 'Brzezinski', 'Mbeki', 'Thessaloniki'],
  },
  {
    voice: 'en+f2',
    text:
      'The new system runs on Kubernetes, and we store the numbers in Postgres. Our colleague Zeynep Yildirim wrote ' +
      'the first version. She also set up Grafana, so that everybody can see how the machines are doing. Last ' +
      'Friday, the Postgres server in Leverkusen stopped, and nobody noticed for an hour. Zeynep found the reason ' +
      'in Grafana on Monday. It was a mistake in Terraform, which Yildirim had warned us about. So we will move ' +
      'everything from Leverkusen to Eindhoven, and use Terraform only for the network.',
    terms: [
      'Kubernetes',
      'Postgres',
      'Zeynep Yildirim',
      'Grafana',
      'Leverkusen',
      'Terraform',
      'Eindhoven',
      'Ansible',
    ],
  },
  {
    voice: 'en-gb-scotland+m3',
    text:
      'The patient was given metoprolol in the morning and apixaban in the evening. Doctor Szymborska asked whether ' +
      'he had taken apixaban before. He said that Doctor Ferreira had stopped it in March, because of the bleeding. ' +
      'Szymborska called Ferreira, who remembered the case very well. They agreed to reduce the metoprolol, and to ' +
      'wait for two weeks. The nurse, Mister Achterberg, will look at the wound every day. If it gets worse, ' +
      'Achterberg will call the hospital at once.',
    terms: ['metoprolol', 'apixaban', 'Szymborska', 'Ferreira', 'Achterberg', 'enoxaparin', 'Kowalczyk'],
  },
  {
    voice: 'en-us+f3',
    text:
      'Welcome back to the show. With me in the studio are Siobhan Mbeki and her brother Themba Mbeki. Siobhan has ' +
      'just come back from Ouagadougou, where she opened a school for girls. Themba stayed in Bloemfontein and looked ' +
      'after the money. How did you find the teachers in Ouagadougou? Well, said Siobhan, we had help from a priest, ' +
      'Father Quigley. Without Quigley there would be no school. And what will Themba do next? He will leave ' +
      'Bloemfontein in May, and join us.',
    terms: [
      'Siobhan Mbeki',
      'Themba Mbeki',
      'Ouagadougou',
      'Bloemfontein',
      'Quigley',
      'Okonkwo',
      'Antananarivo',
    ],
  },
];

/** Names in the recordings about a telephone exchange and in those of a novel. */
const realTerms = [
  'Digium',
  'Asterisk',
  'IAX',
  'Linux',
  'PBX',
  'IVR',
  'Waldo',
  'Comedian Mail',
  'John Dashwood',
  'Norland',
];

/** Returns synthetic speech with rare names; `null` where espeak-ng is not installed. */
export function syntheticNames(): readonly SpeechWithNames[] | null {
  const all: SpeechWithNames[] = [];
  for (const { voice, text, terms } of passages) {
    const samples = speak(voice, text)?.samples;
    if (samples === undefined) return null;
    all.push({ name: voice, text, terms, samples });
  }
  return all;
}

/** Returns the recordings of people that contain a name of the list, joined; none where they were not fetched. */
export function realNames(): readonly SpeechWithNames[] {
  const recordings: Float32Array[] = [];
  const texts: string[] = [];
  for (const { samples, text } of spokenFixtures()) {
    if (!realTerms.some((term) => text.toLowerCase().includes(term.toLowerCase()))) continue;
    recordings.push(samples, silence(pauseSeconds));
    texts.push(text);
  }
  if (texts.length === 0) return [];
  return [{ name: 'people', samples: join16k(...recordings), text: texts.join(' '), terms: realTerms }];
}
