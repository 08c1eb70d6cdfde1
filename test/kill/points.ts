/** Marks a point at which a test may kill the program. */
export type Kill = (point: string) => void;

/** Kills this process when it reaches the point with this number; writes each point to `out`. */
export function killAt(number: number, out: (line: string) => void): Kill {
  let reached = 0;
  return (point) => {
    reached += 1;
    out(`${reached} ${point}\n`);
    if (reached === number) process.kill(process.pid, 'SIGKILL');
  };
}
