/** The keyboard: single keys, which the help can turn off, and none of them while a text is written. */
import {byId} from './dom.js';

const OFF = 'reconciler4j-keys-off';

function stored() {
  try {
    return localStorage.getItem(OFF) === 'true';
  } catch (failure) {
    return false; // a browser without storage for this site
  }
}

function isWriting(target) {
  return target.isContentEditable || ['INPUT', 'SELECT', 'TEXTAREA'].includes(target.tagName);
}

/** The links of the list that is shown, one per row. */
function rows() {
  const table = ['objects', 'failing'].map(byId).find(each => each.offsetParent !== null);
  return table ? [...table.querySelectorAll('tbody a')] : [];
}

function step(by) {
  const links = rows();
  const now = links.indexOf(document.activeElement);
  links[now < 0 ? (by > 0 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, now + by))]?.focus();
}

function showHelp() {
  if (!byId('help').open) {
    byId('help').showModal();
  }
}

/** Listen to keys; the actions are up, next and previous page. */
export function listen(actions) {
  const on = byId('keys-on');
  on.checked = !stored();
  on.addEventListener('change', () => {
    try {
      localStorage.setItem(OFF, String(!on.checked));
    } catch (failure) {
      // it holds until the page is closed
    }
  });
  byId('help-open').addEventListener('click', showHelp);
  byId('skip').addEventListener('click', event => {
    event.preventDefault(); // the address names the page
    byId('main').focus();
  });
  const keys = {
    '/': () => byId('list').hidden || byId('search').focus(),
    'j': () => step(1),
    'k': () => step(-1),
    'n': actions.next,
    'p': actions.previous,
    'u': actions.up,
    '?': showHelp
  };
  document.addEventListener('keydown', event => {
    if (event.key === 'Escape' && event.target === byId('search')) {
      event.target.blur();
      step(1);
      return;
    }
    const action = keys[event.key];
    const other = event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented;
    if (action && !other && on.checked && !isWriting(event.target) && !byId('help').open) {
      event.preventDefault();
      action();
    }
  });
}
