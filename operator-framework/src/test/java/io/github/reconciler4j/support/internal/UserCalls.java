package io.github.reconciler4j.support.internal;

/** What the watch over callbacks sees. */
public final class UserCalls {

    private UserCalls() {}

    /** Return whether the calling thread shows that it is in user code. */
    public static boolean isInside() {
        Thread current = Thread.currentThread();
        return UserCall.current().stream().anyMatch(call -> call.thread() == current);
    }
}
