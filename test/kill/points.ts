/** A moment in the life of a program at which a test may end it. */
export type Kill = (point: string) => void;

/** Ends this process as a power cut would when it reaches the point of this number; tells each point on `out`. */
export function killAt(number: number, out: (line: string) => void): Kill {
  let reached = 0;
  return (point) => {
    reached += 1;
    out(`${reached} ${point}\n`);
    if (reached === number) process.kill(process.pid, 'SIGKILL');
  };
}
