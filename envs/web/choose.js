// Choosing from drop-down lists.

/* Choose an option of the drop-down list at a place. Answers {done} or {problem, options}. */
const choose = ({ x, y, value }) => {
  let found = deepest(document, x, y);
  while (found?.localName === 'iframe' && found.contentDocument) {
    const rect = found.getBoundingClientRect();
    x -= rect.left + found.clientLeft;
    y -= rect.top + found.clientTop;
    found = deepest(found.contentDocument, x, y);
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
