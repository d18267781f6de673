/** The objects of a controller, a page at a time. The address has the search, so that a list can be linked. */
import {DATA, knownClusters, read} from './api.js';
import {ago, byId, cell, element, fill, hrefOf, link, pill, readinessPill, toneOf, wordOf} from './dom.js';

let asked = null;
let matching = {page: 0, pages: 1};

/** The part of an address after '#' for a list. */
export function hashOf({controller, search, filter, page, cluster}) {
  const query = new URLSearchParams();
  if (search) {
    query.set('search', search);
  }
  if (filter && filter !== 'ALL') {
    query.set('filter', filter);
  }
  if (page > 0) {
    query.set('page', page);
  }
  if (cluster) {
    query.set('cluster', cluster);
  }
  const text = query.toString();
  return hrefOf(controller) + (text === '' ? '' : '?' + text);
}

export function parseQuery(controller, text) {
  const query = new URLSearchParams(text);
  const filter = (query.get('filter') ?? 'ALL').toUpperCase();
  return {
    controller,
    search: query.get('search') ?? '',
    filter: [...byId('filter').options].some(option => option.value === filter) ? filter : 'ALL',
    page: Math.max(0, parseInt(query.get('page') ?? '0', 10) || 0),
    cluster: query.get('cluster') ?? ''
  };
}

function stateCell(state) {
  if (!state) {
    return cell('');
  }
  const shown = element('span', '', '', pill(wordOf(state), toneOf(state)));
  if (state.until) {
    shown.append(element('span', ' ' + ago(state.until), 'muted'));
  }
  return cell(shown);
}

function row(item) {
  return [
    cell(link(item.key, hrefOf(asked.controller, item.key))),
    cell(item.deleted ? pill('deleting', 'warn') : readinessPill(item.readiness)),
    stateCell(item.state),
    cell(ago(item.created).replace(/ ago$/, ''), 'age'),
    cell(item.failures > 0 ? item.error + ' (' + item.failures + ' in a row)' : '', 'text bad')
  ];
}

export function openList(query) {
  const other = asked === null || asked.controller !== query.controller;
  asked = query;
  byId('list-title').textContent = query.controller;
  if (document.activeElement !== byId('search')) {
    byId('search').value = query.search;
  }
  byId('filter').value = query.filter;
  const choice = byId('list-cluster');
  choice.hidden = knownClusters().length === 0;
  choice.replaceChildren(...['', ...knownClusters()].map(name => {
    const option = element('option', name === '' ? 'Home cluster' : name);
    option.value = name;
    return option;
  }));
  choice.value = query.cluster;
  if (other) {
    byId('list-kind').textContent = '';
    byId('list-count').textContent = '';
    fill('objects', [], 'Loading');
  }
}

export function currentQuery() {
  return asked;
}

export const pageCount = () => matching.pages;
export const pageShown = () => matching.page;

export async function refreshList() {
  const query = asked;
  const parameters = new URLSearchParams({page: query.page, search: query.search, filter: query.filter});
  if (query.cluster) {
    parameters.set('cluster', query.cluster);
  }
  const controller = await read(DATA + '/' + encodeURIComponent(query.controller) + '?' + parameters);
  if (query !== asked) {
    return; // something else was asked for meanwhile
  }
  const objects = controller.objects;
  byId('list-kind').textContent = controller.kind ?? '';
  if (!objects) {
    count('The requests of this controller are not those of objects.');
    fill('objects', [], 'No objects');
    return;
  }
  matching = {page: objects.page, pages: Math.max(1, Math.ceil(objects.matching / objects.size))};
  count(!objects.synced ? 'The cache is not complete yet.'
    : objects.matching === objects.total ? objects.total + (objects.total === 1 ? ' object' : ' objects')
      : objects.matching + ' of ' + objects.total + ' objects');
  fill('objects', objects.items.map(row), objects.total === 0 ? 'No objects' : 'No object matches.');
  byId('page-number').textContent = 'Page ' + (matching.page + 1) + ' of ' + matching.pages;
  byId('page-previous').disabled = matching.page === 0;
  byId('page-next').disabled = matching.page + 1 >= matching.pages;
}

/** A status is read aloud when it changes, so it is set only then. */
function count(text) {
  if (byId('list-count').textContent !== text) {
    byId('list-count').textContent = text;
  }
}
