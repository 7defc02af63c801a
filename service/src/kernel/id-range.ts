/** The smallest and the greatest of some ids, so that a statement that looks up many reads only the partitions that they are in. */
export function idRange(ids: readonly string[]): { readonly least: string; readonly greatest: string } {
  let [least = nilId] = ids;
  let greatest = least;
  for (const id of ids) {
    if (id < least) least = id;
    else if (id > greatest) greatest = id;
  }
  return { least, greatest };
}

const nilId = "00000000-0000-0000-0000-000000000000";
