/** Finds out what the API server serves, one group and version at a time. */
@NullMarked
package io.github.reconciler4j.client.internal.discovery;

import org.jspecify.annotations.NullMarked;
