/**
 * The work queue: no key lost, none handed out twice at a time. Knows nothing of Kubernetes.
 */
@NullMarked
package io.github.reconciler4j.workqueue;

import org.jspecify.annotations.NullMarked;
