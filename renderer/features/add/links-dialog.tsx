import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog, type DialogProps } from '../../ui/dialog/dialog.tsx';
import fields from '../../ui/form/field.module.css';
import { shortened } from '../../ui/text/shortened.ts';
import { useStore, useWindowState } from '../../use-store.ts';
import { isLink, linksIn } from './incoming.ts';
import { useAdd } from './use-add.ts';

export interface LinksDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly finalFocus?: DialogProps['finalFocus'];
}

/** Characters of an invalid link that its error message shows. */
const maxShownLength = 80;

/** Adds links from a text, one per line. Escape and a click outside keep what was typed; only Cancel discards it. */
export function LinksDialog({ open, onClose, finalFocus }: LinksDialogProps) {
  const { t } = useTranslation();
  const { add } = useAdd();
  const store = useStore();
  const text = useWindowState((state) => state.typedLinks);
  const setText = (typedLinks: string): void => store.change({ typedLinks });
  // Set only on submit: a link that is still being typed is incomplete.
  const [invalidLink, setInvalidLink] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const links = linksIn(text);

  const submit = (): void => {
    if (links.length === 0) return;
    const first = links.find((link) => !isLink(link));
    if (first !== undefined) {
      setInvalidLink(first);
      field.current?.focus();
      return;
    }
    onClose();
    // If adding them fails, the dialog still has them when it opens again.
    void add([], links).then((isAccepted) => isAccepted && setText(''));
  };

  const cancel = (): void => {
    onClose();
    setText('');
    setInvalidLink(null);
  };

  return (
    <Dialog
      open={open}
      onClose={cancel}
      onDismiss={onClose}
      title={t('links.title')}
      note={t('links.note')}
      initialFocus={() => field.current}
      finalFocus={finalFocus}
      actions={
        <>
          <Button onClick={cancel}>{t('action.cancel')}</Button>
          <Button variant="main" disabled={links.length === 0} onClick={submit}>
            {t('links.submit', { count: links.length })}
          </Button>
        </>
      }
    >
      <textarea
        ref={field}
        className={fields.area}
        aria-label={t('links.label')}
        placeholder="https://"
        rows={6}
        spellCheck={false}
        aria-invalid={invalidLink !== null}
        aria-describedby={invalidLink === null ? undefined : 'links-error'}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setInvalidLink(null);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
        }}
      />
      {invalidLink !== null && (
        <p id="links-error" role="alert" className={fields.error}>
          {t('links.notLink', { text: shortened(invalidLink, maxShownLength) })}
        </p>
      )}
    </Dialog>
  );
}
