/** Rules between the fields of built-in kinds, one class per group of kinds, in the words of the server. Stateless. */
@NullMarked
package io.github.reconciler4j.test.server.apimachinery.rules;

import org.jspecify.annotations.NullMarked;
