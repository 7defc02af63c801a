import { createContext } from "preact";
import { useContext, useState } from "preact/hooks";
import { Icon } from "../../../ui/icon.tsx";

/** True once the reader has asked for pictures: loading one tells its site that somebody looks. */
export const Pictures = createContext(false);

/** A picture from elsewhere; what it would show in words, until it is asked for and where it can't be had. */
export function Picture({ address, alt }: { address: string | null; alt: string }) {
  const wanted = useContext(Pictures);
  const [broken, setBroken] = useState<string | null>(null);
  if (wanted && address !== null && /^https:\/\//i.test(address) && broken !== address) {
    return (
      <img
        class="picture"
        src={address}
        alt={alt}
        loading="lazy"
        decoding="async"
        referrerpolicy="no-referrer"
        onError={() => setBroken(address)}
      />
    );
  }
  return (
    <span class="picture-place" data-broken={broken !== null} title={alt}>
      <Icon name={broken === null ? "image" : "cross"} />
      <span class="unseen">{alt}</span>
    </span>
  );
}
