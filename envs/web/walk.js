// The walk over everything that is to be seen.

const LONGEST_NAME = 300, LONGEST_TEXT = 4000;
const ids = new WeakMap();
let count = 0;
const idOf = (node) => {
  if (!ids.has(node)) ids.set(node, `e${++count}`);
  return ids.get(node);
};

const meet = (a, b) => ({
  left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
  right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
});
const moved = (rect, dx, dy) => ({
  left: rect.left + dx, top: rect.top + dy, right: rect.right + dx, bottom: rect.bottom + dy,
});

const deepest = (root, x, y) => {
  let found = plain(root).elementFromPoint(x, y);
  while (found && rootOf(found)) {
    const inner = rootOf(found).elementFromPoint(x, y);
    if (!inner || inner === found) break;
    found = inner;
  }
  return found;
};
const holds = (outer, inner) => {
  for (let node = inner; node; node = plain(node).assignedSlot || plain(node).parentNode || node.host) {
    if (node === real(outer)) return true;
  }
  return false;
};

// Frames of other origins, whose documents only the browser itself can reach; found by their index.
const opaque = [];
const opaqueIndex = (element) => {
  if (!opaque.includes(element)) opaque.push(element);
  return opaque.indexOf(element);
};

const examined = new WeakSet();
const HOSTS = new Set(('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span').split(' '));
/* Whether an element may have a closed shadow root: a custom element, or a box in which nothing of its own is drawn. */
const mayHide = (element, tag, rect) => {
  if (rootOf(element) || examined.has(element)) return false;
  if (tag.includes('-')) return element.matches(':defined');
  if (!HOSTS.has(tag) || rect.right <= rect.left || rect.bottom <= rect.top) return false;
  const first = plain(element.firstElementChild);
  return first ? !first.checkVisibility() : !element.firstChild || !drawn(element.firstChild);
};
const drawn = (node) => {
  const range = plain(node.ownerDocument).createRange();
  range.selectNodeContents(node);
  return range.getClientRects().length > 0;
};
/* Boxes, radios, switches and lists that style sheets replace by a drawing: they work by their label, or where they
   lie unseen above the drawing. */
const replaced = (element, tag) => tag === 'select' || tag === 'input' && (element.type === 'checkbox' || element.type === 'radio');
/* Whether a rectangle that nothing is seen of is left of an element: clipped away, as headings for screen readers are. */
const clippedAway = (style) => {
  const old = style.clip.match(/^rect\((.*)\)$/), shape = style.clipPath.match(/^(inset|circle|ellipse|polygon)\((.*)\)$/);
  if (old && style.position !== 'static' && style.position !== 'relative') {
    const [top, right, bottom, left] = old[1].split(/[ ,]+/).map(parseFloat);
    if (right - left <= 1 && bottom - top <= 1) return true;
  }
  if (!shape) return false;
  const [, kind, words] = shape;
  if (kind === 'inset') {
    const sides = words.split(' round ')[0].trim().split(/\s+/);
    const [top, right = top, bottom = top, left = right] = sides;
    const share = (side) => (side.endsWith('%') ? parseFloat(side) : 0);
    return share(top) + share(bottom) >= 100 || share(left) + share(right) >= 100;
  }
  if (kind === 'polygon') return new Set(words.split(',').map((corner) => corner.trim())).size < 3;
  return /^0(px|%)?(\s|$)/.test(words.trim());
};
/* Whether an element is drawn by itself. */
const isDrawn = (element) => {
  const rect = element.getBoundingClientRect();
  return Math.max(rect.width, rect.height) > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !clippedAway(getComputedStyle(element));
};
let suspects = [];
const markExamined = () => { suspects.forEach((element) => examined.add(element)); suspects = []; };

/* Everything to be seen: {items: [[role, name, left, top, right, bottom, states, id, value]], ...}, CSS pixels.
   `cap` items at most, `ms` milliseconds at most; with `all`, what lies outside the viewport too. `inside`: where a
   frame lies in the top page's viewport ({dx, dy, clip, view}), and what its ids begin with. With `pierce`, elements
   that may have closed shadow roots are counted. `foreign`: frames of other origins, and where their items belong. */
const collect = ({ cap, ms, all, pierce, inside }) => {
  const started = performance.now(), items = [], foreign = [], mark = inside ? inside.mark : '';
  suspects = [];
  const view = inside ? inside.view : { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  let steps = 0, detail = '';
  const stood = new WeakSet();
  const over = () => {
    if (detail) return true;
    if (cap && items.length >= cap) detail = `stopped at the cap of ${cap} elements`;
    else if (ms && (steps++ & 15) === 15 && performance.now() - started > ms) detail = `stopped after ${ms} ms`;
    return detail !== '';
  };
  const emit = (node, role, name, rect, states, value) => {
    items.push([role, cut(name, role === 'text' ? LONGEST_TEXT : LONGEST_NAME),
      rect.left, rect.top, rect.right, rect.bottom, states, mark + idOf(real(node)), cut(value, LONGEST_TEXT)]);
  };
  /* The visible part of a rectangle; with `all` an invisible one becomes a line at the nearest edge. */
  const visible = (rect, clip) => {
    const seen = meet(rect, clip);
    const there = seen.right > seen.left && seen.bottom > seen.top;
    if (there && Math.max(seen.right - seen.left, seen.bottom - seen.top) > 1) return [seen, true];
    if (!all || rect.right <= rect.left || rect.bottom <= rect.top) return [null, false];
    const hold = (value, most) => Math.min(Math.max(value, 0), most);
    return [{ left: hold(rect.left, view.right), right: hold(rect.right, view.right),
      top: hold(rect.top, view.bottom), bottom: hold(rect.bottom, view.bottom) }, false];
  };

  const text = (node, at) => {
    if (at.covered || at.hidden || !/\S/.test(node.data)) return;
    const range = plain(node.ownerDocument).createRange();
    range.selectNodeContents(node);
    const [rect, on] = visible(moved(range.getBoundingClientRect(), at.dx, at.dy), at.clip);
    if (rect) emit(node, 'text', squeeze(node.data), rect, on ? [] : ['offscreen'], '');
  };

  const frame = (element, rect, at) => {
    const inner = plain(element.contentDocument), style = plain(element.ownerDocument).defaultView.getComputedStyle(element);
    const dx = rect.left + element.clientLeft + parseFloat(style.paddingLeft);
    const dy = rect.top + element.clientTop + parseFloat(style.paddingTop);
    const right = dx + element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const bottom = dy + element.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
    const clip = meet(at.clip, { left: dx, top: dy, right, bottom });
    if (!inner) {
      if (element.src || element.srcdoc) foreign.push({ index: opaqueIndex(element), before: items.length, dx, dy, clip, view });
      return false;
    }
    if (!inner.documentElement) return false;
    watch(inner);
    walk(inner.documentElement, { dx, dy, clip, far: clip, framed: true, covered: false, widget: false, hidden: false, cursor: '' });
    return true;
  };

  const options = (select, rect) => {
    for (const option of select.options) {
      if (over()) return;
      const states = ['offscreen'];
      if (option.selected) states.push('selected');
      if (option.disabled) states.push('disabled');
      emit(option, 'option', squeeze(option.label), rect, states, '');
    }
  };

  const control = (element, tag, role, rect, states) => {
    emit(element, role, nameOf(element, tag, role, false)[0], rect, [...statesOf(element, tag, role), ...states],
      valueOf(element, tag, role));
    if (role === 'combobox') options(element, rect);
  };
  /* A control that is not drawn itself, at the place of its label. */
  const behind = (label, rect, states) => {
    const element = label.control;
    if (!element || !replaced(element, element.localName) || stood.has(element) || isDrawn(element)) return;
    stood.add(element);
    control(element, element.localName, roleOf(element, element.localName, null, {}), rect, states);
  };
  /* A transparent control that lies above what is drawn for it. */
  const overlaid = (element, tag, at) => {
    const [rect, on] = visible(moved(element.getBoundingClientRect(), at.dx, at.dy), at.clip);
    if (!rect || !on || at.hidden || stood.has(element)) return;
    const hit = deepest(element.getRootNode(), (rect.left + rect.right) / 2 - at.dx, (rect.top + rect.bottom) / 2 - at.dy);
    if (hit !== element) return;
    stood.add(element);
    control(element, tag, roleOf(element, tag, null, {}), rect, []);
  };

  const walk = (node, at) => {
    if (over()) return;
    const element = plain(node);
    const tag = element.localName;
    if (CONTROLS.has(tag) && !['input', 'select', 'textarea', 'button'].includes(tag)) return;
    const style = plain(element.ownerDocument).defaultView.getComputedStyle(node);
    if (style.display === 'none' || clippedAway(style)) return;
    if (style.opacity === '0') {
      if (replaced(element, tag)) overlaid(element, tag, at);
      return;
    }
    const ghost = style.display === 'contents';
    if (!ghost && !element.checkVisibility()) return;
    const hidden = style.visibility !== 'visible';
    const outer = style.position === 'fixed' ? (at.framed ? at.far : view) : style.position === 'absolute' ? at.far : at.clip;

    let whole = element.getBoundingClientRect();
    if (style.display === 'inline' && element.getClientRects().length > 1) {
      // The middle of a link that wraps is no part of it: take its largest piece.
      const area = (piece) => piece.width * piece.height;
      whole = [...element.getClientRects()].reduce((best, piece) => (area(piece) > area(best) ? piece : best));
    }
    whole = moved(whole, at.dx, at.dy);
    if (element.namespaceURI === SVG) {  // a horizontal line has no height, yet it is there
      if (whole.right === whole.left) whole.right += 1;
      if (whole.bottom === whole.top) whole.bottom += 1;
    }

    if (pierce && !ghost && !hidden && mayHide(element, tag, whole)) suspects.push(element);

    const inert = !element.matches(':modal') && (at.inert || element.hasAttribute('inert') || style.interactivity === 'inert');
    let covered = at.covered;
    const role = ghost || hidden ? null : roleOf(element, tag, style, at);
    if (role) {
      const [rect, on] = visible(whole, outer);
      if (rect) {
        const speaks = MAYBE_CONTAINER.has(role) && element.querySelector(SPEAKS) !== null;
        const [name, content] = role === 'text'
          ? [squeeze(element.textContent), true] : nameOf(element, tag, role, FROM_CONTENT.has(role) && !speaks);
        const open = isFrame(element) && frame(element, whole, { ...at, clip: outer });
        const empty = role === 'listitem' && !name;
        if (!open && !empty && !(role === 'label' && !name) && !over()) {
          const states = statesOf(element, tag, role);
          const idle = WIDGETS.has(role) && role !== 'label' && (inert || style.pointerEvents === 'none');
          if (idle && !states.includes('disabled')) states.push('disabled');
          if (!on) states.push('offscreen');
          else if (WIDGETS.has(role)) {
            const hit = deepest(element.getRootNode(), (rect.left + rect.right) / 2 - at.dx, (rect.top + rect.bottom) / 2 - at.dy);
            if (hit && !holds(element, hit) && !holds(hit, element)) states.push('covered');
          }
          emit(element, role, name, rect, states, valueOf(element, tag, role));
          if (role === 'label') behind(element, rect, inert ? ['disabled', ...states] : states);
        }
        if (content || (FROM_CONTENT.has(role) && name && name === contentOf(element))) covered = true;
        if (tag === 'select') {
          if (role === 'combobox') return options(element, rect);
        } else if (tag === 'textarea' || isFrame(element) || role === 'text') return;
        if (role === 'textbox') covered = true;
      }
    }
    if (isFrame(element)) return;

    let { clip, far } = { clip: outer, far: at.far };
    const root = tag === 'html' || tag === 'body';
    if (!root && !ghost && (style.overflowX !== 'visible' || style.overflowY !== 'visible') && style.display !== 'inline') {
      clip = meet(clip, whole);
    }
    if (style.position !== 'static' || style.transform !== 'none') far = clip;
    const widget = at.widget || WIDGETS.has(role);
    const within = { ...at, clip, far, covered, widget, inert, hidden: ghost ? at.hidden : hidden, cursor: style.cursor };
    if (rootOf(element)) watch(rootOf(element));
    const shut = tag === 'details' && !element.open;
    for (const one of childrenOf(element)) {
      const child = plain(one);
      if (shut && child.localName !== 'summary') continue;
      if (child.nodeType === Node.ELEMENT_NODE) walk(one, within);
      else if (child.nodeType === Node.TEXT_NODE && !over()) text(child, within);
      if (detail) return;
    }
  };

  if (page.documentElement) {
    const { dx, dy, clip } = inside || { dx: 0, dy: 0, clip: view };
    const framed = Boolean(inside);
    walk(page.documentElement, { dx, dy, clip, far: clip, framed, covered: false, widget: false, hidden: false, cursor: '' });
  }
  return { items, detail, foreign, suspects: suspects.length };
};

/* The page's own words about itself and, given limits, its elements: one answer to one question.
   `moved`: something happened since it was last found still. */
const read = (limits) => ({
  moved: busy(), title: page.title, url: location.href, ...(limits ? collect(limits) : {}),
});
