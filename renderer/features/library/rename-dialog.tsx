import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog, type DialogProps } from '../../ui/dialog/dialog.tsx';
import { TextField } from '../../ui/form/text-field.tsx';

export interface RenameDialogProps extends Pick<DialogProps, 'open' | 'onClose' | 'finalFocus'> {
  readonly title: string;
  readonly label: string;
  /** The current name. */
  readonly value: string;
  /** Maximum number of characters of the name. */
  readonly maxLength: number;
  /** Returns what to say about a new name. */
  readonly hintFor?: (name: string) => string | undefined;
  readonly onRename: (name: string) => void;
}

/** Asks for a new name. */
export function RenameDialog(props: RenameDialogProps) {
  const { title, label, value, maxLength, hintFor, onRename, onClose, ...dialog } = props;
  const { t } = useTranslation();
  const [name, setName] = useState(value);
  const form = useRef<HTMLFormElement>(null);
  const isUsable = name.trim() !== '';
  const submit = (): void => {
    if (name.trim() !== value) onRename(name.trim());
    onClose();
  };
  return (
    <Dialog
      {...dialog}
      onClose={onClose}
      title={title}
      initialFocus={() => form.current?.querySelector('input') ?? null}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button variant="main" disabled={!isUsable} onClick={() => form.current?.requestSubmit()}>
            {t('library.rename.submit')}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isUsable) submit();
        }}
      >
        <TextField
          label={label}
          hint={hintFor?.(name)}
          error={isUsable ? undefined : t('library.rename.empty')}
          value={name}
          maxLength={maxLength}
          onChange={(event) => setName(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
