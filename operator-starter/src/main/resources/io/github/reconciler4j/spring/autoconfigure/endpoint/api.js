/** Requests to the endpoint of the operator, with the rights of the browser's user. */

export const DATA = 'reconciler4j';
const TIMEOUT = 15000;

/** The names of the clusters besides that of the operator. */
let clusters = [];

export function setClusters(names) {
  clusters = names;
}

export function knownClusters() {
  return clusters;
}

export const writable = document.documentElement.dataset.writable === 'true' && !isWithinAnotherSite();

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

/**
 * A key is namespace/name, or a name alone, with ' in ' and the cluster if it is not that of the operator. A role can have ' in ' in its
 * name.
 */
export function parts(key) {
  const cluster = clusters.find(each => key.endsWith(' in ' + each));
  const object = cluster === undefined ? key : key.slice(0, -(' in ' + cluster).length);
  const slash = object.indexOf('/');
  return {namespace: object.slice(0, Math.max(slash, 0)), name: object.slice(slash + 1), cluster};
}

/** Browsers take '.' and '..' out of a path, encoded or not, which would then name something else. */
export function pathOf(controller, key) {
  const {namespace, name, cluster} = parts(key);
  if (name === '' || ['.', '..'].some(dots => [controller, namespace, name].includes(dots))) {
    throw new Error('no object has this name');
  }
  const path = [DATA, controller, namespace, name].filter(part => part !== '').map(encodeURIComponent).join('/');
  return path + (cluster === undefined ? '' : '?cluster=' + encodeURIComponent(cluster));
}

export async function read(path) {
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

export async function write(controller, action, key) {
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
}
