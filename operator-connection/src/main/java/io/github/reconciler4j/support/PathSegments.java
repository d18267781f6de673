package io.github.reconciler4j.support;

/**
 * Checks names that become a segment of a request path. A name like {@code ../x} or {@code a/b} would address another object
 * than the caller means, and an empty one the whole collection.
 *
 * @since 0.1.0
 */
public final class PathSegments {

    private PathSegments() {}

    /**
     * Return a name that can be a segment of a path.
     *
     * @param what the meaning of the name, for the error
     * @throws IllegalArgumentException if it is empty, {@code .} or {@code ..}, or contains a slash, a percent sign or a
     *     control character
     */
    public static String check(String what, String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("'" + what + "' must not be empty");
        }
        if (name.equals(".") || name.equals("..")) {
            throw new IllegalArgumentException("'" + what + "' must not be '" + name + "'");
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '/' || c == '%' || Character.isISOControl(c)) {
                throw new IllegalArgumentException("'" + what + "' must not contain "
                        + (Character.isISOControl(c) ? "control characters" : "'" + c + "', was '" + name + "'"));
            }
        }
        return name;
    }

    /** Return whether {@link #check} accepts a name, which those of objects that others refer to need not be. */
    public static boolean isSegment(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '/' || c == '%' || Character.isISOControl(c)) {
                return false;
            }
        }
        return !name.isEmpty() && !name.equals(".") && !name.equals("..");
    }

    /**
     * Return an absolute path, not encoded, whose segments are all names.
     *
     * @throws IllegalArgumentException if it does not start with a slash, or a segment is not a name; see {@link #check}
     */
    public static String checkPath(String path) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("'path' must start with '/', was '" + path + "'");
        }
        int start = 1;
        for (int end = path.indexOf('/', start); end >= 0; end = path.indexOf('/', start)) {
            check("path", path.substring(start, end));
            start = end + 1;
        }
        check("path", path.substring(start));
        return path;
    }
}
