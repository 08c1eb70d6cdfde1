import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import type { Tag } from '../../../electron/contract/library-commands.ts';
import { maxTagLength } from '../../../electron/contract/limits.ts';
import { foldCase } from '../../../electron/contract/unicode.ts';
import { splitTerms } from '../../../electron/core/transcript/term-list.ts';
import { runReportingErrors } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Checkbox } from '../../ui/form/choice.tsx';
import { Dialog, type DialogProps } from '../../ui/dialog/dialog.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { useLibraryTools } from './tools/library-tools.tsx';
import type { LibraryChange } from './use-library-undo.ts';
import styles from './tags-dialog.module.css';

export interface TagsDialogProps extends Pick<DialogProps, 'open' | 'onClose' | 'finalFocus'> {
  readonly ids: readonly TranscriptId[];
  /** Called after a change, which the argument can undo. */
  readonly onChanged?: (change: LibraryChange) => void;
}

/**
 * Adds tags to transcripts and removes tags from them; all other tags stay. New tags are typed one by one, each with
 * Enter, or separated by commas. Each opening needs a new instance.
 */
export function TagsDialog({ ids, onChanged, open, onClose, finalFocus }: TagsDialogProps) {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const { tags: tagChanges } = useLibraryTools();
  const [tags, setTags] = useState<readonly Tag[]>([]);
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [typedTags, setTypedTags] = useState('');
  const body = useRef<HTMLDivElement>(null);

  useEffect(() => {
    runReportingErrors(async () => setTags(await invoke('library.tagsOf', { ids: [...ids] })));
  }, [invoke, ids]);

  const listedTags = [
    ...tags,
    ...[...choices.keys()]
      .filter((name) => tags.every((tag) => tag.name !== name))
      .map((name) => ({ name, count: 0 })),
  ];

  /** Returns the choices, with the typed tags as chosen ones. */
  const withTypedTags = (): ReadonlyMap<string, boolean> => {
    const all = new Map(choices);
    for (const name of splitTerms(typedTags).map((term) => term.slice(0, maxTagLength).trim())) {
      all.set(listedTags.find((tag) => foldCase(tag.name) === foldCase(name))?.name ?? name, true);
    }
    return all;
  };
  const save = (): void => {
    const add = [...withTypedTags()].flatMap(([name, isChosen]) => (isChosen ? [name] : []));
    // A new tag that was unticked again is on no transcript.
    const remove = tags.flatMap(({ name }) =>
      choices.get(name) === false && !add.includes(name) ? [name] : [],
    );
    onClose();
    if (add.length + remove.length > 0) {
      runReportingErrors(async () => {
        const change = await tagChanges.change(ids, add, remove);
        if (change !== null) onChanged?.(change);
      });
    }
  };

  return (
    <Dialog
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      title={t('library.tags.title', { count: ids.length })}
      initialFocus={() => body.current?.querySelector<HTMLElement>('input[type=text]') ?? null}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button variant="main" onClick={save}>
            {t('library.tags.submit')}
          </Button>
        </>
      }
    >
      <div ref={body} className={styles.body}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (splitTerms(typedTags).length === 0) save();
            else {
              setChoices(withTypedTags());
              setTypedTags('');
            }
          }}
        >
          <TextField
            type="text"
            label={t('library.tags.fresh')}
            hint={t('library.tags.freshHint')}
            value={typedTags}
            onChange={(event) => setTypedTags(event.target.value)}
          />
        </form>
        {listedTags.length > 0 && (
          <div className={styles.list}>
            {listedTags.map(({ name, count }) => {
              const isPartial = count > 0 && count < ids.length && !choices.has(name);
              return (
                <Checkbox
                  key={name}
                  checked={choices.get(name) ?? count === ids.length}
                  onChange={(isChosen) => setChoices(new Map(choices).set(name, isChosen))}
                  {...(isPartial && { note: t('library.tags.some', { count }) })}
                >
                  <bdi>{name}</bdi>
                </Checkbox>
              );
            })}
          </div>
        )}
      </div>
    </Dialog>
  );
}
