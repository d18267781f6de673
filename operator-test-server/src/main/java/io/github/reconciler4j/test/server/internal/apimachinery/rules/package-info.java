/** Rules between the fields of built-in kinds, one class per group of kinds, worded like kube-apiserver. Stateless. */
@NullMarked
package io.github.reconciler4j.test.server.internal.apimachinery.rules;

import org.jspecify.annotations.NullMarked;
