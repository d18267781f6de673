/** The protocols of admission and conversion, and the HTTPS listener. Not part of the API. */
@NullMarked
package io.github.reconciler4j.webhook.internal;

import org.jspecify.annotations.NullMarked;
