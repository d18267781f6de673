/** Discovery documents and the OpenAPI pages built from the registry. */
@NullMarked
package io.github.reconciler4j.test.server.internal.discovery;

import org.jspecify.annotations.NullMarked;
