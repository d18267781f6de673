/** The page of one object: what happens next, its timeline, its children and its conditions. */
import {pathOf, read, writable} from './api.js';
import {ago, byId, element, hrefOf, link, millis, patch, pill, readinessPill, time, toneOf} from './dom.js';

let shown = null;

/** The controllers by the kind of their objects, so that a child of such a kind is a link. */
let controllersOfKinds = new Map();

export function setControllers(controllers) {
  controllersOfKinds = new Map(controllers.filter(each => each.kind).map(each => [each.kind, each.name]));
}

export function openObject(controller, key) {
  shown = {controller, key};
  byId('object-title').textContent = key;
  byId('object-back').textContent = '← ' + controller;
  byId('object-back').setAttribute('href', hrefOf(controller));
  byId('object-note').textContent = '';
  byId('object-state').hidden = true;
  byId('object-ready').replaceChildren();
  byId('requeue').hidden = true;
  byId('events-note').textContent = '';
  ['timeline', 'children', 'conditions'].forEach(id => byId(id).replaceChildren());
}

export const shownObject = () => shown;

function none(text) {
  return element('li', text, 'none');
}

function line(...children) {
  return element('div', '', 'line', ...children);
}

function entry(at, tone, ...children) {
  return {at: Date.parse(at) || 0, node: element('li', '', tone, ...children)};
}

const OUTCOMES = {
  success: ['Reconciled', 'good'], requeue_after: ['Reconciled', 'good'], requeue: ['Asked for a retry', 'warn'],
  error: ['Failed', 'bad'], stopped: ['Stopped', 'warn']
};

function writeItem(write) {
  const step = write.step === '' || write.step === undefined ? 'by the framework' : 'by ' + write.step;
  const item = element('li', '', '', line(element('strong', write.call), element('span', write.kind.split('.')[0] + ' ' + write.key),
    element('span', step, 'muted')));
  if (write.fields.length > 0) {
    item.append(element('div', '', 'fields', ...write.fields.map(field => element('code', field))));
  }
  return item;
}

function runEntry(run) {
  const [word, tone] = OUTCOMES[run.outcome] ?? [run.outcome, ''];
  const again = run.attempt > 1 ? ', attempt ' + run.attempt : '';
  const children = [
    line(element('strong', word), element('span', 'in ' + millis(run.tookMillis) + again, 'muted'), time(run.started)),
    element('div', 'because of ' + (run.triggers.join(', ') || 'the reconciler itself') + ' · waited ' + millis(run.waitedMillis)
      + ' · ' + run.requests + (run.requests === 1 ? ' request' : ' requests'), 'detail')
  ];
  if (run.error) {
    children.push(element('div', run.error, 'detail bad'));
  }
  const writes = run.writes ?? [];
  if (writes.length > 0) {
    children.push(element('ul', '', 'writes', ...writes.map(writeItem)));
  }
  const made = entry(run.started, tone, ...children);
  made.node.title = 'reconcileID ' + run.reconcileId;
  return made;
}

function eventEntry(event) {
  return entry(event.last, event.type === 'Normal' ? '' : 'warn',
    line(element('strong', event.reason), element('span', 'event' + (event.count > 1 ? ' × ' + event.count : ''), 'muted'), time(event.last)),
    element('div', event.message, 'detail'));
}

function conditionEntry(condition) {
  return entry(condition.since, '',
    line(element('strong', condition.type + ' became ' + condition.status), element('span', 'condition', 'muted'), time(condition.since)),
    element('div', condition.reason, 'detail'));
}

/** All that is known of the past, the latest first. */
function timeline({runs, object}) {
  const entries = runs.map(runEntry);
  if (object) {
    entries.push(...object.events.map(eventEntry));
    entries.push(...object.conditions.filter(condition => condition.since).map(conditionEntry));
    entries.push(entry(object.created, '', line(element('strong', 'Created'), time(object.created))));
    if (object.deleted) {
      entries.push(entry(object.deleted, 'warn', line(element('strong', 'Deletion requested'), time(object.deleted)),
        element('div', 'finalizers: ' + (object.finalizers.join(', ') || 'none'), 'detail')));
    }
  }
  return entries.sort((one, other) => other.at - one.at).map(each => each.node);
}

function childItem(child) {
  const controller = controllersOfKinds.get(child.kind);
  const name = controller ? link(child.key, hrefOf(controller, child.key)) : element('span', child.key);
  const notes = [
    child.deleted ? 'deleted ' + ago(child.deleted) : 'created ' + ago(child.created),
    child.set ? 'set ' + child.set : '',
    child.member ? 'by label' : ''
  ].filter(note => note !== '').join(' · ');
  const item = element('li', '', '',
    line(element('strong', child.kind.split('.')[0]), name, child.deleted ? pill('deleting', 'warn') : readinessPill(child.readiness)),
    element('div', notes, 'detail'));
  if (child.readiness?.message) {
    item.append(element('div', child.readiness.message, 'detail'));
  }
  return item;
}

function conditionItem(condition) {
  const item = element('li', '', '',
    line(element('strong', condition.type), element('span', condition.status), time(condition.since)));
  if (condition.reason || condition.message) {
    item.append(element('div', [condition.reason, condition.message].filter(text => text).join(': '), 'detail'));
  }
  return item;
}

function showState(state) {
  const callout = byId('object-state');
  callout.hidden = !state;
  if (!state) {
    return;
  }
  const until = state.until ? ', until ' + new Date(state.until).toLocaleTimeString() + ' (' + ago(state.until) + ')' : '';
  const scheduled = state.scheduled ? '. Scheduled ' + ago(state.scheduled) : '';
  const text = state.text.charAt(0).toUpperCase() + state.text.slice(1) + until + scheduled + '.';
  callout.className = 'callout ' + toneOf(state);
  if (callout.textContent !== text) {
    callout.textContent = text;
  }
}

function showDetails(details, key) {
  if (!details) {
    byId('object-note').textContent = 'The cache does not contain ' + key + '.';
    byId('object-ready').replaceChildren();
    patch(byId('children'), [none('Not known')]);
    patch(byId('conditions'), [none('Not known')]);
    byId('events-note').textContent = '';
    return;
  }
  byId('object-note').textContent = details.kind + ', generation ' + details.generation + ', created ' + ago(details.created)
    + (details.deleted ? ', deletion requested ' + ago(details.deleted) : '')
    + (details.finalizers.length > 0 ? ', finalizers: ' + details.finalizers.join(', ') : '');
  patch(byId('object-ready'), [readinessPill(details.readiness)]);
  byId('events-note').textContent = details.eventsProblem === '' ? '' : 'Events are not readable: ' + details.eventsProblem;
  const children = details.owned.map(childItem);
  if (details.ownedLeftOut > 0) {
    children.push(none('and ' + details.ownedLeftOut + ' more'));
  }
  patch(byId('children'), children.length > 0 ? children : [none('None of a kind that is cached')]);
  const conditions = details.conditions.map(conditionItem);
  patch(byId('conditions'), conditions.length > 0 ? conditions : [none('None')]);
}

export async function refreshObject() {
  const asked = shown;
  let object;
  try {
    object = await read(pathOf(asked.controller, asked.key));
  } catch (failure) {
    if (asked === shown) {
      byId('object-note').textContent = asked.controller + ' ' + asked.key + ' cannot be read: ' + failure.message;
    }
    return;
  }
  if (asked !== shown) {
    return; // another object was chosen meanwhile
  }
  showState(object.state);
  showDetails(object.object, object.key);
  byId('requeue').hidden = !writable;
  const entries = timeline(object);
  patch(byId('timeline'), entries.length > 0 ? entries : [none('Nothing is remembered of ' + object.key + '.')]);
}
