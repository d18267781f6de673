/** Rules of RBAC in one normal form, and the comparison of what a role grants with what an operator asked for. */
@NullMarked
package io.github.reconciler4j.generator.rbac;

import org.jspecify.annotations.NullMarked;
