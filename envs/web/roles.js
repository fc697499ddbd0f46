// What elements are: ARIA roles, explicit, implied by the tag, or by the look.

const SHAPES = new Set(['rect', 'circle', 'ellipse', 'line', 'polygon', 'polyline', 'path', 'image', 'use']);
const INPUTS = {
  button: 'button', submit: 'button', reset: 'button', image: 'button', file: 'button', color: 'button',
  checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox', hidden: null,
};
const TAGS = {
  button: 'button', textarea: 'textbox', option: 'option', label: 'label', li: 'listitem', summary: 'button',
  h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading',
  td: 'cell', th: 'columnheader', img: 'image', canvas: 'canvas', video: 'video', audio: 'audio',
  progress: 'progressbar', meter: 'meter', dialog: 'dialog', iframe: 'iframe', frame: 'iframe',
};
// Containers say nothing that their content does not say.
const SILENT = new Set(('none presentation generic group list menu menubar tablist tabpanel table grid treegrid row ' +
  'rowgroup region main navigation banner contentinfo complementary form search toolbar document application ' +
  'article section figure radiogroup tree directory feed log status timer marquee').split(' '));
const FROM_CONTENT = new Set(('button link heading option tab menuitem menuitemcheckbox menuitemradio checkbox radio ' +
  'switch treeitem tooltip label listitem cell gridcell columnheader rowheader generic').split(' '));
// These name themselves by their content only where nothing else in them speaks.
const MAYBE_CONTAINER = new Set(['listitem', 'cell', 'gridcell', 'columnheader', 'rowheader', 'generic']);
const SPEAKS = 'a[href],button,input,select,textarea,label,li,td,th,h1,h2,h3,h4,h5,h6,img,canvas,svg,iframe,frame,' +
  '[role],[tabindex],[onclick]';
const WIDGETS = new Set(('button link textbox searchbox spinbutton checkbox radio switch slider combobox listbox option ' +
  'tab menuitem menuitemcheckbox menuitemradio treeitem label').split(' '));

/* An icon: an empty element that shows a picture of its style sheet. */
const pictured = (element, style) => !element.firstElementChild && !/\S/.test(element.textContent) &&
  [style.content, style.backgroundImage, style.maskImage].some((source) => source.includes('url('));

const roleOf = (element, tag, style, at) => {
  const explicit = (element.getAttribute('role') || '').trim().split(/\s+/)[0].toLowerCase();
  if (explicit === 'img') return 'image';
  if (explicit && !SILENT.has(explicit)) return explicit;
  if (tag === 'input') return element.type in INPUTS ? INPUTS[element.type] : 'textbox';
  if (tag === 'select') return element.multiple || element.size > 1 ? 'listbox' : 'combobox';
  if (!explicit) {
    if ((tag === 'a' || tag === 'area') && element.hasAttribute('href')) return 'link';
    if (element.namespaceURI === SVG) {
      if (at.widget || at.covered) return null;
      return SHAPES.has(tag) ? 'image' : tag === 'text' ? 'text' : null;
    }
    if (tag in TAGS) return TAGS[tag];
  }
  if (element.isContentEditable && !element.parentElement?.isContentEditable) return 'textbox';
  if (tag === 'html' || tag === 'body') return null;
  if (pictured(element, style)) return 'image';
  if (at.covered) return null;
  const pointed = style.cursor === 'pointer' && at.cursor !== 'pointer';
  if (pointed && style.textDecorationLine.includes('underline')) return 'link';
  if (pointed || element.hasAttribute('onclick') || (element.hasAttribute('tabindex') && element.tabIndex >= 0)) {
    return 'generic';
  }
  return null;
};
