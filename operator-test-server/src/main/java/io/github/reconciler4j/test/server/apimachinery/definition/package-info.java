/** What the server demands of CustomResourceDefinitions, with its words. */
@NullMarked
package io.github.reconciler4j.test.server.apimachinery.definition;

import org.jspecify.annotations.NullMarked;
