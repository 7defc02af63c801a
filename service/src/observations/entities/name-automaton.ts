/**
 * An Aho-Corasick automaton over code points: it reads a text once, whatever the names are, and tells after each code point which
 * names end there. Nodes are numbers, so that a hundred thousand names take megabytes and not gigabytes.
 */
export class NameAutomaton {
  /** The node in which every search begins. */
  static readonly root = 0;
  #nodes = 1;
  #parents = new Int32Array(nodesAtFirst);
  #codes = new Int32Array(nodesAtFirst);
  #depths = new Uint16Array(nodesAtFirst);
  /** Whether a name ends at the node. */
  #isName = new Uint8Array(nodesAtFirst);
  /** The node of the longest proper suffix. */
  #suffixes = new Int32Array();
  /** The node of the longest suffix that is a name, itself included; 0: none. */
  #names = new Int32Array();
  /** A hash table with open addressing: parent, code and child of each edge. A child of 0 is an empty slot. */
  #edges = new Int32Array(3 * 2 * nodesAtFirst);
  #shift = 32 - Math.log2(2 * nodesAtFirst);

  get nodes(): number {
    return this.#nodes;
  }

  /** The node of a name, created if there is none. */
  add(codes: ArrayLike<number>, length: number): number {
    let node = NameAutomaton.root;
    for (let at = 0; at < length; at++) {
      const code = codes[at] ?? 0;
      node = this.#childOf(node, code) || this.#addChild(node, code);
    }
    this.#isName[node] = 1;
    return node;
  }

  /** Links the suffixes. Called once, after all names were added; the work is in proportion to their total length. */
  complete(): void {
    this.#suffixes = new Int32Array(this.#nodes);
    this.#names = new Int32Array(this.#nodes);
    for (const node of this.#byDepth()) {
      const parent = this.#parents[node] ?? 0;
      const suffix = parent === NameAutomaton.root ? 0 : this.next(this.#suffixes[parent] ?? 0, this.#codes[node] ?? 0);
      this.#suffixes[node] = suffix;
      this.#names[node] = this.#isName[node] === 1 ? node : (this.#names[suffix] ?? 0);
    }
  }

  /** The node after another code point of the text. */
  next(from: number, code: number): number {
    for (let node = from; ; node = this.#suffixes[node] ?? 0) {
      const child = this.#childOf(node, code);
      if (child !== 0 || node === NameAutomaton.root) return child;
    }
  }

  /** The longest name that ends at a node; 0: none does. */
  nameAt(node: number): number {
    return this.#names[node] ?? 0;
  }

  /** The longest name that is a proper suffix of another; 0: none is. */
  shorterName(name: number): number {
    return this.#names[this.#suffixes[name] ?? 0] ?? 0;
  }

  /** The number of code points from the root to a node. */
  lengthOf(node: number): number {
    return this.#depths[node] ?? 0;
  }

  #childOf(parent: number, code: number): number {
    const edges = this.#edges;
    const last = edges.length - 3;
    for (let at = 3 * this.#slotOf(parent, code); ; at = at === last ? 0 : at + 3) {
      const child = edges[at + 2] ?? 0;
      if (child === 0 || (edges[at] === parent && edges[at + 1] === code)) return child;
    }
  }

  /** Multiplication by random numbers: nobody can choose names whose edges collide. */
  #slotOf(parent: number, code: number): number {
    return (Math.imul(parent + 1, parentFactor) + Math.imul(code + 1, codeFactor)) >>> this.#shift;
  }

  #addChild(parent: number, code: number): number {
    if (this.#nodes === this.#parents.length) this.#grow();
    const node = this.#nodes++;
    this.#parents[node] = parent;
    this.#codes[node] = code;
    this.#depths[node] = (this.#depths[parent] ?? 0) + 1;
    this.#addEdge(parent, code, node);
    return node;
  }

  #addEdge(parent: number, code: number, child: number): void {
    const edges = this.#edges;
    let at = 3 * this.#slotOf(parent, code);
    while (edges[at + 2] !== 0) at = at === edges.length - 3 ? 0 : at + 3;
    edges[at] = parent;
    edges[at + 1] = code;
    edges[at + 2] = child;
  }

  #grow(): void {
    const size = 2 * this.#parents.length;
    const longer = <Values extends Int32Array | Uint16Array | Uint8Array>(from: Values, to: Values): Values => {
      to.set(from);
      return to;
    };
    this.#parents = longer(this.#parents, new Int32Array(size));
    this.#codes = longer(this.#codes, new Int32Array(size));
    this.#depths = longer(this.#depths, new Uint16Array(size));
    this.#isName = longer(this.#isName, new Uint8Array(size));
    this.#edges = new Int32Array(3 * 2 * size);
    this.#shift--;
    for (let node = 1; node < this.#nodes; node++)
      this.#addEdge(this.#parents[node] ?? 0, this.#codes[node] ?? 0, node);
  }

  /** All nodes but the root, the nearest to it first. */
  #byDepth(): Int32Array {
    const from: number[] = [];
    for (let node = 1; node < this.#nodes; node++) {
      const depth = this.lengthOf(node);
      from[depth] = (from[depth] ?? 0) + 1;
    }
    let sum = 0;
    for (let depth = 1; depth < from.length; depth++) {
      const count = from[depth] ?? 0;
      from[depth] = sum;
      sum += count;
    }
    const ordered = new Int32Array(this.#nodes - 1);
    for (let node = 1; node < this.#nodes; node++) {
      const depth = this.lengthOf(node);
      const place = from[depth] ?? 0;
      ordered[place] = node;
      from[depth] = place + 1;
    }
    return ordered;
  }
}

/** A power of two, as all sizes are: most accounts have a few names. */
const nodesAtFirst = 64;
const randomOdd = (): number => (Math.floor(Math.random() * 2 ** 32) | 1) >>> 0;
const parentFactor = randomOdd();
const codeFactor = randomOdd();
