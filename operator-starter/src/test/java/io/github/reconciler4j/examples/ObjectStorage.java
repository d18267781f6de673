package io.github.reconciler4j.examples;

import java.io.IOException;

/** A system outside of Kubernetes. */
interface ObjectStorage {

    /** Create a bucket and return whether it is new. */
    boolean create(String id) throws IOException;

    /** Delete a bucket and return whether it is gone. */
    boolean delete(String id) throws IOException;

    /** Return what changes whenever a bucket does. */
    String version(String id) throws IOException;
}
