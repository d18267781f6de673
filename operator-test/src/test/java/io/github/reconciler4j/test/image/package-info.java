/** Container images in tests, built and run by {@code dev/image} with Debian's packages. */
package io.github.reconciler4j.test.image;
