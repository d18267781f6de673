/** The EndpointSlice controller: lists the pods behind a Service in slices of at most 100. */
@NullMarked
package io.github.reconciler4j.sample.controllers.endpointslice;

import org.jspecify.annotations.NullMarked;
