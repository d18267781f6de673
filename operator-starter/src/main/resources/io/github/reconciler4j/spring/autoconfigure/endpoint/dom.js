/** Elements and texts. All text gets into the page as text: nothing here parses HTML. */

export const byId = id => document.getElementById(id);

export function element(tag, text, className, ...children) {
  const created = document.createElement(tag);
  created.textContent = text ?? '';
  if (className) {
    created.className = className;
  }
  created.append(...children);
  return created;
}

export function link(text, href) {
  const created = element('a', text);
  created.setAttribute('href', href);
  return created;
}

/** A button whose click console.js finds by its data, so that a button that did not change can stay as it is. */
export function button(text, action, controller, key) {
  const created = element('button', text, 'small');
  created.type = 'button';
  created.dataset.action = action;
  created.dataset.controller = controller;
  if (key !== undefined) {
    created.dataset.key = key;
    created.setAttribute('aria-label', text + ' ' + key);
  } else {
    created.setAttribute('aria-label', text + ' ' + controller);
  }
  return created;
}

export const pill = (text, tone) => element('span', text, 'pill ' + tone);

export function cell(content, className) {
  const created = element('td', content instanceof Node ? '' : content, className);
  if (content instanceof Node) {
    created.append(content);
  }
  return created;
}

/** Replace only those children that differ, so that focus, selection and scrolling survive a refresh. */
export function patch(parent, wanted) {
  const focused = parent.contains(document.activeElement) ? place(parent, document.activeElement) : null;
  wanted.forEach((next, i) => {
    const now = parent.children[i];
    if (now === undefined) {
      parent.append(next);
    } else if (!sameNode(now, next)) {
      now.replaceWith(next);
    }
  });
  while (parent.children.length > wanted.length) {
    parent.lastElementChild.remove();
  }
  if (focused && !parent.contains(document.activeElement)) {
    refocus(parent, focused);
  }
}

function sameNode(now, next) {
  if (now.classList.contains('chosen')) {
    next.classList.add('chosen');
  }
  return now.isEqualNode(next);
}

const FOCUSABLE = 'a[href], button, [tabindex]';

function place(parent, active) {
  const row = [...parent.children].findIndex(child => child.contains(active));
  return {href: active.getAttribute('href'), label: active.getAttribute('aria-label'), row};
}

function refocus(parent, {href, label, row}) {
  const all = [...parent.querySelectorAll(FOCUSABLE)];
  const same = all.find(each => href !== null && each.getAttribute('href') === href
    || label !== null && each.getAttribute('aria-label') === label);
  const near = parent.children[Math.min(row, parent.children.length - 1)];
  (same ?? near?.querySelector(FOCUSABLE))?.focus();
}

/** Fill a table. The roles are given because tables are shown as blocks on a phone, which takes their roles away. */
export function fill(id, rows, empty = 'none') {
  const table = byId(id);
  const columns = table.dataset.columns.split(',');
  if (table.tBodies.length === 0) {
    const head = element('tr');
    head.setAttribute('role', 'row');
    columns.forEach(name => {
      const title = element('th', name);
      title.scope = 'col';
      title.setAttribute('role', 'columnheader');
      head.append(title);
    });
    const thead = element('thead', '', '', head);
    thead.setAttribute('role', 'rowgroup');
    const tbody = element('tbody');
    tbody.setAttribute('role', 'rowgroup');
    table.append(thead, tbody);
  }
  if (rows.length === 0) {
    const none = cell(empty, 'none');
    none.colSpan = columns.length;
    rows = [[none]];
  }
  patch(table.tBodies[0], rows.map(cells => {
    const row = element('tr');
    row.setAttribute('role', 'row');
    cells.forEach((each, i) => {
      each.setAttribute('role', 'cell');
      if (!each.classList.contains('none')) {
        each.dataset.label = columns[i];
      }
    });
    row.append(...cells);
    return row;
  }));
}

export function ago(instant) {
  if (!instant) {
    return '';
  }
  const seconds = Math.round((Date.now() - Date.parse(instant)) / 1000);
  if (Number.isNaN(seconds)) {
    return instant; // whoever writes a condition can write anything there
  }
  return seconds >= 0 ? duration(seconds) + ' ago' : 'in ' + duration(-seconds);
}

/** The time of an instant, with the exact one for a pointer. */
export function time(instant) {
  const created = element('time', ago(instant));
  created.title = instant ?? '';
  return created;
}

export function duration(seconds) {
  if (seconds < 120) {
    return Math.round(seconds) + ' s';
  }
  if (seconds < 7200) {
    return Math.round(seconds / 60) + ' min';
  }
  return seconds < 172800 ? Math.round(seconds / 3600) + ' h' : Math.round(seconds / 86400) + ' d';
}

export function millis(value) {
  return value < 10 ? value.toFixed(1) + ' ms' : value < 10000 ? value.toFixed(0) + ' ms' : (value / 1000).toFixed(1) + ' s';
}

export function memory(bytes) {
  return bytes < 1048576 ? (bytes / 1024).toFixed(1) + ' KiB' : (bytes / 1048576).toFixed(1) + ' MiB';
}

/** The address of a page: what it names is encoded, so any name is possible. */
export function hrefOf(controller, key) {
  return '#' + [controller, ...(key === undefined ? [] : key.split('/'))].map(encodeURIComponent).join('/');
}

const TONES = {
  RUNNING: 'busy', READY: 'busy', BACKOFF: 'bad', STALLED: 'bad', PAUSED: 'warn', CONTROLLER_PAUSED: 'warn', NOT_LEADER: 'warn',
  SHARD: 'warn', NOT_RUNNING: 'warn', RATE_LIMIT: 'warn', MIN_INTERVAL: '', REQUEUE_AFTER: '', CHANGE: ''
};
const WORDS = {
  RUNNING: 'reconciling', READY: 'queued', BACKOFF: 'failing', STALLED: 'stalled', PAUSED: 'paused',
  CONTROLLER_PAUSED: 'controller paused', NOT_LEADER: 'not the leader', SHARD: 'other shard', NOT_RUNNING: 'not running',
  RATE_LIMIT: 'rate limit', MIN_INTERVAL: 'minInterval', REQUEUE_AFTER: 'waits', CHANGE: 'idle'
};

export const toneOf = state => TONES[state?.why] ?? '';
export const wordOf = state => WORDS[state?.why] ?? '';

const READINESS = {READY: ['ready', 'good'], WAITING: ['not ready', 'warn'], FAILED: ['failed', 'bad']};

/** A pill, or nothing if the readiness is not known. */
export function readinessPill(readiness) {
  const known = READINESS[readiness?.state];
  return known ? pill(...known) : element('span');
}
