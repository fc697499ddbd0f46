// Filling fields that are no text boxes: date, month, week, time, both, colour, range.

const FORMS = {
  date: 'a date such as 2024-03-31', time: 'a time such as 14:30', month: 'a month such as 2024-03',
  week: 'a week such as 2024-W13', 'datetime-local': 'date and time such as 2024-03-31T14:30',
  color: 'a colour such as #1e90ff',
};
const rangeForm = (field) => {
  const steps = field.step && field.step !== 'any' ? ` in steps of ${field.step}` : '';
  return `a number from ${field.min || 0} to ${field.max || 100}${steps}`;
};
const two = (number) => String(number).padStart(2, '0');

/* In which order the page's reader writes day, month and year. */
const dateOrder = () => new Intl.DateTimeFormat(navigator.language).formatToParts(new Date(2001, 1, 3))
  .map((part) => part.type).filter((type) => ['day', 'month', 'year'].includes(type));

const isoDate = (text) => {
  const eastern = text.match(/^(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日号號일]?$/);
  if (eastern) return `${eastern[1]}-${two(eastern[2])}-${two(eastern[3])}`;
  const numbers = text.match(/^(\d{1,4})\s*[-./\s]\s*(\d{1,2})\s*[-./\s]\s*(\d{1,4})\.?$/);
  if (numbers) {
    const [a, b, c] = numbers.slice(1);
    const order = a.length === 4 ? ['year', 'month', 'day'] : dateOrder();
    const said = Object.fromEntries([a, b, c].map((one, at) => [order[at], one]));
    return said.year.length === 4 ? `${said.year}-${two(said.month)}-${two(said.day)}` : null;
  }
  if (/^\d{8}$/.test(text)) {
    const [year, rest] = /^(19|20)/.test(text) && dateOrder()[0] === 'year' ? [text.slice(0, 4), text.slice(4)] : [text.slice(4), text.slice(0, 4)];
    const [first, second] = [rest.slice(0, 2), rest.slice(2)];
    return dateOrder().indexOf('day') < dateOrder().indexOf('month') ? `${year}-${second}-${first}` : `${year}-${first}-${second}`;
  }
  const plainly = text.replace(/\b(\d{1,2})(st|nd|rd|th)\b/i, '$1');
  if (!/[a-z]/i.test(plainly) || !/\d{4}/.test(plainly) || !/\b\d{1,2}\b/.test(plainly)) return null;
  const day = new Date(plainly);
  return isNaN(day) ? null : `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
};
const isoTime = (text) => {
  const eastern = text.match(/^(오전|上午|午前|오후|下午|午後)?\s*(\d{1,2})\s*(?::|[시時时点點])\s*(?:(\d{1,2})\s*[분分]?)?$/);
  if (eastern && (eastern[1] || !text.includes(':'))) {
    const late = ['오후', '下午', '午後'].includes(eastern[1]);
    const hour = eastern[1] ? Number(eastern[2]) % 12 + (late ? 12 : 0) : Number(eastern[2]);
    return `${two(hour)}:${two(eastern[3] || 0)}`;
  }
  const said = text.match(/^(\d{1,2}?)(?::?(\d{2}))?(?::(\d{2}(?:\.\d{1,3})?))?\s*(?:([ap])\.?\s?m\.?)?$/i);
  if (!said || (!said[2] && !said[4])) return null;
  let hour = Number(said[1]);
  if (said[4]) {
    if (hour < 1 || hour > 12) return null;
    hour = hour % 12 + (said[4].toLowerCase() === 'p' ? 12 : 0);
  }
  return `${two(hour)}:${said[2] || '00'}${said[3] ? `:${said[3]}` : ''}`;
};
const isoMonth = (text) => {
  const iso = text.match(/^(\d{4})\s*[-/.]\s*(\d{1,2})$/), shown = text.match(/^(\d{1,2})\s*[-/.]\s*(\d{4})$/);
  const eastern = text.match(/^(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]$/);
  if (iso || eastern) return `${(iso || eastern)[1]}-${two((iso || eastern)[2])}`;
  if (shown) return `${shown[2]}-${two(shown[1])}`;
  const named = /^[a-z]{3,}\.?,?\s+\d{4}$/i.test(text) ? new Date(`1 ${text}`) : NaN;
  return isNaN(named) ? null : `${named.getFullYear()}-${two(named.getMonth() + 1)}`;
};
const hexColour = (text) => {
  const pen = page.createElement('canvas').getContext('2d');
  const drawn = (before) => { pen.fillStyle = before; pen.fillStyle = text; return pen.fillStyle; };
  return drawn('#000001') === drawn('#000002') && /^#[0-9a-f]{6}$/.test(pen.fillStyle) ? pen.fillStyle : null;
};

/* The value that a field has to get, in the form of HTML, or null where the text is not of its form. */
const fieldValue = (field, text) => {
  const words = text.trim();
  switch (field.type) {
    case 'date': return isoDate(words);
    case 'time': return isoTime(words);
    case 'month': return isoMonth(words);
    case 'week': {
      const said = words.match(/^(\d{4})-?\s?W(\d{1,2})$/i), shown = words.match(/^week\s+(\d{1,2}),?\s+(\d{4})$/i);
      return said ? `${said[1]}-W${two(said[2])}` : shown ? `${shown[2]}-W${two(shown[1])}` : null;
    }
    case 'datetime-local': {
      const said = words.match(/^(.*\d)(?:T|,?\s+(?:at\s+)?)(\d{1,2}(?::\d{2}){0,2}(?:\.\d+)?\s*(?:[ap]\.?\s?m\.?)?)$/i);
      const [day, time] = said ? [isoDate(said[1]), isoTime(said[2])] : [null, null];
      return day && time ? `${day}T${time}` : null;
    }
    case 'color': return hexColour(words);
    case 'range': return words && isFinite(words) ? String(Number(words)) : null;
    default: return null;
  }
};

/* The element at a place of the viewport, or the one that has the focus where no place is given; in frames of the
   page's own origin, too. For a place in a frame of another origin {frame, x, y}. */
const fieldAt = (x, y) => {
  let found = null;
  if (x === null) {
    for (let root = page; root?.activeElement;) {
      found = root.activeElement;
      root = rootOf(found) || (isFrame(found) ? plain(found.contentDocument) : null);
    }
    return found;
  }
  found = deepest(document, x, y);
  while (isFrame(found)) {
    const rect = found.getBoundingClientRect(), style = getComputedStyle(found);
    x -= rect.left + found.clientLeft + parseFloat(style.paddingLeft);
    y -= rect.top + found.clientTop + parseFloat(style.paddingTop);
    if (!found.contentDocument) return opaque.includes(found) ? { frame: opaque.indexOf(found), x, y } : null;
    found = deepest(found.contentDocument, x, y);
  }
  return found?.closest('label')?.control || found;
};

/* Fill the field at a place. Answers {done} or {problem}; {keys} where it takes keys, as text boxes do,
   with {number} where it drops those of other signs. */
const fill = ({ x, y, text, clear }) => {
  const field = fieldAt(x, y);
  if (field && 'frame' in field && !field.localName) return field;
  const list = x !== null && (field?.closest?.('select') || field?.closest?.('label')?.control);
  if (list && list.localName === 'select') return { list: true, ...choose({ x, y, value: text }) };
  if (field?.localName !== 'input' || !(field.type in FORMS || field.type === 'range')) {
    return { keys: true, number: field?.localName === 'input' && field.type === 'number' };
  }
  const form = FORMS[field.type] || rangeForm(field);
  if (field.matches(':disabled') || field.readOnly) return { problem: 'this field cannot be changed now' };
  const empty = clear && !text.trim() && field.type !== 'color' && field.type !== 'range';
  const value = empty ? '' : fieldValue(field, text);
  if (value === null) return { problem: `this field takes ${form}` };
  const before = field.value;
  field.focus();
  field.value = value;
  // Seconds of 0 need not be said again; what is no day of the calendar leaves the field empty.
  const kept = field.value === value || field.value.startsWith(value) || value.startsWith(field.value) && field.value;
  if (!kept && !empty || field.type === 'range' && Number(field.value) !== Number(value)) {
    field.value = before;
    return { problem: `this field takes ${form}` };
  }
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
  return { done: true };
};

/* Why the field with the focus took nothing of what was typed; '' if there is nothing to tell. */
const untaken = () => {
  const field = fieldAt(null, null);
  const empty = field?.localName === 'input' && field.type === 'number' && field.value === '' && !field.validity.badInput;
  return empty ? 'this field takes a number' : '';
};
