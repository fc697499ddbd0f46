// What a browser shows above a page, as a page of its own: a dialog, a file chooser, the open list of a <select>.

globalThis.show = (shown) => {
  globalThis.answer = null;
  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const end = (button) => {
    globalThis.answer = {
      button, values: fields.map((field) => field.value),
      chosen: rows.flatMap((row, index) => (row.ariaSelected === 'true' ? [index] : [])),
    };
  };
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    * { box-sizing: border-box }
    html { caret-animation: manual }
    body { margin: 0; height: 100vh; overflow: hidden; font: 14px/1.4 system-ui, sans-serif; color: #1f1f1f;
      background: #fff 0 0 / 100vw 100vh no-repeat }
    main { position: fixed; inset: 0 }
    main.shade { background: #0003 }
    dialog { position: fixed; left: 50%; top: 12px; transform: translateX(-50%); margin: 0; padding: 16px 20px;
      width: min(448px, calc(100vw - 16px)); max-height: calc(100vh - 24px); overflow: hidden;
      display: flex; flex-direction: column; border: 0; border-radius: 12px; background: #fff; color: inherit;
      box-shadow: 0 4px 24px #0006, 0 0 0 1px #0002 }
    h2 { margin: 0 0 10px; font-size: 15px; font-weight: 600; overflow-wrap: anywhere }
    p { margin: 0 0 12px; white-space: pre-wrap; overflow-wrap: anywhere; overflow-y: auto; min-height: 1.4em }
    label { display: block; margin-bottom: 10px; font-size: 12px; color: #444 }
    input { display: block; width: 100%; margin-top: 2px; padding: 7px 9px; font: inherit; font-size: 14px;
      border: 1px solid #888; border-radius: 6px }
    input:focus, button:focus { outline: 2px solid #0b57d0; outline-offset: 1px }
    .buttons { display: flex; justify-content: flex-end; gap: 8px; flex: none; padding: 2px }
    button { min-width: 72px; padding: 7px 16px; font: inherit; border: 1px solid #888; border-radius: 16px;
      background: #fff; color: #0b57d0 }
    button.first { background: #0b57d0; border-color: #0b57d0; color: #fff }
    [role=listbox] { overflow-y: auto; border: 1px solid #888; border-radius: 6px; background: #fff; min-height: 60px;
      margin-bottom: 12px }
    [role=listbox].open { position: fixed; margin: 0; border-radius: 0; box-shadow: 0 2px 8px #0006; min-height: 0 }
    [role=option] { padding: 4px 10px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
    [role=option][aria-selected=true] { background: #d3e3fd }
    [role=option][aria-disabled=true] { color: #888 }
    .empty { padding: 8px 10px; color: #666 }`);
  document.adoptedStyleSheets = [sheet];
  document.body.replaceChildren();
  document.body.style.backgroundImage = shown.picture ? `url(${shown.picture})` : '';

  const fields = (shown.fields || []).map(({ value, secret }) =>
    make('input', { type: secret ? 'password' : 'text', value, autocomplete: 'off', spellcheck: false }));
  const rows = (shown.options || []).map(({ label, selected, disabled }) => {
    const row = make('div', { role: 'option', ariaSelected: String(Boolean(selected)), textContent: label || ' ' });
    if (disabled) row.ariaDisabled = 'true';
    return row;
  });
  const choose = (index) => {
    if (rows[index].ariaDisabled) return;
    rows.forEach((row, other) => {
      const on = row.ariaSelected === 'true';
      row.ariaSelected = String(other === index ? !(shown.multiple && on) : shown.multiple && on);
    });
    rows[index].scrollIntoView({ block: 'nearest' });
    if (shown.kind === 'list') return;
    fields[0].value = rows.filter((row) => row.ariaSelected === 'true').map((row) => row.textContent).join('; ');
  };
  rows.forEach((row, index) => {
    if (row.ariaDisabled) return;
    row.onclick = () => { choose(index); if (shown.kind === 'list') end(0); };
    row.ondblclick = () => end(0);
  });
  const list = rows.length || shown.kind !== 'dialog' ? make('div', { role: 'listbox' }, ...rows) : null;
  if (list && !rows.length) list.append(make('div', { className: 'empty', textContent: 'No files' }));

  if (shown.kind === 'list') {
    list.className = 'open';
    const [left, top, right, bottom] = shown.at, below = innerHeight - bottom;
    list.style.cssText = `left:${left}px;min-width:${right - left}px;max-width:${innerWidth - left}px;` +
      (below >= 120 || below >= top ? `top:${bottom}px;max-height:${Math.min(below - 2, 400)}px`
        : `bottom:${innerHeight - top}px;max-height:${Math.min(top - 2, 400)}px`);
    document.body.append(make('main', { onclick: (event) => { if (!list.contains(event.target)) end(-1); } }, list));
    rows.find((row) => row.ariaSelected === 'true')?.scrollIntoView({ block: 'nearest' });
  } else {
    const buttons = shown.buttons.map((name, index) =>
      make('button', { textContent: name, className: index ? '' : 'first', onclick: () => end(index) }));
    const dialog = make('dialog', { open: true, ariaLabel: shown.title }, make('h2', { textContent: shown.title }));
    if (shown.message) dialog.append(make('p', { textContent: shown.message }));
    if (list) dialog.append(list);
    shown.fields?.forEach(({ label }, index) => dialog.append(label ? make('label', {}, label, fields[index]) : fields[index]));
    if (fields.length && !shown.fields.at(-1).label) fields.at(-1).style.marginBottom = '12px';
    dialog.append(make('div', { className: 'buttons' }, ...buttons));
    document.body.append(make('main', { className: 'shade' }, dialog));
    (fields[0] || buttons[0]).focus();
    fields[0]?.select();
  }

  document.onkeydown = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') end(shown.kind === 'list' ? -1 : shown.buttons.length - 1);
    else if (event.key === 'Enter' && event.target.localName !== 'button') end(0);
    else if (step && rows.length) {
      let at = rows.findIndex((row) => row.ariaSelected === 'true') + step;
      while (rows[at]?.ariaDisabled) at += step;
      if (rows[at]) choose(at);
    } else return;
    event.preventDefault();
  };
};
