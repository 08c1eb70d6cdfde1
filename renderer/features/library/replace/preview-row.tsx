import { useTranslation } from 'react-i18next';
import type { ReplaceSpeaker } from '../../../../electron/contract/replace.ts';
import { formatTimeCode } from '../../../ui/text/format.ts';
import { ReplacedText } from '../../../ui/text/marked.tsx';
import { inclusionOf, shownReplacements, type ExcludedMatches, type PreviewRow } from './replace-choices.ts';
import styles from './preview-row.module.css';

/** Heights in px. */
const groupHeight = 40;
const matchHeight = 32;

export const heightOfRow = (row: PreviewRow | undefined): number =>
  row?.kind === 'group' ? groupHeight : matchHeight;

export interface PreviewCellsProps {
  readonly row: PreviewRow;
  readonly excluded: ExcludedMatches;
  readonly merged: ReadonlySet<ReplaceSpeaker>;
  readonly replacement: string;
  readonly onToggle: () => void;
}

/** The cells of a line of the preview: whether it is chosen, its time, and the text after the replacement. */
export function PreviewCells({ row, excluded, merged, replacement, onToggle }: PreviewCellsProps) {
  const { t } = useTranslation();
  const inclusion = inclusionOf(row, excluded);
  const { group } = row;
  return (
    <div
      role="presentation"
      className={styles.cells}
      data-kind={row.kind}
      data-excluded={inclusion === 'none' || undefined}
    >
      <div role="gridcell">
        <input
          ref={(box) => {
            if (box !== null) box.indeterminate = inclusion === 'some';
          }}
          type="checkbox"
          className={styles.check}
          tabIndex={-1}
          checked={inclusion !== 'none'}
          aria-label={
            row.kind === 'group'
              ? t('replaceAll.include', { name: group.name })
              : t(row.kind === 'speaker' ? 'replaceAll.includeSpeaker' : 'replaceAll.includeMatch')
          }
          onChange={onToggle}
        />
      </div>
      {row.kind === 'group' ? (
        <>
          <div role="gridcell" className={styles.name}>
            <bdi title={group.name}>{group.name}</bdi>
          </div>
          <div role="gridcell" className={styles.count}>
            {group.matches.length > 0 && t('replaceAll.places', { count: group.matches.length })}
          </div>
        </>
      ) : (
        <>
          <div role="gridcell" className={styles.time}>
            {row.kind === 'speaker' &&
              t(merged.has(row.speaker) ? 'replaceAll.mergedSpeaker' : 'replaceAll.speaker')}
            {row.kind === 'match' &&
              row.match.start !== null &&
              formatTimeCode(row.match.start, group.durationSeconds ?? row.match.start)}
          </div>
          <div role="gridcell" className={styles.text}>
            <bdi>
              <ReplacedText
                {...(row.kind === 'speaker' ? row.speaker : row.match)}
                replacement={shownReplacements(row.kind === 'speaker' ? row.speaker : row.match, replacement)}
              />
            </bdi>
          </div>
        </>
      )}
    </div>
  );
}
