/** A whole cluster inside the JVM, for tests: the API server, Kubernetes' own controllers, a scheduler and a kubelet. */
@NullMarked
package io.github.reconciler4j.test.fullcluster;

import org.jspecify.annotations.NullMarked;
