/** Validation rules of custom resources ({@code x-kubernetes-validations}), evaluated with the CEL library. */
@NullMarked
package io.github.reconciler4j.test.server.internal.apimachinery.cel;

import org.jspecify.annotations.NullMarked;
