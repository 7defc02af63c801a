import { joint } from "./compile-entities.ts";
import { gap } from "./fold-text.ts";

/** Whether a text may have a separator, as bits of `gap`, at a joint of a name. */
export function isAllowed(allowed: number, found: number): boolean {
  switch (allowed) {
    case joint.loose:
    case joint.apart:
    case joint.inner:
    case joint.exact:
    case joint.abbreviation:
      return isSeparator(found);
    case joint.hyphenated:
      return isSeparator(found) || found === gap.dash;
    case joint.apostrophe:
      return found === gap.apostrophe;
    case joint.sign:
      return found === gap.space;
    default:
      return false;
  }
}

/** A space, a hyphen or the end of a line. A hyphen between spaces is a dash. */
const isSeparator = (found: number): boolean =>
  (found & (gap.apostrophe | gap.block | gap.dash)) === 0 &&
  (found & (gap.space | gap.hyphen)) !== (gap.space | gap.hyphen);
