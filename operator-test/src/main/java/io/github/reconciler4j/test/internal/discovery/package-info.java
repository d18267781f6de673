/** Discovery documents and the OpenAPI pages built from the registry. */
@NullMarked
package io.github.reconciler4j.test.internal.discovery;

import org.jspecify.annotations.NullMarked;
