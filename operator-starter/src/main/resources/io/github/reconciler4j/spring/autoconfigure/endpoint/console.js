'use strict';

const REFRESH = 3000;
const DATA = 'reconciler4j';
const TIMEOUT = 15000;
const writable = document.documentElement.dataset.writable === 'true' && !isWithinAnotherSite();
const byId = id => document.getElementById(id);
let shown = null;
let clusters = [];
/** What was asked for last, and failed. */
let refused = '';
let refreshes = 0;

/** Within the page of another site nobody can know what they click on. */
function isWithinAnotherSite() {
  try {
    for (let page = window; page !== page.parent; page = page.parent) {
      if (page.parent.location.origin !== location.origin) {
        return true;
      }
    }
    return false;
  } catch (failure) {
    return true; // the origin of another site is hidden
  }
}

function element(tag, text, className) {
  const created = document.createElement(tag);
  created.textContent = text ?? '';
  if (className) {
    created.className = className;
  }
  return created;
}

function cell(content, className) {
  const created = element('td', content instanceof Node ? '' : content, className);
  if (content instanceof Node) {
    created.append(content);
  }
  return created;
}

function button(text, action, className) {
  const created = element('button', text, className);
  created.type = 'button';
  created.addEventListener('click', action);
  return created;
}

function fill(id, rows, columns) {
  const body = byId(id);
  if (rows.length === 0) {
    const none = cell('none', 'none');
    none.colSpan = columns;
    rows = [[none]];
  }
  body.replaceChildren(...rows.map(cells => {
    const row = document.createElement('tr');
    row.append(...cells);
    return row;
  }));
}

function ago(instant) {
  if (!instant) {
    return '';
  }
  const seconds = Math.round((Date.now() - Date.parse(instant)) / 1000);
  if (Number.isNaN(seconds)) {
    return instant; // whoever writes a condition can write anything there
  }
  return seconds >= 0 ? duration(seconds) + ' ago' : 'in ' + duration(-seconds);
}

function duration(seconds) {
  if (seconds < 120) {
    return Math.round(seconds) + ' s';
  }
  return seconds < 7200 ? Math.round(seconds / 60) + ' min' : Math.round(seconds / 3600) + ' h';
}

function millis(value) {
  return value < 10 ? value.toFixed(2) + ' ms' : value < 10000 ? value.toFixed(0) + ' ms' : (value / 1000).toFixed(1) + ' s';
}

function memory(bytes) {
  return bytes < 1048576 ? (bytes / 1024).toFixed(1) + ' KiB' : (bytes / 1048576).toFixed(1) + ' MiB';
}

/**
 * A key is namespace/name, or a name alone, with ' in ' and the cluster if it is not that of the operator. A role can have ' in ' in its
 * name.
 */
function parts(key) {
  const cluster = clusters.find(each => key.endsWith(' in ' + each));
  const object = cluster === undefined ? key : key.slice(0, -(' in ' + cluster).length);
  const slash = object.indexOf('/');
  return {namespace: object.slice(0, Math.max(slash, 0)), name: object.slice(slash + 1), cluster};
}

async function read(path) {
  const response = await fetch(path, {
    headers: {Accept: 'application/json'},
    credentials: 'same-origin',
    signal: AbortSignal.timeout(TIMEOUT)
  });
  if (!response.ok) {
    throw new Error('status ' + response.status);
  }
  try {
    return await response.json();
  } catch (failure) {
    throw new Error('the response is not valid JSON; a proxy may have sent it');
  }
}

/** Spring Security's token against forged requests, if there is one. */
function forgeryToken() {
  const cookie = document.cookie.split('; ').find(each => each.startsWith('XSRF-TOKEN='));
  return cookie ? {'X-XSRF-TOKEN': decodeURIComponent(cookie.slice('XSRF-TOKEN='.length))} : {};
}

async function change(controller, action, key) {
  refused = '';
  try {
    const body = key === undefined ? {action} : {action, ...parts(key)};
    const response = await fetch(DATA + '/' + encodeURIComponent(controller), {
      method: 'POST',
      headers: {'Content-Type': 'application/json', ...forgeryToken()},
      credentials: 'same-origin',
      signal: AbortSignal.timeout(TIMEOUT),
      body: JSON.stringify(body)
    });
    if (!response.ok) {
      throw new Error('status ' + response.status);
    }
  } catch (failure) {
    refused = action + ' of ' + controller + ' failed: ' + failure.message;
  }
  await refresh();
}

function problem(text) {
  byId('problem').textContent = text;
  byId('problem').hidden = text === '';
}

function controllerRow(controller) {
  const queue = controller.queue ?? {};
  const state = controller.paused ? 'PAUSED' : controller.state;
  const action = !writable ? '' : controller.paused
    ? button('Resume', () => change(controller.name, 'RESUME'))
    : button('Pause', () => change(controller.name, 'PAUSE'));
  return [
    cell(controller.name),
    cell(state, state === 'RUNNING' ? 'good' : 'warn'),
    cell(controller.busy + '/' + controller.workers, 'number'),
    cell(queue.ready, 'number'),
    cell(queue.delayed, 'number'),
    cell(queue.backoff, 'number'),
    cell(queue.oldestSeconds == null ? '' : duration(queue.oldestSeconds), 'number'),
    cell(controller.failingCount, controller.failingCount > 0 ? 'number bad' : 'number'),
    cell(controller.pausedObjects, controller.pausedObjects > 0 ? 'number warn' : 'number'),
    cell(action)
  ];
}

function failingRow(controller, failing) {
  const next = failing.terminal ? 'after a change' : failing.next ? ago(failing.next) : 'now';
  return [
    cell(controller.name),
    cell(button(failing.key, () => show(controller.name, failing.key), 'link')),
    cell(failing.failures, 'number'),
    cell(ago(failing.last)),
    cell(next),
    cell(failing.error, 'text'),
    cell(writable ? button('Requeue', () => change(controller.name, 'REQUEUE', failing.key)) : '')
  ];
}

function runRow(run) {
  const good = run.outcome === 'success' || run.outcome === 'requeue_after';
  return [
    cell(ago(run.started)),
    cell(run.outcome, good ? 'good' : 'bad'),
    cell(millis(run.tookMillis), 'number'),
    cell(millis(run.waitedMillis), 'number'),
    cell(run.attempt, 'number'),
    cell(run.requests, 'number'),
    cell(run.triggers.join(', ') || 'the reconciler itself', 'text'),
    cell(run.error, 'text'),
    cell(run.reconcileId)
  ];
}

function conditionRow(condition) {
  return [
    cell(condition.type),
    cell(condition.status),
    cell(condition.reason),
    cell(condition.message, 'text'),
    cell(ago(condition.since))
  ];
}

function eventRow(event) {
  return [
    cell(ago(event.last)),
    cell(event.type, event.type === 'Normal' ? '' : 'warn'),
    cell(event.reason),
    cell(event.message, 'text'),
    cell(event.count, 'number')
  ];
}

function ownedRow(owned) {
  return [
    cell(owned.kind),
    cell(owned.key),
    cell(ago(owned.created)),
    cell(owned.deleted ? 'deleted ' + ago(owned.deleted) : '', 'warn')
  ];
}

function kindRow(kind) {
  return [
    cell(kind.cluster === '' ? kind.kind : kind.kind + ' in ' + kind.cluster),
    cell(kind.synced ? 'yes' : 'no', kind.synced ? 'good' : 'bad'),
    cell(kind.objects, 'number'),
    cell(memory(kind.bytes), 'number'),
    cell(kind.undecodableObjects, kind.undecodableObjects > 0 ? 'number bad' : 'number'),
    cell(ago(kind.since)),
    cell(kind.stalenessSeconds + ' s', 'number'),
    cell(kind.failure, 'text bad')
  ];
}

function leaseRow(lease) {
  return [
    cell(lease.lease),
    cell(lease.leading ? 'yes' : 'no', lease.leading ? 'good' : ''),
    cell(lease.holder),
    cell(lease.identity),
    cell(lease.remainingSeconds.toFixed(1) + ' s', 'number')
  ];
}

function showSharding(sharding) {
  byId('sharding-section').hidden = !sharding;
  if (!sharding) {
    return;
  }
  byId('sharding-note').textContent = sharding.problem;
  fill('sharding', [[
    cell(sharding.identity),
    cell(sharding.shards.length + ' of ' + sharding.count, 'number'),
    cell(sharding.shards.join(', '), 'text'),
    cell(sharding.replicas, 'number'),
    cell(sharding.unheld, sharding.unheld > 0 ? 'number warn' : 'number'),
    cell(sharding.imbalance, sharding.imbalance > 1 ? 'number warn' : 'number'),
    cell(sharding.acquired, 'number'),
    cell(sharding.released, 'number'),
    cell(sharding.lost, sharding.lost > 0 ? 'number warn' : 'number')
  ]], 9);
}

function componentRow(component) {
  const good = component.state === 'RUNNING' || component.state === 'STARTED';
  return [
    cell(component.name),
    cell(component.state, good ? 'good' : 'warn'),
    cell(ago(component.since)),
    cell(component.detail, 'text')
  ];
}

function choices(controllers) {
  const select = byId('find-controller');
  const names = controllers.map(controller => controller.name);
  if ([...select.options].map(option => option.value).join() !== names.join()) {
    const chosen = select.value;
    select.replaceChildren(...names.map(name => element('option', name)));
    select.value = names.includes(chosen) ? chosen : names[0] ?? '';
  }
}

function showDetails(details) {
  byId('object-details').hidden = !details;
  if (!details) {
    return;
  }
  fill('conditions', details.conditions.map(conditionRow), 5);
  fill('events', details.events.map(eventRow), 5);
  fill('owned', details.owned.map(ownedRow), 4);
  byId('events-note').textContent = details.eventsProblem === '' ? '' : 'Not readable: ' + details.eventsProblem;
}

function note(object) {
  if (!object.object) {
    return 'The cache does not contain ' + object.key + '.';
  }
  const {kind, generation, created, deleted, finalizers} = object.object;
  return kind + ', generation ' + generation + ', created ' + ago(created)
    + (deleted ? ', deletion requested ' + ago(deleted) : '')
    + (finalizers.length > 0 ? ', finalizers: ' + finalizers.join(', ') : '');
}

/** Browsers take '.' and '..' out of a path, encoded or not, which would then name something else. */
function pathOf({controller, key}) {
  const {namespace, name, cluster} = parts(key);
  if (name === '' || ['.', '..'].some(dots => [controller, namespace, name].includes(dots))) {
    throw new Error('no object has this name');
  }
  const path = [DATA, controller, namespace, name].filter(part => part !== '').map(encodeURIComponent).join('/');
  return path + (cluster === undefined ? '' : '?cluster=' + encodeURIComponent(cluster));
}

async function showRuns() {
  if (!shown) {
    return;
  }
  const asked = shown;
  let object;
  try {
    object = await read(pathOf(asked));
  } catch (failure) {
    if (asked === shown) {
      byId('object-note').textContent = asked.controller + ' ' + asked.key + ' cannot be read: ' + failure.message;
    }
    return;
  }
  if (asked !== shown) {
    return; // another object was chosen meanwhile
  }
  byId('object-note').textContent = note(object)
    + (object.runs.length === 0 ? ' No run of ' + shown.key + ' is remembered.' : '');
  showDetails(object.object);
  byId('find-requeue').hidden = !writable;
  fill('runs', object.runs.map(runRow), 9);
}

function choose(controller, key) {
  shown = {controller, key};
  refused = '';
  byId('object-note').textContent = '';
  byId('find-requeue').hidden = true;
  showDetails(null);
  fill('runs', [], 9);
}

/** The part of the address after '#' names the object, so that its page can be linked. */
function openLinked() {
  try {
    const [controller, ...key] = location.hash.slice(1).split('/').map(decodeURIComponent);
    if (controller !== '' && key.length > 0) {
      choose(controller, key.join('/'));
    }
  } catch (failure) {
    refused = 'The link names no object: ' + failure.message;
  }
}

function show(controller, key) {
  const {namespace, name} = parts(key);
  history.replaceState(null, '', '#' + [controller, ...key.split('/')].map(encodeURIComponent).join('/'));
  byId('find-controller').value = controller;
  byId('find-namespace').value = namespace;
  byId('find-name').value = name;
  choose(controller, key);
  byId('find').scrollIntoView({block: 'nearest'});
  refresh();
}

async function refresh() {
  refreshes++;
  try {
    const operator = await read(DATA);
    clusters = operator.clusters.map(cluster => cluster.name).filter(name => name !== '');
    document.title = operator.name;
    byId('name').textContent = operator.name;
    byId('state').textContent = (operator.running ? 'running' : 'not running') + ', '
      + (operator.leader ? 'leader' : 'standby') + ', ' + new Date().toLocaleTimeString();
    fill('controllers', operator.controllers.map(controllerRow), 9);
    fill('failing', operator.controllers.flatMap(
      controller => controller.failing.map(failing => failingRow(controller, failing))), 7);
    fill('kinds', operator.kinds.map(kindRow), 8);
    fill('leases', operator.leases.map(leaseRow), 5);
    showSharding(operator.sharding);
    fill('components', operator.components.map(componentRow), 4);
    choices(operator.controllers);
    await showRuns();
    problem(refused);
  } catch (failure) {
    problem('The operator cannot be read: ' + failure.message);
  } finally {
    refreshes--;
  }
}

byId('find').addEventListener('submit', event => {
  event.preventDefault();
  const namespace = byId('find-namespace').value.trim();
  const name = byId('find-name').value.trim();
  show(byId('find-controller').value, namespace === '' ? name : namespace + '/' + name);
});
byId('find-requeue').addEventListener('click', () => change(shown.controller, 'REQUEUE', shown.key));
fill('runs', [], 9);
openLinked();
refresh();
window.addEventListener('hashchange', () => {
  refused = '';
  openLinked();
  refresh();
});
setInterval(() => document.hidden || refreshes > 0 || refresh(), REFRESH);
