/** The console: which page the address names, and when it is read again. */
import {DATA, read, setClusters, write} from './api.js';
import {byId, element, hrefOf, link, patch} from './dom.js';
import {listen} from './keys.js';
import {currentQuery, hashOf, openList, pageCount, pageShown, parseQuery, refreshList} from './list.js';
import {openObject, refreshObject, setControllers, shownObject} from './object.js';
import {showOverview} from './overview.js';

const REFRESH = 3000;
/** The part of the time that reading may take at most. */
const SHARE = 20;
const TYPING = 250;

let page = 'overview';
/** What was asked for last, and failed. */
let refused = '';
let refreshes = 0;
let nextRefresh = 0;
let operatorName = 'Operator';
let started = false;

function problem(text) {
  if (byId('problem').textContent !== text) {
    byId('problem').textContent = text;
  }
  byId('problem').hidden = text === '';
}

async function change(controller, action, key) {
  refused = '';
  try {
    await write(controller, action, key);
  } catch (failure) {
    refused = action + ' of ' + controller + ' failed: ' + failure.message;
  }
  await refresh();
}

function controllerOfPage() {
  return page === 'list' ? currentQuery().controller : page === 'object' ? shownObject().controller : '';
}

function showHeader(operator) {
  operatorName = operator.name;
  byId('name').textContent = operator.name;
  const state = (operator.running ? 'running' : 'not running') + ', ' + (operator.leader ? 'leader' : 'standby');
  if (byId('state').textContent !== state) {
    byId('state').textContent = state;
  }
  byId('state').className = 'pill ' + (operator.running ? 'good' : 'warn');
  patch(byId('controllers-nav'), operator.controllers.map(controller => {
    const item = link(controller.name, hrefOf(controller.name));
    if (controller.name === controllerOfPage()) {
      item.setAttribute('aria-current', 'page');
    }
    return element('li', '', '', item);
  }));
}

function showTitle() {
  const names = page === 'list' ? [currentQuery().controller] : page === 'object' ? [shownObject().key] : [];
  document.title = [...names, operatorName].join(' · ');
}

/** The part of the address after '#' names a controller or an object, so that its page can be linked. */
function open() {
  let next = 'overview';
  try {
    const [path, query] = location.hash.slice(1).split('?', 2);
    const [controller, ...key] = path.split('/').map(decodeURIComponent);
    if (controller !== '' && key.join('/') !== '') {
      openObject(controller, key.join('/'));
      next = 'object';
    } else if (controller !== '' && controller !== '#') {
      openList(parseQuery(controller, query));
      next = 'list';
    }
  } catch (failure) {
    refused = 'The link names no object: ' + failure.message;
  }
  const turned = next !== page || next === 'object';
  page = next;
  ['overview', 'list', 'object'].forEach(id => {
    byId(id).hidden = id !== page;
  });
  showTitle();
  if (started && turned) {
    window.scrollTo(0, 0);
    byId(page).querySelector('h1').focus({preventScroll: true}); // where a screen reader goes on
  }
  started = true;
}

async function refresh() {
  refreshes++;
  const start = performance.now();
  try {
    const operator = await read(DATA);
    setClusters(operator.clusters.map(cluster => cluster.name).filter(name => name !== ''));
    setControllers(operator.controllers);
    showHeader(operator);
    showTitle();
    if (page === 'overview') {
      showOverview(operator);
    } else if (page === 'object') {
      await refreshObject();
    } else {
      await showList();
    }
    problem(refused);
  } catch (failure) {
    problem('The operator cannot be read: ' + failure.message);
  } finally {
    refreshes--;
    nextRefresh = performance.now() + Math.max(REFRESH, SHARE * (performance.now() - start));
  }
}

async function showList() {
  const asked = currentQuery();
  try {
    await refreshList();
  } catch (failure) {
    if (asked === currentQuery()) {
      refused = asked.controller + ' cannot be read: ' + failure.message;
    }
  }
}

function openQuery(changed) {
  const hash = hashOf({...currentQuery(), page: 0, ...changed});
  history.replaceState(null, '', hash);
  refused = '';
  open();
  refresh();
}

function turn(by) {
  const wanted = pageShown() + by;
  if (page === 'list' && wanted >= 0 && wanted < pageCount()) {
    openQuery({page: wanted});
    window.scrollTo(0, 0);
  }
}

let typing;
byId('find').addEventListener('submit', event => event.preventDefault());
byId('search').addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(() => page === 'list' && openQuery({search: byId('search').value.trim()}), TYPING);
});
byId('filter').addEventListener('change', () => openQuery({filter: byId('filter').value}));
byId('list-cluster').addEventListener('change', () => openQuery({cluster: byId('list-cluster').value}));
byId('page-previous').addEventListener('click', () => turn(-1));
byId('page-next').addEventListener('click', () => turn(1));
byId('requeue').addEventListener('click', () => change(shownObject().controller, 'REQUEUE', shownObject().key));
document.addEventListener('click', event => {
  const pressed = event.target.closest('button[data-action]');
  if (pressed) {
    change(pressed.dataset.controller, pressed.dataset.action, pressed.dataset.key);
  }
});
listen({
  next: () => turn(1),
  previous: () => turn(-1),
  up: () => {
    if (page !== 'overview') {
      location.hash = page === 'object' ? hrefOf(shownObject().controller) : '';
    }
  }
});
window.addEventListener('hashchange', () => {
  refused = '';
  open();
  refresh();
});
open();
refresh();
setInterval(() => document.hidden || refreshes > 0 || performance.now() < nextRefresh || refresh(), 500);
