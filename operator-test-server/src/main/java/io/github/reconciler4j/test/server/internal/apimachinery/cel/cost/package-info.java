/** What validation rules may cost at most, estimated as kube-apiserver does before it accepts a definition. */
@NullMarked
package io.github.reconciler4j.test.server.internal.apimachinery.cel.cost;

import org.jspecify.annotations.NullMarked;
