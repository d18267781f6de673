/**
 * Kubeconfigs, read as kubectl reads them, and the credentials that change while the program runs: token files and exec plug-ins.
 *
 * <p>Start with {@code KubeconfigReader}, which turns kubeconfigs into a configuration of fabric8, and {@code Login}, which says how
 * a connection authenticates. No message contains a token, a password, an argument of a plug-in or what it printed, except its
 * standard error, which {@code MaskedText} masks.
 */
@NullMarked
package io.github.reconciler4j.client.internal.kubeconfig;

import org.jspecify.annotations.NullMarked;
