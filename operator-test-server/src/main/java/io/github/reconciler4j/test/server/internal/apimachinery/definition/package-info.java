/** The validation of CustomResourceDefinitions. */
@NullMarked
package io.github.reconciler4j.test.server.internal.apimachinery.definition;

import org.jspecify.annotations.NullMarked;
