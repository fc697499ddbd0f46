// What elements are called: the accessible name.

const SVG = 'http://www.w3.org/2000/svg';
const squeeze = (text) => text.replace(/\s+/g, ' ').trim();
const cut = (text, longest) => (text.length > longest ? text.slice(0, longest - 1) + '…' : text);
const INLINE = new Set('a abbr b bdi cite code em font i kbd label mark q s small span strong sub sup u'.split(' '));
const CONTROLS = new Set(['input', 'select', 'textarea', 'button', 'script', 'style', 'noscript', 'template']);

// Closed shadow roots, which the browser hands to us: host → root.
const closed = new WeakMap();
const adopt = (host, root) => { closed.set(host, root); };
const rootOf = (node) => plain(node).shadowRoot || closed.get(node) || null;

const childrenOf = (node) => {
  if (rootOf(node)) return rootOf(node).childNodes;
  if (node.localName === 'slot' && node.assignedNodes().length) return node.assignedNodes();
  return node.childNodes;
};

const gather = (one, top, skipControls) => {
  const node = plain(one);
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  if (node.nodeType !== Node.ELEMENT_NODE) return '';
  const tag = node.localName;
  if (node !== top) {
    if (CONTROLS.has(tag) && (skipControls || tag !== 'button')) return ' ';
    if (tag === 'img') return ` ${node.alt} `;
    if (node.getAttribute('aria-hidden') === 'true' || !node.checkVisibility({ visibilityProperty: true })) {
      if (tag !== 'slot' && getComputedStyle(real(node)).display !== 'contents') return ' ';
    }
  }
  let text = '';
  for (const child of childrenOf(node)) text += gather(child, top, skipControls);
  return INLINE.has(tag) || node.namespaceURI !== 'http://www.w3.org/1999/xhtml' ? text : ` ${text} `;
};
const contentOf = (element, skipControls = false) => squeeze(gather(element, element, skipControls));

const referred = (element, attribute) => squeeze((element.getAttribute(attribute) || '').split(/\s+/)
  .map((id) => id && element.getRootNode().getElementById?.(id)).filter(Boolean)
  .map((found) => contentOf(found) || found.getAttribute('aria-label') || '').join(' '));

/* The accessible name, after the order of https://www.w3.org/TR/accname-1.2/ ; [name, whether it is the content] */
const nameOf = (element, tag, role, fromContent) => {
  const labelled = referred(element, 'aria-labelledby') || squeeze(element.getAttribute('aria-label') || '');
  if (labelled) return [labelled, false];
  if (tag === 'input' && ['button', 'submit', 'reset', 'image'].includes(element.type)) {
    const standard = { submit: 'Submit', reset: 'Reset' }[element.type] || '';
    return [squeeze(element.value || element.alt || standard), false];
  }
  if (element.labels && element.labels.length) {
    const text = squeeze([...element.labels].map((label) => contentOf(label, true)).join(' '));
    if (text) return [text, false];
  }
  if (element.hasAttribute('alt')) return [squeeze(element.alt || ''), false];
  if (fromContent) {
    const text = contentOf(element, role === 'label');
    if (text) return [text, true];
  }
  if (element.namespaceURI === SVG) {
    const title = [...element.children].find((child) => child.localName === 'title');
    return [squeeze(title?.textContent || element.id || tag), false];
  }
  const said = squeeze(element.getAttribute('title') || element.getAttribute('placeholder') || '');
  // An icon or a button without any words is called what its author calls it.
  return [said || ((role === 'image' && tag !== 'img') || tag === 'button' ? squeeze(element.id || element.className) : ''), false];
};
