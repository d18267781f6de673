/** The page of the operator. */
import {writable} from './api.js';
import {ago, button, byId, cell, duration, element, fill, hrefOf, link, memory, patch, pill} from './dom.js';

function figure(name, value, className) {
  return element('div', '', '', element('dt', name), element('dd', String(value ?? 0), className));
}

function card(controller) {
  const queue = controller.queue ?? {};
  const state = controller.paused ? 'PAUSED' : controller.state;
  const head = element('div', '', 'card-head', link(controller.name, hrefOf(controller.name)),
    pill(state.toLowerCase(), state === 'RUNNING' ? 'good' : 'warn'));
  if (controller.deletionsStopped) {
    head.append(pill('deletions stopped', 'bad'));
  }
  const figures = element('dl', '', 'figures',
    figure('Busy', controller.busy + '/' + controller.workers),
    figure('Ready', queue.ready),
    figure('Delayed', queue.delayed),
    figure('Failing', controller.failingCount, controller.failingCount > 0 ? 'bad' : ''));
  const notes = [
    controller.deletionsStopped ? 'deletions stopped ' + controller.deletionsStopped : '',
    queue.backoff ? queue.backoff + ' in backoff' : '',
    controller.pausedObjects ? controller.pausedObjects + ' paused' : '',
    controller.stalledCount ? controller.stalledCount + ' stalled' : '',
    queue.oldestSeconds == null ? '' : 'oldest ' + duration(queue.oldestSeconds),
    controller.serviceAccount ? 'writes as ' + controller.serviceAccount : ''
  ].filter(note => note !== '').join(' · ');
  const foot = element('div', '', 'card-foot', element('span', notes || (controller.kind ?? ''), 'muted'));
  if (writable) {
    foot.append(controller.paused
      ? button('Resume', 'RESUME', controller.name) : button('Pause', 'PAUSE', controller.name));
  }
  if (writable && controller.deletionsStopped) {
    foot.append(button('Release', 'RELEASE', controller.name));
  }
  return element('li', '', 'card', head, figures, foot);
}

function failingRow(controller, failing) {
  const next = failing.terminal ? 'after a change' : failing.next ? ago(failing.next) : 'now';
  return [
    cell(link(failing.key, hrefOf(controller.name, failing.key))),
    cell(controller.name),
    cell(failing.failures, 'number'),
    cell(ago(failing.last)),
    cell(next),
    cell(failing.error, 'text'),
    cell(writable ? button('Requeue', 'REQUEUE', controller.name, failing.key) : '')
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
  ]]);
}

function componentRow(component) {
  const good = component.state === 'RUNNING' || component.state === 'STARTED';
  return [
    cell(component.name),
    cell(component.state.toLowerCase(), good ? 'good' : 'warn'),
    cell(ago(component.since)),
    cell(component.detail, 'text')
  ];
}

export function showOverview(operator) {
  patch(byId('controllers'), operator.controllers.map(card));
  fill('failing', operator.controllers.flatMap(
    controller => controller.failing.map(failing => failingRow(controller, failing))), 'No object fails.');
  fill('kinds', operator.kinds.map(kindRow));
  fill('leases', operator.leases.map(leaseRow));
  showSharding(operator.sharding);
  fill('components', operator.components.map(componentRow));
}
