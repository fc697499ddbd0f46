// Forms and documents without the names of what is in them: <input name=title> hides form.title, and <img name=title>
// hides document.title, from us as from the page's own scripts.

const BRANDS = { '[object HTMLFormElement]': HTMLFormElement.prototype, '[object HTMLDocument]': Document.prototype };
const plainOf = new WeakMap(), realOf = new WeakMap();

/* A form or document that answers with its own properties alone, always the same one; any other node is itself. */
const plain = (node) => {
  if (node === null || node === undefined || realOf.has(node)) return node;
  const own = BRANDS[Object.prototype.toString.call(node)];
  if (!own) return node;
  if (!plainOf.has(node)) {
    const found = new Proxy(node, {
      get: (target, name) => {
        const value = Reflect.get(own, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
      set: (target, name, value) => Reflect.set(own, name, value, target),
    });
    plainOf.set(node, found);
    realOf.set(found, node);
  }
  return plainOf.get(node);
};
/* The node itself, for what takes nodes. */
const real = (node) => realOf.get(node) || node;
const page = plain(document);

/* Whether an element is a frame; those of a frameset are frames, too. */
const isFrame = (element) => element?.localName === 'iframe' || element?.localName === 'frame';
