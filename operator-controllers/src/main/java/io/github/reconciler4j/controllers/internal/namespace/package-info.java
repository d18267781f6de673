/** The namespace controller: empties namespaces that are being deleted, and lets them go. */
@NullMarked
package io.github.reconciler4j.controllers.internal.namespace;

import org.jspecify.annotations.NullMarked;
