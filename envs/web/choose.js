// Choosing from drop-down lists.

/* Choose an option of the drop-down list at a place. Answers {done}, {problem, options}, or for a place in a frame of
   another origin {frame, x, y}: its index, and the place in it. */
const choose = ({ x, y, value }) => {
  let found = deepest(document, x, y);
  while (isFrame(found) && found.contentDocument) {
    const rect = found.getBoundingClientRect();
    x -= rect.left + found.clientLeft;
    y -= rect.top + found.clientTop;
    found = deepest(found.contentDocument, x, y);
  }
  if (isFrame(found) && opaque.includes(found)) {
    const rect = found.getBoundingClientRect(), style = getComputedStyle(found);
    return { frame: opaque.indexOf(found), x: x - rect.left - found.clientLeft - parseFloat(style.paddingLeft),
      y: y - rect.top - found.clientTop - parseFloat(style.paddingTop) };
  }
  const label = found?.closest('label');
  const list = found?.closest('select') || (label?.control?.localName === 'select' ? label.control : null);
  if (!list) return { problem: found ? `a <${found.localName}> is there` : 'nothing is there', options: null };
  const options = [...list.options].map((option) => squeeze(option.label));
  const wanted = squeeze(value), same = (a, b) => a.toLowerCase() === b.toLowerCase();
  let index = options.indexOf(wanted);
  if (index < 0) index = options.findIndex((option) => same(option, wanted));
  if (index < 0) index = [...list.options].findIndex((option) => option.value === value);
  if (list.disabled) return { problem: 'the list is disabled', options };
  if (index < 0) return { problem: 'no such option', options };
  if (list.options[index].disabled) return { problem: 'the option is disabled', options };
  list.focus();
  if (list.multiple) list.options[index].selected = true;
  else list.selectedIndex = index;
  list.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  list.dispatchEvent(new Event('change', { bubbles: true }));
  return { done: true };
};

/* The drop-down list that is open: {at, options: [[label, selected, disabled]]} or null; the browser draws it elsewhere. */
let openOne = null;
const openList = () => {
  openOne = null;
  const search = (root) => {
    try { openOne = root.querySelector('select:open'); } catch { return; }  // a browser that does not know :open
    if (openOne) return;
    for (const host of root.activeElement && rootOf(root.activeElement) ? [root.activeElement] : []) search(rootOf(host));
    if (!openOne && isFrame(root.activeElement) && root.activeElement.contentDocument) {
      search(root.activeElement.contentDocument);
    }
  };
  search(page);
  if (!openOne) return null;
  const rect = openOne.getBoundingClientRect();
  let dx = 0, dy = 0;
  for (let view = openOne.ownerDocument.defaultView; view !== window; view = view.parent) {
    const frame = view.frameElement, edge = frame.getBoundingClientRect();
    dx += edge.left + frame.clientLeft;
    dy += edge.top + frame.clientTop;
  }
  return { at: [rect.left + dx, rect.top + dy, rect.right + dx, rect.bottom + dy],
    options: [...openOne.options].map((option) => [squeeze(option.label), option.selected, option.disabled]) };
};
/* Choose the option with an index in the list that `openList` found; it has been closed since. */
const pick = (index) => {
  if (!openOne?.isConnected || !openOne.options[index]) return false;
  if (openOne.selectedIndex !== index) {
    openOne.selectedIndex = index;
    openOne.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    openOne.dispatchEvent(new Event('change', { bubbles: true }));
  }
  return true;
};
