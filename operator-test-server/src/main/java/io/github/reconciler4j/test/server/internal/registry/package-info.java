/** Which kinds the server serves: the built-in ones and those of CustomResourceDefinitions. */
@NullMarked
package io.github.reconciler4j.test.server.internal.registry;

import org.jspecify.annotations.NullMarked;
