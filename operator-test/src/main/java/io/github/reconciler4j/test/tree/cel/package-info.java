/**
 * Validation rules of custom resources ({@code x-kubernetes-validations}), evaluated with the CEL library. Not there: the
 * server's budgets for the cost of rules, and the functions for IP addresses, semantic versions, named formats and
 * authorization.
 */
@NullMarked
package io.github.reconciler4j.test.tree.cel;

import org.jspecify.annotations.NullMarked;
