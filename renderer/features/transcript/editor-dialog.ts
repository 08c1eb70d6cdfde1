/** A dialog of the open transcript; at most one is open. */
export type EditorDialog = 'speakers' | 'retime' | 'keys';
