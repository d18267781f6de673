/** What a server was asked: descriptions of requests, ways to pick some, and a log. */
@NullMarked
package io.github.reconciler4j.test.request;

import org.jspecify.annotations.NullMarked;
