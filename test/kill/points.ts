/** Marks a point at which a test may kill the program. */
export type Kill = (point: string) => void;

/** Kills this process when it reaches the point with this number; prints each point with `print`. */
export function killAt(number: number, print: (line: string) => void): Kill {
  let count = 0;
  return (point) => {
    count += 1;
    print(`${count} ${point}\n`);
    if (count === number) process.kill(process.pid, 'SIGKILL');
  };
}
