import { useEffect, useId, useImperativeHandle, useRef, useState, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { maxSpeakerNameLength } from '../../../../electron/contract/limits.ts';
import type { NameSuggestion } from '../../../../electron/contract/speakers.ts';
import { runReportingErrors, notify } from '../../../notices.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Checkbox } from '../../../ui/form/choice.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import { useStore } from '../../../use-store.ts';
import { notifyEdit, notifyNotSaved } from '../editing/notify-edit.ts';
import { canPlay } from '../player/playback.ts';
import {
  distinctSpeakers,
  speakerCount,
  speakerSamples,
  type SpeakingTime,
  speakingTimes,
} from '../speaker-names.ts';
import { useKnownTerms, usePlayback, useSession, useWorkspace } from '../workspace.ts';
import styles from './form-dialog.module.css';
import { useSaveOnLeave } from './use-save-on-leave.ts';

/** How much of a speaker is played, in seconds. */
const sampleSeconds = 5;

/**
 * Names the speakers, and merges those who are the same person. A click outside keeps what was entered and says so, with a
 * button that undoes it; Escape and Cancel discard it and say so, with a button that saves it.
 */
export function SpeakersDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const form = useRef<FormHandle>(null);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      onDismiss={(isEscape) => {
        if (isEscape) form.current?.cancel();
        else onClose();
      }}
      title={t('transcript.speakers.title')}
      note={t('transcript.speakers.note')}
      selectsText={false}
      actions={null}
    >
      {open && <SpeakersForm ref={form} onClose={onClose} />}
    </Dialog>
  );
}

/** A speaker as it is being edited. */
interface Entry {
  readonly name: string;
  /** The index of the speaker that this one is merged into; `null` for none. */
  readonly mergedInto: number | null;
  /** Whether to remember the voice under the name. */
  readonly isRemembered: boolean;
}

interface FormHandle {
  /** Closes the dialog without what was entered. */
  readonly cancel: () => void;
}

interface SpeakersFormProps {
  readonly ref: Ref<FormHandle>;
  readonly onClose: () => void;
}

function SpeakersForm({ ref, onClose }: SpeakersFormProps) {
  const { t } = useTranslation();
  const { session } = useWorkspace();
  const draft = useSession((state) => state.draft);
  const terms = useKnownTerms();
  const [initialEntries] = useState<readonly Entry[]>(() => {
    return Array.from({ length: Math.max(2, speakerCount(draft)) }, (_, speaker) => ({
      name: draft.speakers[speaker] ?? '',
      mergedInto: null,
      isRemembered: false,
    }));
  });
  const [entries, setEntries] = useState(initialEntries);
  const [times] = useState(() => speakingTimes(draft.segments));
  const [samples] = useState(() => speakerSamples(draft.segments));
  const suggestionsId = useId();
  const voices = useVoices();
  const remember = useRememberVoices();
  const changeEntry = (speaker: number, patch: Partial<Entry>): void =>
    setEntries(entries.map((entry, at) => (at === speaker ? { ...entry, ...patch } : entry)));
  const save = () =>
    // Without a change, do not add an edit that could be undone.
    entries === initialEntries
      ? []
      : session.edit({
          kind: 'name-speakers',
          names: entries.map(({ name }) => name),
          becomes: entries.map(({ mergedInto }) => mergedInto),
        });
  const endForm = useSaveOnLeave(() => {
    if (save().length > 0) notifyEdit(session, t('transcript.speakers.saved'));
  });
  const close = (): void => {
    endForm();
    onClose();
  };
  const saveAndRemember = (): void => {
    save();
    const names = entries.flatMap(({ name, mergedInto, isRemembered }) =>
      isRemembered && mergedInto === null && name.trim() !== '' ? [name.trim()] : [],
    );
    if (names.length > 0) remember([...new Set(names)]);
  };
  const hasChanges = entries.some(
    ({ name, mergedInto, isRemembered }, speaker) =>
      name !== (initialEntries[speaker]?.name ?? '') || mergedInto !== null || isRemembered,
  );
  const cancel = (): void => {
    close();
    if (hasChanges) notifyNotSaved(session, t('transcript.speakers.notSaved'), saveAndRemember);
  };
  useImperativeHandle(ref, () => ({ cancel }));
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        saveAndRemember();
        close();
      }}
    >
      <datalist id={suggestionsId}>
        {terms.map((term) => (
          <option key={term} value={term} aria-label={term} />
        ))}
      </datalist>
      <div className={styles.fields}>
        {entries.map((_, speaker) => (
          <SpeakerEntry
            // A speaker is identified by its index.
            // oxlint-disable-next-line react/no-array-index-key
            key={speaker}
            speaker={speaker}
            entries={entries}
            speakingTime={times.get(speaker)}
            sampleStart={samples.get(speaker)?.start}
            suggestionsId={suggestionsId}
            voices={voices}
            onChange={(patch) => changeEntry(speaker, patch)}
          />
        ))}
      </div>
      <div className={styles.actions}>
        {entries.length < distinctSpeakers && (
          <Button
            variant="plain"
            className={styles.add}
            onClick={() => setEntries([...entries, { name: '', mergedInto: null, isRemembered: false }])}
          >
            {t('transcript.speakers.add')}
          </Button>
        )}
        <span className={styles.spacer} />
        <Button onClick={cancel}>{t('action.cancel')}</Button>
        <Button variant="main" type="submit">
          {t('transcript.speakers.save')}
        </Button>
      </div>
    </form>
  );
}

interface SpeakerEntryProps {
  readonly speaker: number;
  readonly entries: readonly Entry[];
  readonly speakingTime: SpeakingTime | undefined;
  /** Where the speaker can be heard, in seconds. */
  readonly sampleStart: number | undefined;
  /** The id of a list of names. */
  readonly suggestionsId: string;
  readonly voices: VoicesState;
  readonly onChange: (patch: Partial<Entry>) => void;
}

function SpeakerEntry(props: SpeakerEntryProps) {
  const { speaker, entries, speakingTime, sampleStart, suggestionsId, voices, onChange } = props;
  const { t } = useTranslation();
  const { playback } = useWorkspace();
  const hasRecording = usePlayback(canPlay);
  const hint = useSpeakingTimeText(speakingTime);
  const defaultNameOf = (at: number): string => t('transcript.speakerNumber', { number: at + 1 });
  const nameOf = (at: number): string => {
    const name = entries[at]?.name.trim() ?? '';
    return name === '' ? defaultNameOf(at) : name;
  };
  const { name, mergedInto, isRemembered } = entries[speaker] ?? {
    name: '',
    mergedInto: null,
    isRemembered: false,
  };
  const suggestedName = voices.suggestions.find((suggestion) => suggestion.speaker === speaker)?.name;
  const isNamed = name.trim() !== '';
  const others = [...entries.keys()].filter((other) => other !== speaker);
  return (
    <div className={styles.speaker}>
      <TextField
        label={defaultNameOf(speaker)}
        hint={hint}
        value={name}
        maxLength={maxSpeakerNameLength}
        list={suggestionsId}
        disabled={mergedInto !== null}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      {speakingTime !== undefined && (
        <div className={styles.tools}>
          {hasRecording && sampleStart !== undefined && (
            <Button
              aria-label={t('transcript.speakers.listenTo', { name: nameOf(speaker) })}
              onClick={() => playback.playRange(sampleStart, sampleStart + sampleSeconds)}
            >
              {t('transcript.speakers.listen')}
            </Button>
          )}
          <Select
            compact
            label={t('transcript.speakers.same', { name: nameOf(speaker) })}
            value={String(mergedInto ?? '')}
            options={[
              { value: '', label: t('transcript.speakers.own') },
              ...others.map((other) => ({
                value: String(other),
                label: t('transcript.speakers.sameAs', { name: nameOf(other) }),
              })),
            ]}
            onChange={(value) => onChange({ mergedInto: value === '' ? null : Number(value) })}
          />
        </div>
      )}
      {speakingTime !== undefined && mergedInto === null && !isNamed && suggestedName !== undefined && (
        <div className={styles.voice}>
          <Button variant="plain" onClick={() => onChange({ name: suggestedName })}>
            {t('transcript.speakers.soundsLike', { name: suggestedName })}
          </Button>
        </div>
      )}
      {speakingTime !== undefined && mergedInto === null && isNamed && voices.canRemember && (
        <div className={styles.voice}>
          <Checkbox checked={isRemembered} onChange={(checked) => onChange({ isRemembered: checked })}>
            {t(
              voices.known.has(name.trim())
                ? 'transcript.speakers.rememberAgain'
                : 'transcript.speakers.remember',
              { name: name.trim() },
            )}
          </Checkbox>
        </div>
      )}
    </div>
  );
}

/** The remembered voices, and how they match the speakers. */
interface VoicesState {
  /** Whether the recording and the models that describe voices are available. */
  readonly canRemember: boolean;
  /** The names of the remembered voices. */
  readonly known: ReadonlySet<string>;
  readonly suggestions: readonly NameSuggestion[];
}

/** Compares the speakers with the remembered voices. */
function useVoices(): VoicesState {
  const { invoke } = useStore();
  const { session } = useWorkspace();
  const [voices, setVoices] = useState<VoicesState>({
    canRemember: false,
    known: new Set(),
    suggestions: [],
  });
  useEffect(() => {
    runReportingErrors(async () => {
      const [models, known, recording] = await Promise.all([
        invoke('speakers.models', undefined),
        invoke('speakers.voices', undefined),
        invoke('transcript.recording', { id: session.id }),
      ]);
      const canRemember = models.isReady && recording.kind === 'ready';
      setVoices({ canRemember, known: new Set(known.map(({ name }) => name)), suggestions: [] });
      if (!canRemember || known.length === 0) return;
      await session.waitUntilSent();
      const suggestions = await invoke('speakers.suggestNames', { id: session.id });
      setVoices((before) => ({ ...before, suggestions }));
    });
  }, [invoke, session]);
  return voices;
}

/** Returns the function that remembers the voices of speakers once their names are stored. */
function useRememberVoices(): (names: readonly string[]) => void {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const { session } = useWorkspace();
  return (names) =>
    runReportingErrors(async () => {
      await session.waitUntilSent();
      await invoke('speakers.rememberVoices', { id: session.id, names });
      notify(
        t('transcript.speakers.remembered', { count: names.length, name: names[0] ?? '' }),
        t('transcript.speakers.rememberedNote'),
      );
    });
}

/** Returns how long somebody speaks and how certain that is; `undefined` if they never speak. */
function useSpeakingTimeText(time: SpeakingTime | undefined): string | undefined {
  const { t } = useTranslation();
  const format = useFormat();
  if (time === undefined) return undefined;
  const duration = format.duration(time.seconds);
  const { confidence } = time;
  return confidence === null
    ? duration
    : t('transcript.speakers.certain', { duration, share: format.percent(confidence) });
}
