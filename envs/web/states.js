// What elements hold and how they are: value and states.

const valueOf = (element, tag, role) => {
  if (tag === 'input') {
    if (element.type === 'password') return '•'.repeat(element.value.length);
    return ['checkbox', 'radio', 'button', 'submit', 'reset', 'image'].includes(element.type) ? '' : element.value;
  }
  if (tag === 'textarea') return element.value;
  if (tag === 'select') return [...element.selectedOptions].map((option) => option.label).join(', ');
  if (tag === 'progress' || tag === 'meter') return String(element.value);
  if (role === 'textbox' && element.isContentEditable) return contentOf(element);
  if (role === 'image' && element.namespaceURI === SVG) return element.getAttribute('fill') || '';
  return element.getAttribute('aria-valuetext') || element.getAttribute('aria-valuenow') || '';
};

const statesOf = (element, tag, role) => {
  const states = [], aria = (name) => element.getAttribute(`aria-${name}`);
  if (plain(element.getRootNode()).activeElement === real(element) && tag !== 'body') states.push('focused');
  if (element.matches(':disabled') || aria('disabled') === 'true') states.push('disabled');
  const box = tag === 'input' && (element.type === 'checkbox' || element.type === 'radio');
  if (box && element.indeterminate || aria('checked') === 'mixed') states.push('mixed');
  else if (box ? element.checked : aria('checked') === 'true') states.push('checked');
  if (tag === 'option' ? element.selected : aria('selected') === 'true') states.push('selected');
  if (aria('pressed') === 'true') states.push('pressed');
  if (aria('current') && aria('current') !== 'false') states.push('current');
  const details = tag === 'summary' && element.parentElement?.localName === 'details' ? element.parentElement : null;
  if (details ? details.open : aria('expanded') === 'true') states.push('expanded');
  else if (details || aria('expanded') === 'false') states.push('collapsed');
  if (element.readOnly || aria('readonly') === 'true') states.push('readonly');
  if (element.required || aria('required') === 'true') states.push('required');
  if (role === 'generic') states.push('clickable');
  return states;
};
