/** Label selectors and field selectors, parsed and matched as the API server does it. */
@NullMarked
package io.github.reconciler4j.test.server.internal.apimachinery.selector;

import org.jspecify.annotations.NullMarked;
