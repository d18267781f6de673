/** The EndpointSlice controller: lists the pods behind a Service in slices of at most 100. */
@NullMarked
package io.github.reconciler4j.controllers.internal.endpointslice;

import org.jspecify.annotations.NullMarked;
