import styles from './icon.module.css';

const paths = {
  back: 'M10 3.5 5.5 8l4.5 4.5',
  'chevron-down': 'm4.5 6.5 3.5 3.5 3.5-3.5',
  'chevron-up': 'm4.5 9.5 3.5-3.5 3.5 3.5',
  close: 'm4.5 4.5 7 7m0-7-7 7',
  check: 'm3.5 8.5 3 3 6-7',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm3.3-1.2 3.2 3.2',
  dot: 'M8 8h.01',
  subtitles: 'M2.5 3.5h11v9h-11zM5 7.5h2.5m2 0H11m-6 2.5h1m2 0h3',
  pause: 'M5.5 4v8m5-8v8',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
} as const;

export interface IconProps {
  readonly name: keyof typeof paths;
}

/**
 * An icon of 16 x 16 px in the colour of the text. Always used next to a label, so it is hidden from screen readers.
 */
export function Icon({ name }: IconProps) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2 : name === 'dot' ? 4 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={name === 'back' ? styles.directed : undefined}
      aria-hidden
    >
      <path d={paths[name]} />
    </svg>
  );
}
