import { Menu as BaseMenu } from '@base-ui/react/menu';
import { useTranslation } from 'react-i18next';
import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { SegmentRange } from '../../../../electron/core/transcript/edit/speaker-turns.ts';
import { MenuItem, MenuPopup, MenuSeparator } from '../../../ui/actions/menu.tsx';
import { useSession } from '../workspace.ts';
import { distinctSpeakers, speakerNames } from '../speaker-names.ts';
import { highlightOperation } from './highlight-operation.ts';
import type { OnAction, SegmentAction } from './segment-keys.ts';
import { selectionStartIn } from './segment-dom.ts';
import type { SegmentSelection } from './use-segment-selection.ts';
import { ShortcutLabel } from '../dialogs/keys-dialog.tsx';

export interface SegmentMenuTarget {
  readonly segment: SegmentId;
  readonly anchor: Element;
  /** The selection or the caret when the menu opened. */
  readonly selected: readonly SegmentRange[];
}

export interface SegmentMenuProps {
  readonly open: boolean;
  /** `null` before the menu was first opened; kept while it closes. */
  readonly target: SegmentMenuTarget | null;
  readonly selection: SegmentSelection;
  readonly onAction: OnAction;
  readonly onSpeakers: () => void;
  readonly onClose: () => void;
}

type Entry = readonly [label: EntryLabel, keys: string, action: SegmentAction | ActionOf];
type EntryLabel =
  | 'play'
  | 'playWords'
  | 'quote'
  | 'note'
  | 'highlight'
  | 'split'
  | 'splitHere'
  | 'mergeBefore'
  | 'mergeAfter'
  | 'insert'
  | 'start'
  | 'end'
  | 'times';

/** Returns the action of an entry for the target; `null` disables the entry. */
type ActionOf = (target: SegmentMenuTarget) => SegmentAction | null;

const splitAction =
  (atPlayhead: boolean): ActionOf =>
  ({ segment, selected }) => {
    const offset = selectionStartIn(selected, segment);
    return offset === null ? null : { kind: 'split', offset, atPlayhead };
  };

const entries: readonly (readonly Entry[])[] = [
  [
    [
      'play',
      'Alt+Enter',
      ({ segment, selected }) => ({
        kind: 'play-from-here',
        offset: selectionStartIn(selected, segment) ?? 0,
      }),
    ],
    ['playWords', 'Alt+Shift+Enter', ({ selected }) => ({ kind: 'play-words', selected })],
    ['quote', 'Mod+Shift+C', ({ selected }) => ({ kind: 'quote', selected })],
    [
      'note',
      'Alt+N',
      ({ segment, selected }) => ({
        kind: 'note',
        offset: selectionStartIn(selected, segment) ?? 0,
        alwaysNew: true,
      }),
    ],
    ['highlight', 'Alt+H', ({ selected }) => ({ kind: 'highlight', selected })],
  ],
  [
    ['split', 'Enter', splitAction(false)],
    ['splitHere', 'Mod+Enter', splitAction(true)],
    ['mergeBefore', 'Alt+↑', { kind: 'merge-before' }],
    ['mergeAfter', 'Alt+↓', { kind: 'merge-after' }],
    ['insert', 'Alt+I', { kind: 'insert' }],
    ['start', 'Alt+[', { kind: 'move-boundary', edge: 'start' }],
    ['end', 'Alt+]', { kind: 'move-boundary', edge: 'end' }],
    ['times', 'Alt+T', { kind: 'edit-times' }],
  ],
];

/** The actions for one segment with their shortcuts. */
export function SegmentMenu({ open, onClose, ...rest }: SegmentMenuProps) {
  return (
    <BaseMenu.Root open={open} onOpenChange={(next) => !next && onClose()} modal={false}>
      <MenuPopup anchor={rest.target?.anchor} align="end">
        <SegmentEntries {...rest} />
      </MenuPopup>
    </BaseMenu.Root>
  );
}

/** The entries, which read the whole transcript: they exist only while the menu is open. */
function SegmentEntries({
  target,
  selection,
  onAction,
  onSpeakers,
}: Omit<SegmentMenuProps, 'open' | 'onClose'>) {
  const { t } = useTranslation();
  const draft = useSession((state) => state.draft);
  const names = speakerNames(draft, t);
  const targets = target === null ? [] : selection.including(target.segment);
  const count = Math.max(1, targets.length);
  const removesHighlight =
    target !== null && !highlightOperation(draft.segments, targets, target.selected).isHighlighted;
  const act = (action: SegmentAction): void => {
    if (target !== null) onAction(target.segment, action);
  };
  // One more than the transcript has, so that a new one can be assigned.
  const speakerCount = Math.min(distinctSpeakers, Math.max(2, names.length + 1));

  return (
    <>
      {entries.map((group) => (
        <div key={group[0]?.[0]}>
          {group.map(([label, keys, actionOrFactory]) => {
            // Selected segments are merged with each other.
            if (label === 'mergeBefore' && count > 1) return null;
            const action =
              typeof actionOrFactory === 'function' ? target && actionOrFactory(target) : actionOrFactory;
            return (
              <MenuItem key={label} onClick={() => action && act(action)} disabled={action === null}>
                <ShortcutLabel keys={keys}>
                  {label === 'mergeAfter' && count > 1
                    ? t('transcript.act.mergeSelected', { count })
                    : t(
                        `transcript.act.${label === 'highlight' && removesHighlight ? 'unhighlight' : label}`,
                      )}
                </ShortcutLabel>
              </MenuItem>
            );
          })}
          <MenuSeparator />
        </div>
      ))}
      {Array.from({ length: speakerCount }, (_, speaker) => (
        <MenuItem key={speaker} onClick={() => act({ kind: 'speaker', speaker, fromHere: false })}>
          <ShortcutLabel keys={`Alt+${speaker + 1}`}>
            {names[speaker] ?? t('transcript.speakerNumber', { number: speaker + 1 })}
          </ShortcutLabel>
        </MenuItem>
      ))}
      <MenuItem onClick={() => act({ kind: 'speaker', speaker: null, fromHere: false })}>
        <ShortcutLabel keys="Alt+0">{t('transcript.act.noSpeaker')}</ShortcutLabel>
      </MenuItem>
      <MenuItem onClick={onSpeakers}>{t('transcript.act.speakers')}</MenuItem>
      <MenuSeparator />
      <MenuItem danger onClick={() => act({ kind: 'delete' })}>
        <ShortcutLabel keys="Alt+Del">
          {count > 1 ? t('transcript.act.deleteSelected', { count }) : t('transcript.act.delete')}
        </ShortcutLabel>
      </MenuItem>
    </>
  );
}
