import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../ui/text/use-format.ts';
import styles from './drop-target.module.css';
import { describeDrag, type DragContents } from './incoming.ts';
import { useAdd } from './use-add.ts';

const acceptsText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, [contenteditable]') !== null;

/** Accepts what is dropped on the window or pasted into it, and shows what a drop would add. */
export function DropTarget() {
  const { addFrom } = useAdd();
  const [contents, setContents] = useState<DragContents | null>(null);
  // A drag enters and leaves every element that it passes; at depth 0 it has left the window.
  const depth = useRef(0);
  const isInternalDrag = useRef(false);

  // A layout effect, so that the listeners exist before the window offers to drop recordings: an earlier drop is lost.
  useLayoutEffect(() => {
    const controller = new AbortController();
    const on = <K extends keyof DocumentEventMap>(
      name: K,
      listener: (event: DocumentEventMap[K]) => void,
    ): void => document.addEventListener(name, listener, { signal: controller.signal });
    const hideOverlay = (): void => {
      depth.current = 0;
      setContents(null);
    };

    on('dragstart', () => (isInternalDrag.current = true));
    on('dragend', () => (isInternalDrag.current = false));
    on('dragenter', (event) => {
      depth.current += 1;
      if (depth.current > 1 || isInternalDrag.current || event.dataTransfer === null) return;
      setContents(describeDrag(event.dataTransfer.items));
    });
    on('dragover', (event) => {
      if (isInternalDrag.current) return;
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy';
    });
    on('dragleave', () => {
      depth.current -= 1;
      if (depth.current <= 0) hideOverlay();
    });
    on('drop', (event) => {
      hideOverlay();
      if (isInternalDrag.current) return;
      event.preventDefault();
      if (event.dataTransfer !== null) addFrom(event.dataTransfer);
    });
    on('paste', (event) => {
      if (acceptsText(event.target) || event.clipboardData === null) return;
      event.preventDefault();
      addFrom(event.clipboardData);
    });
    return () => controller.abort();
  }, [addFrom]);

  return contents === null ? null : <Overlay contents={contents} />;
}

function Overlay({ contents }: { readonly contents: DragContents }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className={styles.overlay}>
      <div className={styles.text}>
        <p className={styles.title}>
          {contents.kind === 'text'
            ? t('drop.link')
            : t(contents.other > 0 ? 'drop.mixed' : 'drop.files', {
                count: contents.audio + contents.video + contents.other,
              })}
        </p>
        {contents.kind === 'files' && (
          <p>
            {format.list(
              (['audio', 'video', 'other'] as const)
                .filter((kind) => contents[kind] > 0)
                .map((kind) => t(`drop.${kind}`, { count: contents[kind] })),
            )}
          </p>
        )}
        <p className={styles.note}>{t('drop.note')}</p>
      </div>
    </div>
  );
}
